-- Why: The assistant reads the notes of people who let it, once a day, and sends a drop a day to those who want one.
-- Both jobs call a model for each person, which takes minutes and sometimes fails. So each person's turn is a row: it
-- is claimed before the call and ended after it, and the claim of a process that dies expires.

create type nectar.assistant_job as enum ('note_analysis', 'daily_drop');

-- Returns how often a person's notes are analyzed on one UTC day.
create function private.max_analyses_per_day() returns integer
  language sql immutable parallel safe security invoker
  return 3;

create table private.assistant_turns (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  job nectar.assistant_job not null,
  day date not null,
  attempts smallint not null,
  claim uuid,
  claimed_until timestamptz(3),
  finished_at timestamptz(3),
  analyses smallint not null default 0,
  notes_since timestamptz(3),
  notes_version numeric,
  notes_fingerprint bytea,
  primary key (user_id, job),
  constraint assistant_turns_attempts_not_negative check (attempts >= 0),
  constraint assistant_turns_claim_runs_out check (claim is null or claimed_until is not null),
  constraint assistant_turns_analyses_in_range check (analyses between 0 and private.max_analyses_per_day())
);
comment on table private.assistant_turns is 'The latest turn of a person with each job of the assistant.';
comment on column private.assistant_turns.day is 'By the UTC calendar.';
comment on column private.assistant_turns.attempts is 'Attempts of that day since the last success, counted when they begin.';
comment on column private.assistant_turns.claim is 'Id of the claim, new each time. A claim ends the turn only while it is the claim of the turn.';
comment on column private.assistant_turns.claimed_until is 'While it is claimed, when the claim expires; after a failure, when it may be claimed again.';
comment on column private.assistant_turns.analyses is 'Analyses that were stored that day; failed attempts are not counted here.';
comment on column private.assistant_turns.notes_since is 'The notes that the last analysis of that day read were created after this.';
comment on column private.assistant_turns.notes_version is 'Their private.notes_version at that time.';
comment on column private.assistant_turns.notes_fingerprint is 'Their private.notes_fingerprint at that time; another one makes another analysis due.';

create index accounts_readable_by_assistant on nectar.accounts (user_id) where read_notes_enabled;

-- Returns whether a person lets a job of the assistant serve them; never while their account is closing.
create function private.lets_assistant_serve(p_account nectar.accounts, p_job nectar.assistant_job) returns boolean
  language sql immutable parallel safe security invoker
  return p_account.read_notes_enabled and p_account.erases_at is null and (p_job = 'note_analysis' or p_account.check_in_enabled);

-- How often a job tries to serve a person on a day, until it succeeds.
create function private.max_attempts_per_turn() returns integer
  language sql immutable parallel safe security invoker
  return 3;

-- Claims one turn of a person, unless something changed since it was looked at. p_finished_at is when the turn ended,
-- as it was when it was looked at, or null. Returns false if it was claimed or ended since, has no attempts left, or
-- the account is gone.
create function private.claim_assistant_turn(
  p_user_id uuid, p_job nectar.assistant_job, p_claim uuid, p_finished_at timestamptz, p_moment timestamptz
) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  -- Longer than the maximum duration of a function, so that the process of an expired claim has ended.
  v_lease constant interval := interval '6 minutes';
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  -- Locked, so that an account is not deleted meanwhile.
  perform from nectar.profiles p where p.id = p_user_id for key share;
  if not found then return false; end if;
  insert into private.assistant_turns as t (user_id, job, day, attempts, claim, claimed_until)
  values (p_user_id, p_job, v_today, 1, p_claim, p_moment + v_lease) on conflict (user_id, job) do update set
    day = excluded.day,
    attempts = case when t.day = excluded.day then t.attempts else 0 end + 1,
    claim = excluded.claim,
    claimed_until = excluded.claimed_until,
    finished_at = case when t.day = excluded.day then t.finished_at end,
    analyses = case when t.day = excluded.day then t.analyses else 0 end,
    notes_since = case when t.day = excluded.day then t.notes_since end,
    notes_version = case when t.day = excluded.day then t.notes_version end,
    notes_fingerprint = case when t.day = excluded.day then t.notes_fingerprint end
  -- Not if the turn was claimed, or even ended, since it was looked at.
  where (t.claimed_until is null or t.claimed_until <= p_moment)
    and (t.day <> excluded.day or t.attempts < private.max_attempts_per_turn())
    and t.finished_at is not distinct from p_finished_at;
  return found;
end $$;

-- Claims turns for a job of the assistant: those of the next people, in the order of ids and up to a last one, who are
-- due for it on the UTC day of a moment. Notes are analyzed again on the same day only if they have changed, and at
-- most private.max_analyses_per_day() times; each analysis has three attempts. Returns the id of the claim, the claimed
-- people, the last person that it looked at, how many humans it looked at, how many of them had used all attempts, and
-- whether there are no more people. Security definer: the service has no privilege on settings, entries and turns.
create function private.claim_assistant_turns(
  p_job nectar.assistant_job, p_moment timestamptz, p_after_user_id uuid, p_limit integer,
  p_up_to_user_id uuid default null, out claim uuid, out claimed uuid[], out last_user uuid, out seen integer,
  out out_of_attempts integer, out is_last boolean
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The number of people per call is limited, so that a call stays short when many are done already.
  v_page_size constant integer := 200;
  v_today constant date := (p_moment at time zone 'UTC')::date;
  v_person record;
  v_count integer := 0;
begin
  claim := gen_random_uuid();
  claimed := '{}';
  seen := 0;
  out_of_attempts := 0;
  -- Each person is looked up separately, in the order of ids, until there are enough. With joins of whole tables, each
  -- call would read the people of all calls before it again.
  for v_person in
    select a.user_id, about.* from nectar.accounts a
    cross join lateral (
      select not p.is_ai as is_human,
        case p_job
          when 'daily_drop' then not exists (
            select from nectar.encouragement_drops d
            where d.recipient_id = a.user_id and d.date_sent = v_today and d.sender_id = private.system_user_id()
          )
          else case
            when t.day is distinct from v_today or t.finished_at is null then exists (
              select from private.notes e where e.user_id = a.user_id and e.created_at > private.notes_since(p_moment)
            )
            else t.analyses < private.max_analyses_per_day() and private.have_notes_changed(t, p_moment)
          end
        end as is_due,
        t.day = v_today and t.attempts >= private.max_attempts_per_turn() as is_out_of_attempts,
        t.claimed_until > p_moment as is_claimed,
        t.finished_at
      from nectar.profiles p
      left join private.assistant_turns t on t.user_id = a.user_id and t.job = p_job
      where p.id = a.user_id limit 1
    ) about
    where a.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000')
      and a.user_id <= coalesce(p_up_to_user_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and private.lets_assistant_serve(a, p_job)
    order by a.user_id limit v_page_size
  loop
    v_count := v_count + 1;
    last_user := v_person.user_id;
    continue when not v_person.is_human;
    seen := seen + 1;
    continue when not v_person.is_due;
    out_of_attempts := out_of_attempts + case when v_person.is_out_of_attempts then 1 else 0 end;
    continue when v_person.is_out_of_attempts or v_person.is_claimed;
    if private.claim_assistant_turn(v_person.user_id, p_job, claim, v_person.finished_at, p_moment) then
      claimed := claimed || v_person.user_id;
      exit when cardinality(claimed) = p_limit;
    end if;
  end loop;
  is_last := cardinality(claimed) < p_limit and v_count < v_page_size;
end $$;
grant execute on function
  private.claim_assistant_turns(nectar.assistant_job, timestamptz, uuid, integer, uuid)
  to nectar_service;

-- Cuts the people whose turn of the UTC day is not finished into ranges of a size, and returns the last id of each full
-- range. They let the job of the assistant serve them, and are in the order of their ids. Security definer: the service
-- has no privilege on settings and turns.
create function private.assistant_range_ends(p_job nectar.assistant_job, p_moment timestamptz, p_size integer)
  returns uuid[]
  language sql stable security definer set search_path = '' as $$
    select coalesce(array_agg(r.user_id order by r.user_id), '{}')
    from (
      select a.user_id, row_number() over (order by a.user_id) as number from nectar.accounts a
      where private.lets_assistant_serve(a, p_job)
        and not exists (
          select from private.assistant_turns t
          where t.user_id = a.user_id and t.job = p_job and t.day = (p_moment at time zone 'UTC')::date
            and t.finished_at is not null
        )
    ) r
    where r.number % p_size = 0
  $$;
grant execute on function private.assistant_range_ends(nectar.assistant_job, timestamptz, integer) to nectar_service;

-- Ends a claim after an attempt that failed or had nothing to do, unless the turn was cancelled or claimed again since;
-- the attempt stays counted. After the first failure the turn cannot be claimed for 20 minutes, after the second for
-- two hours. Security definer: the service has no privilege on turns.
create function private.release_assistant_turn(
  p_user_id uuid, p_job nectar.assistant_job, p_claim uuid, p_moment timestamptz, p_has_failed boolean
) returns void
  language sql volatile security definer set search_path = '' as $$
    update private.assistant_turns t
    -- With a pause, so that an outage of an hour does not use all attempts of a day.
    set claim = null,
      claimed_until = case
        when p_has_failed then p_moment + case t.attempts when 1 then interval '20 minutes' when 2 then interval '2 hours' end
      end
    where t.user_id = p_user_id and t.job = p_job and t.claim = p_claim
  $$;
grant execute on function
  private.release_assistant_turn(uuid, nectar.assistant_job, uuid, timestamptz, boolean)
  to nectar_service;

alter table private.assistant_turns enable row level security;

create policy "a person sees their own turns" on private.assistant_turns
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on private.assistant_turns to nectar_user;
