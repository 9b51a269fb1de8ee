-- Why: People report what others wrote, showed or did, and admins decide about it with a reason. Nothing is decided by a
-- machine. One decision is about everything that was reported of a target so far.

create type nectar.report_reason as enum (
  'harassment', 'hate', 'sexual', 'violence', 'self_harm', 'spam', 'impersonation', 'illegal', 'other'
);
create type nectar.moderation_decision as enum ('suspend', 'hide', 'warn', 'dismiss', 'reject');

create table nectar.moderation_decisions (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references nectar.profiles (id) on delete cascade,
  target_type text not null,
  target_id uuid not null,
  decision nectar.moderation_decision not null,
  reason text not null,
  excerpt text,
  photo_key text,
  decided_by uuid references nectar.profiles (id) on delete set null,
  decided_at timestamptz(3) not null,
  suspended_until timestamptz(3),
  reversed_at timestamptz(3),
  constraint moderation_decisions_reason_length check (char_length(reason) between 10 and 1000),
  constraint moderation_decisions_excerpt_length check (char_length(excerpt) between 1 and 500),
  constraint moderation_decisions_suspension_has_end check ((decision = 'suspend') = (suspended_until is not null)),
  constraint moderation_decisions_suspension_in_range check (
    suspended_until > decided_at and suspended_until - decided_at <= interval '365 days'
  ),
  constraint moderation_decisions_user_is_not_hidden check (decision <> 'hide' or target_type <> 'user')
);
comment on table nectar.moderation_decisions is
  'What admins decided about reported things and, by rejecting them, about check-ins, and why. Deleted with the account of the owner of the thing.';
comment on column nectar.moderation_decisions.owner_id is 'Whose the thing is; the sender of a drop or message, or the reported user.';
comment on column nectar.moderation_decisions.excerpt is
  'From the report that the admin decided about: the thing as it was then, also if its owner has deleted it since.';
comment on column nectar.moderation_decisions.photo_key is
  'The path of a rejected photo that another one has replaced, kept for an appeal.';
comment on column nectar.moderation_decisions.reversed_at is 'Since then the decision has no effect.';

create table nectar.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references nectar.profiles (id) on delete cascade,
  owner_id uuid not null references nectar.profiles (id) on delete cascade,
  target_type text not null,
  target_id uuid not null,
  reason nectar.report_reason not null,
  details text,
  excerpt text,
  status text not null default 'open',
  decision_id uuid references nectar.moderation_decisions (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  -- Not enums, whose comparison is no index condition under row-level security: admins list reports by both.
  constraint reports_target_type_known check (
    target_type in ('entry', 'notebook', 'goal', 'tone_pack', 'drop', 'checkin', 'message', 'user')
  ),
  constraint reports_status_known check (status in ('open', 'dismissed', 'actioned')),
  constraint reports_not_about_oneself check (reporter_id <> owner_id),
  constraint reports_details_length check (char_length(details) between 1 and 2000),
  constraint reports_excerpt_length check (char_length(excerpt) between 1 and 500),
  constraint reports_decided_has_decision check ((status <> 'open') = (decision_id is not null)),
  constraint reports_decided_has_time check ((status <> 'open') = (decided_at is not null))
);
comment on table nectar.reports is
  'What people reported. Deleted with the account of the reporter or of the owner of the thing, but not with the thing.';
comment on column nectar.reports.owner_id is 'Whose the thing is; the sender of a drop or message, or the reported user.';
comment on column nectar.reports.excerpt is
  'The beginning of the thing when it was reported, as far as the reporter could see it; null for a photo.';

create index moderation_decisions_of_owner on nectar.moderation_decisions (owner_id, decided_at desc, id desc);
create index moderation_decisions_of_admin on nectar.moderation_decisions (decided_by);
create index moderation_decisions_with_photo on nectar.moderation_decisions (decided_at) where photo_key is not null;
create unique index reports_open_once on nectar.reports (reporter_id, target_id, target_type) where status = 'open';
create index reports_own on nectar.reports (reporter_id, created_at desc, id desc);
create index reports_of_owner on nectar.reports (owner_id);
create index reports_of_decision on nectar.reports (decision_id);
create index reports_open_of_target on nectar.reports (target_id, target_type) where status = 'open';
create index reports_oldest_first on nectar.reports (created_at, id);
create index reports_of_status on nectar.reports (status, created_at, id);
create index reports_of_target_type on nectar.reports (target_type, created_at, id);
create index reports_of_status_and_target_type on nectar.reports (status, target_type, created_at, id);

-- Returns whether a person blocked the caller. Only definer functions call it: blocks that others made are hidden.
create function private.is_blocked_by(p_user_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.blocks b where b.user_id = p_user_id and b.blocked_id = private.actor_id());
end $$;

-- Returns the owner of a thing, whether the caller may see it, and the beginning of what they see of it; all null if
-- there is none. Blocks of the caller do not count, so that people can report users they blocked.
create function private.reportable_thing(
  p_target_type text, p_target_id uuid, p_moment timestamptz,
  out owner_id uuid, out is_visible boolean, out excerpt text
)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_sees_all constant boolean := private.is_super_admin();
begin
  case p_target_type
    when 'entry', 'goal' then
      select t.user_id, v_sees_all or s.metadata,
        concat_ws(E'\n', t.title, case when v_sees_all or s.content then coalesce(
          (select c.content from nectar.journal_entry_contents c where c.entry_id = t.id),
          (select c.description from nectar.goal_contents c where c.goal_id = t.id)
        ) end)
      into owner_id, is_visible, excerpt
      from private.thing(
        case p_target_type when 'entry' then p_target_id end, case p_target_type when 'goal' then p_target_id end
      ) t
      cross join private.axes_seen_by(v_actor, t, private.is_blocked_by(t.user_id)) s
      where t.id = p_target_id;
    when 'notebook' then
      select n.user_id,
        v_sees_all or private.is_reached(
          n.metadata_audience_id, n.user_id, private.my_audiences(),
          case when private.is_blocked_by(n.user_id) then array[n.user_id] else '{}' end
        ),
        concat_ws(E'\n', n.name, n.description)
      into owner_id, is_visible, excerpt
      from nectar.notebooks n where n.id = p_target_id;
    when 'tone_pack' then
      select p.owner_id,
        p.hidden_at is null
          and ((p.is_public and not private.is_blocked_by(p.owner_id)) or p.id in (select private.my_tone_pack_ids())),
        concat_ws(E'\n', p.name, p.description)
      into owner_id, is_visible, excerpt
      from nectar.tone_packs p where p.id = p_target_id;
    when 'drop' then
      select d.sender_id, d.recipient_id = v_actor and d.hidden_at is null,
        concat_ws(E'\n', d.title, d.content, d.media_url)
      into owner_id, is_visible, excerpt
      from nectar.encouragement_drops d where d.id = p_target_id;
    when 'checkin' then
      -- Who sees its details sees the photo, unless there is a block.
      select k.user_id, exists (select from private.check_in_details(array[k.id])) and not private.is_blocked_by(k.user_id), null
      into owner_id, is_visible, excerpt
      from nectar.workout_checkins k where k.id = p_target_id;
    when 'message' then
      select m.sender_id,
        v_sees_all or (
            m.team_id = any (private.my_audiences()) or private.is_in_squad(m.squad_id)
            or (private.axes_seen_by(v_actor, t, private.is_blocked_by(t.user_id))).content
          )
          and m.hidden_at is null and not private.is_blocked_by(m.sender_id),
        m.content
      into owner_id, is_visible, excerpt
      from nectar.team_messages m
      cross join private.thing(m.entry_id, m.goal_id) t
      where m.id = p_target_id;
    when 'user' then
      select p.id, not private.is_blocked_by(p.id) and private.can_see_person(p.id, p_moment), p.full_name
      into owner_id, is_visible, excerpt
      from nectar.profiles p where p.id = p_target_id;
  end case;
  excerpt := nullif(left(excerpt, 500), '');
end $$;

-- Reports a thing for the caller, and returns the id of the report, or of the open one of the same thing (is_new false).
-- p_report has target_type, target_id, reason and details. wait_seconds is how long to wait if the quota is used up, else 0;
-- then the transaction must be rolled back. Raises report.own_thing or report.target_not_found (also if the caller may
-- not see the thing), and service.unexpected unless the moment is now. Security definer: no role may write reports
-- directly, and what others blocked is hidden.
create function private.create_report(
  p_report jsonb, p_moment timestamptz, out report_id uuid, out is_new boolean, out wait_seconds integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_given record;
  v_thing record;
begin
  perform private.check_moment(p_moment);
  select * into v_given
  from jsonb_to_record(p_report) r (target_type text, target_id uuid, reason nectar.report_reason, details text);
  v_thing := private.reportable_thing(v_given.target_type, v_given.target_id, p_moment);
  if v_thing.owner_id = v_actor then
    raise exception 'a thing of the caller' using errcode = 'NX000', detail = 'report.own_thing';
  end if;
  if v_thing.is_visible is not true or not private.lock_profile(v_thing.owner_id) then
    raise exception 'no such thing' using errcode = 'NX000', detail = 'report.target_not_found';
  end if;
  if v_given.target_type in ('entry', 'goal') then perform private.log_reads(array[v_given.target_id], true); end if;
  insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, details, excerpt)
  values (
    v_actor, v_thing.owner_id, v_given.target_type, v_given.target_id, v_given.reason, v_given.details, v_thing.excerpt
  )
  on conflict (reporter_id, target_id, target_type) where status = 'open' do nothing returning id into report_id;
  is_new := found;
  wait_seconds := 0;
  if is_new then
    wait_seconds := private.consume_quota('report', 1);
  else
    select r.id into report_id from nectar.reports r
    where r.reporter_id = v_actor and r.target_id = v_given.target_id and r.target_type = v_given.target_type
    order by r.created_at desc, r.id desc limit 1;
  end if;
end $$;
grant execute on function private.create_report(jsonb, timestamptz) to nectar_user;

create trigger moderation_decisions__sync_file
  after update of photo_key or delete on nectar.moderation_decisions
  for each row execute function private.sync_file_of_row('private', 'photo_key');
create trigger reports__delete_stored_responses
  after delete on nectar.reports
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.moderation_decisions enable row level security;
alter table nectar.reports enable row level security;

create policy "an owner sees decisions that are not dismissals" on nectar.moderation_decisions
  for select to nectar_user using (owner_id = (select private.actor_id()) and decision <> 'dismiss');
create policy "the service sees decisions" on nectar.moderation_decisions for select to nectar_service using (true);
create policy "a person sees what they reported" on nectar.reports
  for select to nectar_user using (reporter_id = (select private.actor_id()));
create policy "the service sees reports" on nectar.reports for select to nectar_service using (true);

-- Not who decided, and not what the reporters wrote.
grant select (id, owner_id, target_type, target_id, decision, reason, decided_at, suspended_until)
  on nectar.moderation_decisions to nectar_user;
grant select on nectar.moderation_decisions to nectar_service;
grant select (id, reporter_id, target_type, target_id, reason, details, status, created_at, decided_at)
  on nectar.reports to nectar_user;
grant select on nectar.reports to nectar_service;
