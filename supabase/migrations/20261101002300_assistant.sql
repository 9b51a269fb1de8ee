-- Why: the assistant reads the notes of people who let it, once a day, and gives those who want to be checked in on a drop
-- a day. Both jobs call a model for each person, which takes minutes and fails now and then: so whose turn it is, is a row.
-- A turn is claimed before the call and ended after it; a process that dies leaves a claim that runs out. What the jobs may
-- read of a person goes through functions that ask for the person's permission themselves.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.assistant_job as enum ('note_analysis', 'daily_drop');

-- What a person's recent notes were when they were read, for telling later whether they have changed.
create type private.notes_state as (
  since timestamptz(3),
  version numeric,
  fingerprint bytea
);

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.note_analyses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  analysis_date date not null,
  summary text not null,
  mood_trends jsonb not null,
  topics jsonb not null,
  patterns jsonb not null,
  recommendations text not null,
  insights jsonb not null,
  entry_count integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint note_analyses_one_a_day unique (user_id, analysis_date),
  constraint note_analyses_summary_length check (char_length(summary) between 1 and 1000),
  constraint note_analyses_recommendations_length check (char_length(recommendations) between 1 and 1000),
  constraint note_analyses_mood_trends_is_object check (jsonb_typeof(mood_trends) = 'object'),
  constraint note_analyses_topics_is_array check (jsonb_typeof(topics) = 'array'),
  constraint note_analyses_patterns_is_array check (jsonb_typeof(patterns) = 'array'),
  constraint note_analyses_insights_is_object check (jsonb_typeof(insights) = 'object'),
  constraint note_analyses_size check (
    octet_length(mood_trends::text) + octet_length(topics::text) + octet_length(patterns::text)
      + octet_length(insights::text) <= 65536
  ),
  constraint note_analyses_entry_count_positive check (entry_count > 0)
);

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
  constraint assistant_turns_analyses_in_range check (analyses between 0 and 3)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index accounts_readable_by_assistant on nectar.accounts (user_id) where read_notes_enabled;
create unique index encouragement_drops_one_of_assistant_a_day
  on nectar.encouragement_drops (recipient_id, date_sent) where sender_id = private.system_user_id();

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.notes_since(moment timestamptz) returns timestamptz
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$ select moment - interval '168 hours' $$;
comment on function private.notes_since(timestamptz) is 'Notes written after this are recent: seven times 24 hours.';

create function private.newest_notes(target uuid, since timestamptz)
  returns table (id uuid, title text, content text, mood text, written_at timestamptz)
  language sql stable security invoker rows 50
  set search_path = ''
  as $$
    select n.id, n.title, left(c.content, 2000), coalesce(n.mood, c.found_mood), n.created_at
    from (
      select e.id, e.title, e.mood, e.created_at
      from nectar.journal_entries e
      where e.user_id = target and e.created_at > since
      order by e.created_at desc, e.id desc
      limit 50
    ) n
    join nectar.journal_entry_contents c on c.entry_id = n.id
    order by n.created_at desc, n.id desc
  $$;
comment on function private.newest_notes(uuid, timestamptz) is
  'The fifty newest notes of a person after a moment, with the first 2,000 characters of each: what an analysis reads. No role may call it.';

create function private.notes_version(target uuid, since timestamptz) returns numeric
  language sql stable security invoker
  set search_path = ''
  as $$
    select coalesce(sum(extract(epoch from e.updated_at)), 0)
    from nectar.journal_entries e
    where e.user_id = target and e.created_at > since
  $$;
comment on function private.notes_version(uuid, timestamptz) is
  'A number that changes when a person adds, deletes or saves a note created after a moment, also if saving changes nothing. Reads no texts. No role may call it.';

create function private.notes_fingerprint(target uuid, since timestamptz) returns bytea
  language sql stable security invoker
  set search_path = ''
  as $$
    select sha256(convert_to(
      coalesce(jsonb_agg(jsonb_build_array(n.id, n.title, n.content) order by n.written_at desc, n.id desc), '[]')::text,
      'UTF8'
    ))
    from private.newest_notes(target, since) n
  $$;
comment on function private.notes_fingerprint(uuid, timestamptz) is
  'SHA-256 of what an analysis reads of a person''s notes: their ids, titles and contents; not their moods and tags. No role may call it.';

create function private.notes_state(target uuid, since timestamptz) returns private.notes_state
  language sql stable security invoker
  set search_path = ''
  as $$ select since, private.notes_version(target, since), private.notes_fingerprint(target, since) $$;
comment on function private.notes_state(uuid, timestamptz) is
  'What a person''s notes after a moment are now. No role may call it.';

create function private.have_notes_changed(turn private.assistant_turns, moment timestamptz) returns boolean
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  -- Compared over the notes that were recent at the time, so that a note that has only grown too old is no change.
  if private.notes_version(turn.user_id, turn.notes_since) is not distinct from turn.notes_version then
    return false;
  end if;
  return exists (
      select from nectar.journal_entries e
      where e.user_id = turn.user_id and e.created_at > private.notes_since(moment)
    )
    and private.notes_fingerprint(turn.user_id, turn.notes_since) is distinct from turn.notes_fingerprint;
end
$$;
comment on function private.have_notes_changed(private.assistant_turns, timestamptz) is
  'Whether there are recent notes, and their set, titles or contents are not those of the turn''s last analysis any more. Texts are read only if a note was saved or deleted since. No role may call it.';

create function private.claim_assistant_turns(
  wanted nectar.assistant_job,
  moment timestamptz,
  after_user uuid,
  size integer,
  out claim uuid,
  out claimed uuid[],
  out last_user uuid,
  out seen integer,
  out given_up integer,
  out is_last boolean
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  -- A page, so that one call stays short however many people are done already.
  page_size constant integer := 200;
  most_attempts constant integer := 3;
  max_analyses constant integer := 3;
  -- Longer than a function lives, so that a claim that ran out belongs to nobody any more.
  lease constant interval := interval '6 minutes';
  today constant date := (moment at time zone 'UTC')::date;
  person record;
  walked integer := 0;
begin
  claim := gen_random_uuid();
  claimed := '{}';
  seen := 0;
  given_up := 0;
  is_last := true;
  -- Everything about a person is looked up for that person alone, in the order of the ids, and only until there are enough:
  -- joined with the whole tables, each call would walk over all whom the calls before it walked over.
  for person in
    select a.user_id, about.*
    from nectar.accounts a
    cross join lateral (
      select not p.is_ai as is_human,
        case wanted
          when 'daily_drop' then not exists (
            select from nectar.encouragement_drops d
            where d.recipient_id = a.user_id and d.date_sent = today and d.sender_id = private.system_user_id()
          )
          else case
            when t.day is distinct from today or t.finished_at is null then exists (
              select from nectar.journal_entries e
              where e.user_id = a.user_id and e.created_at > private.notes_since(moment)
            )
            else t.analyses < max_analyses and private.have_notes_changed(t, moment)
          end
        end as is_due,
        t.day = today and t.attempts >= most_attempts as is_given_up,
        t.claimed_until > moment as is_claimed,
        t.finished_at
      from nectar.profiles p
      left join private.assistant_turns t on t.user_id = a.user_id and t.job = wanted
      where p.id = a.user_id
      limit 1
    ) about
    where a.user_id > coalesce(after_user, '00000000-0000-0000-0000-000000000000')
      and a.read_notes_enabled
      and (wanted = 'note_analysis' or a.check_in_enabled)
    order by a.user_id
    limit page_size
  loop
    walked := walked + 1;
    last_user := person.user_id;
    continue when not person.is_human;
    seen := seen + 1;
    continue when not person.is_due;
    if person.is_given_up then
      given_up := given_up + 1;
      continue;
    end if;
    continue when person.is_claimed;
    -- Locked, so that somebody who closes their account at this moment is waited for or passed by.
    perform from nectar.profiles p where p.id = person.user_id for key share;
    continue when not found;
    insert into private.assistant_turns as t (user_id, job, day, attempts, claim, claimed_until)
    values (person.user_id, wanted, today, 1, claim_assistant_turns.claim, moment + lease)
    on conflict (user_id, job) do update set
      day = excluded.day,
      attempts = case when t.day = excluded.day then t.attempts else 0 end + 1,
      claim = excluded.claim,
      claimed_until = excluded.claimed_until,
      finished_at = case when t.day = excluded.day then t.finished_at end,
      analyses = case when t.day = excluded.day then t.analyses else 0 end,
      notes_since = case when t.day = excluded.day then t.notes_since end,
      notes_version = case when t.day = excluded.day then t.notes_version end,
      notes_fingerprint = case when t.day = excluded.day then t.notes_fingerprint end
    -- Not when somebody else claimed, or even ended, the turn since it was looked at.
    where (t.claimed_until is null or t.claimed_until <= moment)
      and (t.day <> excluded.day or t.attempts < most_attempts)
      and t.finished_at is not distinct from person.finished_at;
    continue when not found;
    claimed := claimed || person.user_id;
    if cardinality(claimed) = size then
      is_last := false;
      exit;
    end if;
  end loop;
  if walked = page_size then
    is_last := false;
  end if;
end
$$;
comment on function private.claim_assistant_turns(nectar.assistant_job, timestamptz, uuid, integer) is
  'Claims the turns of the next so many people, in the order of their ids, who were not yet served by a job of the assistant on the UTC day of a moment. Notes are analyzed again on the same day only if they have changed, and three times a day at most; each time has three attempts. Returns the id of the claim, the people, where it ended, how many people it walked over, how many of these had all their attempts, and whether they are the last ones. Security definer: the service has no privilege on settings, entries and turns.';

create function private.release_assistant_turn(
  target uuid, ended nectar.assistant_job, held_claim uuid, moment timestamptz, has_failed boolean
) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    update private.assistant_turns t
    -- Waiting, so that an outage of an hour does not use up the attempts of a day.
    set claim = null,
      claimed_until = case
        when has_failed then moment + case t.attempts when 1 then interval '20 minutes' when 2 then interval '2 hours' end
      end
    where t.user_id = target and t.job = ended and t.claim = held_claim
  $$;
comment on function private.release_assistant_turn(uuid, nectar.assistant_job, uuid, timestamptz, boolean) is
  'Gives back a claim, unless the turn was called off or claimed again since, after an attempt that failed or had nothing to do; the attempt stays counted. One that failed at a moment keeps the turn from being claimed for 20 minutes, the second for two hours. Security definer: the service has no privilege on turns.';

create function private.notes_for_analysis(target uuid, moment timestamptz)
  returns table (title text, content text, mood text, written_at timestamptz, state private.notes_state)
  language sql stable security definer rows 50
  set search_path = ''
  as $$
    select n.title, n.content, n.mood, n.written_at, s
    from private.notes_state(target, private.notes_since(moment)) s
    cross join private.newest_notes(target, private.notes_since(moment)) n
    where exists (select from nectar.accounts a where a.user_id = target and a.read_notes_enabled)
      and exists (select from nectar.profiles p where p.id = target and not p.is_ai)
    order by n.written_at desc, n.id desc
  $$;
comment on function private.notes_for_analysis(uuid, timestamptz) is
  'The fifty newest recent notes of a person who lets the assistant read them, their beginnings, newest first, each with the state of them all. Security definer: the service cannot read entries.';

create function private.store_note_analysis(
  target uuid, held_claim uuid, moment timestamptz, analysis jsonb, entries integer, state private.notes_state
) returns uuid
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  stored uuid;
begin
  perform private.hold_account(target);
  -- Locked, so that a permission that is withdrawn at this moment is either seen or comes after.
  perform from nectar.accounts a where a.user_id = target and a.read_notes_enabled for share;
  if not found then
    return null;
  end if;
  -- Locked as well: a person who deletes their analyses meanwhile ends the claim, or finds what is stored here.
  perform from private.assistant_turns t
    where t.user_id = target and t.job = 'note_analysis' and t.claim = held_claim
    for update;
  if not found then
    return null;
  end if;
  insert into nectar.note_analyses as n (
    user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count
  )
  values (
    target, (moment at time zone 'UTC')::date, analysis ->> 'summary', analysis -> 'mood_trends', analysis -> 'topics',
    analysis -> 'patterns', analysis ->> 'recommendations', analysis -> 'insights', entries
  )
  on conflict on constraint note_analyses_one_a_day do update set
    summary = excluded.summary,
    mood_trends = excluded.mood_trends,
    topics = excluded.topics,
    patterns = excluded.patterns,
    recommendations = excluded.recommendations,
    insights = excluded.insights,
    entry_count = excluded.entry_count,
    updated_at = now()
  returning n.id into stored;
  update private.assistant_turns
    set attempts = 0, claim = null, claimed_until = null, finished_at = moment, analyses = analyses + 1,
      notes_since = (state).since, notes_version = (state).version, notes_fingerprint = (state).fingerprint
    where user_id = target and job = 'note_analysis';
  return stored;
end
$$;
comment on function private.store_note_analysis(uuid, uuid, timestamptz, jsonb, integer, private.notes_state) is
  'Stores what a model made of a person''s notes, one row for the UTC day, ends the turn, and keeps what the notes were. Null if the person no longer lets their notes be read, or if the claim has ended. Security definer: no role may write analyses directly.';

create function private.call_off_note_analysis() returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    update private.assistant_turns t
    set claim = null, claimed_until = null, finished_at = now(),
      (notes_since, notes_version, notes_fingerprint) = (
        select s.since, s.version, s.fingerprint from private.notes_state(t.user_id, private.notes_since(now())) s
      )
    where t.user_id = private.actor_id() and t.job = 'note_analysis' and t.claimed_until is not null
  $$;
comment on function private.call_off_note_analysis() is
  'Ends the caller''s turn of the analysis if it is being worked on or waits for another attempt, so that the notes as they are now are not analyzed. Security definer: no role may write turns directly.';

create function private.analysis_for_message(target uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'summary', n.summary, 'mood_trends', n.mood_trends, 'topics', n.topics, 'patterns', n.patterns,
      'recommendations', n.recommendations, 'insights', n.insights
    )
    from nectar.note_analyses n
    join nectar.accounts a on a.user_id = n.user_id
    where n.user_id = target and a.read_notes_enabled and a.check_in_enabled
    order by n.analysis_date desc
    limit 1
  $$;
comment on function private.analysis_for_message(uuid) is
  'The latest analysis of somebody who lets the assistant read their notes and write to them; null when there is none. Definer: the service cannot read analyses.';

create function private.give_assistant_drop(target uuid, moment timestamptz, words text, announcement text)
  returns uuid
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  given uuid;
begin
  perform private.hold_account(target);
  perform from nectar.accounts a
    where a.user_id = target and a.read_notes_enabled and a.check_in_enabled for share;
  if not found then
    return null;
  end if;
  insert into nectar.encouragement_drops as d (
    sender_id, recipient_id, drop_type, content, is_custom, date_sent, created_at, engagement_until, engagement
  )
  select private.system_user_id(), target, 'encouragement', words, false, (moment at time zone 'UTC')::date, moment,
    moment + make_interval(hours => c.engagement_window_hours), 'never'
  from nectar.encouragement_config c
  on conflict (recipient_id, date_sent) where sender_id = private.system_user_id() do nothing
  returning d.id into given;
  if given is not null then
    perform private.notify(
      target, 'assistant_drop', announcement, 'Your drop of the day is here.', jsonb_build_object('drop_id', given)
    );
  end if;
  update private.assistant_turns
    set claim = null, claimed_until = null, finished_at = moment
    where user_id = target and job = 'daily_drop';
  return given;
end
$$;
comment on function private.give_assistant_drop(uuid, timestamptz, text, text) is
  'Gives a person the assistant''s drop of the UTC day, tells them, and ends the turn; no allowance changes. Null when they have one of that day or do not want any more. Definer: nobody sends in the name of the system user by hand.';

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.note_analyses enable row level security;
alter table private.assistant_turns enable row level security;

create policy "a person sees what the assistant made of their notes" on nectar.note_analyses
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person has their analyses forgotten" on nectar.note_analyses
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sees their own turns" on private.assistant_turns
  for select to nectar_user using (user_id = (select private.actor_id()));

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select, delete on nectar.note_analyses to nectar_user;
grant select on private.assistant_turns to nectar_user;
revoke execute on all functions in schema private from public;
grant execute on function
  private.claim_assistant_turns(nectar.assistant_job, timestamptz, uuid, integer),
  private.release_assistant_turn(uuid, nectar.assistant_job, uuid, timestamptz, boolean),
  private.notes_for_analysis(uuid, timestamptz),
  private.store_note_analysis(uuid, uuid, timestamptz, jsonb, integer, private.notes_state),
  private.analysis_for_message(uuid),
  private.give_assistant_drop(uuid, timestamptz, text, text) to nectar_service;
grant execute on function private.call_off_note_analysis() to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.note_analyses is 'What a model made of a person''s recent notes, one row for a UTC day. Seen by that person alone.';
comment on column nectar.note_analyses.entry_count is 'How many notes were read for it.';
comment on table private.assistant_turns is 'How far each job of the assistant got with a person on the latest day on which it was their turn.';
comment on column private.assistant_turns.day is 'By the UTC calendar.';
comment on column private.assistant_turns.attempts is 'Attempts of that day since the last success, counted when they begin.';
comment on column private.assistant_turns.claim is 'Who works on it: each claim has a new id, and ends a turn only while it is the claim of the turn.';
comment on column private.assistant_turns.claimed_until is 'While somebody works on it, when the claim runs out; after a failure, when it may be claimed again.';
comment on column private.assistant_turns.analyses is 'Analyses that were stored that day; failed attempts are not counted here.';
comment on column private.assistant_turns.notes_since is 'The notes that the last analysis of that day read were created after this.';
comment on column private.assistant_turns.notes_version is 'Their private.notes_version at that time.';
comment on column private.assistant_turns.notes_fingerprint is 'Their private.notes_fingerprint at that time; another one makes another analysis due.';
