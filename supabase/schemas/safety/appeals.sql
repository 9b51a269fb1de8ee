-- Why: A person can appeal a decision about a thing of theirs once, for half a year, and another admin than the one who
-- decided it decides about the appeal. Reversing takes the effect of the decision back.

create type nectar.appeal_status as enum ('open', 'upheld', 'reversed');

create table nectar.moderation_appeals (
  id uuid primary key default gen_random_uuid(),
  decision_id uuid not null references nectar.moderation_decisions (id) on delete cascade,
  owner_id uuid not null references nectar.profiles (id) on delete cascade,
  status nectar.appeal_status not null default 'open',
  reason text not null,
  answer text,
  decided_by uuid references nectar.profiles (id) on delete set null,
  created_at timestamptz(3) not null,
  decided_at timestamptz(3),
  constraint moderation_appeals_once unique (decision_id),
  constraint moderation_appeals_reason_length check (char_length(reason) between 20 and 1000),
  constraint moderation_appeals_answer_length check (char_length(answer) between 10 and 1000),
  constraint moderation_appeals_decided_has_answer check ((status = 'open') = (answer is null)),
  constraint moderation_appeals_decided_has_time check ((status = 'open') = (decided_at is null))
);
comment on table nectar.moderation_appeals is
  'What people appealed, and what an admin answered. Deleted with the decision, and with the account of the person.';

create index moderation_appeals_of_owner on nectar.moderation_appeals (owner_id);
create index moderation_appeals_of_admin on nectar.moderation_appeals (decided_by);
create index moderation_appeals_oldest_first on nectar.moderation_appeals (created_at, id);
-- Not by status, because the comparison of an enum is no index condition under row-level security.
create index moderation_appeals_open on nectar.moderation_appeals (created_at, id) where status = 'open';

-- Returns the time until when a decision can be appealed.
create function private.appeal_until(p_decided_at timestamptz) returns timestamptz
  language sql immutable parallel safe security invoker
  return (p_decided_at at time zone 'UTC' + interval '183 days') at time zone 'UTC';
grant execute on function private.appeal_until(timestamptz) to nectar_user;

-- Appeals a decision about a thing of the caller, and returns the id of the appeal. Raises
-- moderation.decision_not_found, appeal.too_late, appeal.already_made, and service.unexpected unless the moment is now.
-- Security definer: no role may write appeals directly.
create function private.create_appeal(p_decision_id uuid, p_reason text, p_moment timestamptz) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_decision nectar.moderation_decisions;
  v_id uuid;
begin
  perform private.check_moment(p_moment);
  select * into v_decision from nectar.moderation_decisions d
  where d.id = p_decision_id and d.owner_id = private.actor_id() and d.decision <> 'dismiss';
  if not found then
    raise exception 'no such decision' using errcode = 'NX000', detail = 'moderation.decision_not_found';
  end if;
  if p_moment > private.appeal_until(v_decision.decided_at) then
    raise exception 'too late' using errcode = 'NX000', detail = 'appeal.too_late';
  end if;
  insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
  values (v_decision.id, v_decision.owner_id, p_reason, p_moment) on conflict (decision_id) do nothing
  returning id into v_id;
  if not found then raise exception 'appealed already' using errcode = 'NX000', detail = 'appeal.already_made'; end if;
  return v_id;
end $$;
grant execute on function private.create_appeal(uuid, text, timestamptz) to nectar_user;

-- Decides an appeal: upheld or reversed. Called after private.stop_writes. Security definer: no role may write appeals,
-- or show hidden things of others.
create function private.record_appeal_decision(
  p_appeal_id uuid, p_status nectar.appeal_status, p_answer text, p_decided_by uuid, p_moment timestamptz,
  p_grace_minutes integer
) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_appeal nectar.moderation_appeals;
  v_checkin_id uuid;
begin
  update nectar.moderation_appeals a
    set status = p_status, answer = p_answer, decided_by = p_decided_by, decided_at = p_moment where a.id = p_appeal_id
    returning * into v_appeal;
  update nectar.moderation_decisions d set photo_key = null where d.id = v_appeal.decision_id and d.photo_key is not null;
  if p_status = 'reversed' then
    perform private.undo_decision(v_appeal.decision_id, p_moment);
    -- Not if a new photo has taken its place, or another review has followed.
    select k.id into v_checkin_id from nectar.moderation_decisions d
    join nectar.workout_checkins k on k.id = d.target_id and k.status = 'rejected' and k.reviewed_at = d.decided_at
    where d.id = v_appeal.decision_id and d.decision = 'reject';
    if found then
      perform private.review_check_in(v_checkin_id, 'verified', p_answer, p_decided_by, p_moment, p_grace_minutes);
    end if;
  end if;
  perform private.notify(
    v_appeal.owner_id, 'moderation', jsonb_build_object('decision_id', v_appeal.decision_id, 'appeal_id', v_appeal.id)
  );
end $$;
grant execute on function private.record_appeal_decision(uuid, nectar.appeal_status, text, uuid, timestamptz, integer)
  to nectar_service;

-- Discards at most p_max rejected photos that nobody can appeal any more, and returns how many. Security definer: no
-- role may write decisions directly.
create function private.expire_rejected_photos(p_max integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_expired integer;
begin
  update nectar.moderation_decisions d set photo_key = null
  where d.id = any (array(
    select d.id from nectar.moderation_decisions d
    where d.photo_key is not null and private.appeal_until(d.decided_at) < now()
      and not exists (select from nectar.moderation_appeals a where a.decision_id = d.id and a.status = 'open')
    limit p_max
  ));
  get diagnostics v_expired = row_count;
  return v_expired;
end $$;
grant execute on function private.expire_rejected_photos(integer) to nectar_service;

create trigger moderation_appeals__delete_stored_responses
  after delete on nectar.moderation_appeals
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.moderation_appeals enable row level security;

create policy "a person sees their own appeals" on nectar.moderation_appeals
  for select to nectar_user using (owner_id = (select private.actor_id()));
create policy "the service sees appeals" on nectar.moderation_appeals for select to nectar_service using (true);

-- Not who decided.
grant select (id, decision_id, owner_id, status, reason, answer, created_at, decided_at)
  on nectar.moderation_appeals to nectar_user;
grant select on nectar.moderation_appeals to nectar_service;
