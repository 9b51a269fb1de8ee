-- Why: the assistant reads the notes of people who let it, once a day, and gives those who want to be checked in on a drop
-- a day. Both jobs call a model for each person, which takes minutes and fails now and then: so whose turn it is, is a row.
-- A turn is claimed before the call and ended after it; a process that dies leaves a claim that runs out. What the jobs may
-- read of a person goes through functions that ask for the person's permission themselves.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.assistant_job as enum ('note_analysis', 'daily_drop');

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
  claimed_until timestamptz(3),
  finished_at timestamptz(3),
  notes_until timestamptz(3),
  primary key (user_id, job),
  constraint assistant_turns_attempts_not_negative check (attempts >= 0)
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

create function private.claim_assistant_turns(
  wanted nectar.assistant_job,
  moment timestamptz,
  after_user uuid,
  size integer,
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
  -- Longer than a function lives, so that a claim that ran out belongs to nobody any more.
  lease constant interval := interval '6 minutes';
  today constant date := (moment at time zone 'UTC')::date;
  person record;
  walked integer := 0;
begin
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
          else exists (
            select from nectar.journal_entries e
            where e.user_id = a.user_id and e.created_at > private.notes_since(moment)
              and (t.day is distinct from today or t.finished_at is null or e.updated_at > t.notes_until)
          )
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
    insert into private.assistant_turns as t (user_id, job, day, attempts, claimed_until)
    values (person.user_id, wanted, today, 1, moment + lease)
    on conflict (user_id, job) do update set
      day = excluded.day,
      attempts = case when t.day = excluded.day then t.attempts else 0 end + 1,
      claimed_until = excluded.claimed_until,
      finished_at = case when t.day = excluded.day then t.finished_at end,
      notes_until = case when t.day = excluded.day then t.notes_until end
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
  'Claims the turns of the next so many people, in the order of their ids, whom a job of the assistant has yet to serve on the UTC day of a moment; three attempts a day. Returns them, where it ended, how many people it walked over, how many of these had all their attempts, and whether nobody comes after them. Definer: the service has no privilege on settings, entries and turns.';

create function private.release_assistant_turn(
  target uuid, ended nectar.assistant_job, moment timestamptz, has_failed boolean
) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    update private.assistant_turns t
    -- Waiting, so that an outage of an hour does not use up the attempts of a day.
    set claimed_until = case
      when has_failed then moment + case t.attempts when 1 then interval '20 minutes' when 2 then interval '2 hours' end
    end
    where t.user_id = target and t.job = ended
  $$;
comment on function private.release_assistant_turn(uuid, nectar.assistant_job, timestamptz, boolean) is
  'Gives back a claim after an attempt that served nobody; the attempt stays counted. One that failed at a moment keeps the turn from being claimed for 20 minutes, the second for two hours. Definer: the service has no privilege on turns.';

create function private.notes_for_analysis(target uuid, moment timestamptz)
  returns table (title text, content text, mood text, written_at timestamptz, changed_until timestamptz)
  language sql stable security definer rows 50
  set search_path = ''
  as $$
    select n.title, left(c.content, 2000), coalesce(n.mood, c.found_mood), n.created_at, n.changed_until
    from (
      -- The newest change among all of them, not only among the fifty: it is what a later change is told from.
      select e.id, e.title, e.mood, e.created_at, max(e.updated_at) over () as changed_until
      from nectar.journal_entries e
      where e.user_id = target and e.created_at > private.notes_since(moment)
        and exists (select from nectar.accounts a where a.user_id = target and a.read_notes_enabled)
        and exists (select from nectar.profiles p where p.id = target and not p.is_ai)
      order by e.created_at desc, e.id desc
      limit 50
    ) n
    join nectar.journal_entry_contents c on c.entry_id = n.id
    order by n.created_at desc, n.id desc
  $$;
comment on function private.notes_for_analysis(uuid, timestamptz) is
  'The fifty newest recent notes of a person who lets the assistant read them, their beginnings, newest first; nothing of anybody else. Definer: the service cannot read entries.';

create function private.store_note_analysis(
  target uuid, moment timestamptz, analysis jsonb, entries integer, changed_until timestamptz
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
  -- Locked as well: whoever has their analyses forgotten meanwhile takes the claim away, or finds what is stored here. A claim
  -- that came after that stands for newer notes than these.
  perform from private.assistant_turns t
    where t.user_id = target and t.job = 'note_analysis' and t.claimed_until is not null
      and (t.notes_until is null or changed_until > t.notes_until)
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
    set attempts = 0, claimed_until = null, finished_at = moment, notes_until = changed_until
    where user_id = target and job = 'note_analysis';
  return stored;
end
$$;
comment on function private.store_note_analysis(uuid, timestamptz, jsonb, integer, timestamptz) is
  'Stores what a model made of a person''s notes, one row for the UTC day, and ends the turn. Null when the person does not let their notes be read any more, or the turn was called off. Definer: nobody writes analyses by hand.';

create function private.call_off_note_analysis() returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    update private.assistant_turns set claimed_until = null, finished_at = now(), notes_until = now()
    where user_id = private.actor_id() and job = 'note_analysis' and claimed_until is not null
  $$;
comment on function private.call_off_note_analysis() is
  'Ends the caller''s turn of the analysis if somebody works on it or is to try it again, so that nothing comes of what was read until now. Definer: nobody writes turns by hand.';

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
    set claimed_until = null, finished_at = moment
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
  private.release_assistant_turn(uuid, nectar.assistant_job, timestamptz, boolean),
  private.notes_for_analysis(uuid, timestamptz),
  private.store_note_analysis(uuid, timestamptz, jsonb, integer, timestamptz),
  private.analysis_for_message(uuid),
  private.give_assistant_drop(uuid, timestamptz, text, text) to nectar_service;
grant execute on function private.call_off_note_analysis() to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.note_analyses is 'What a model made of a person''s recent notes, one row for a UTC day. Seen by that person alone.';
comment on column nectar.note_analyses.entry_count is 'How many notes were read for it.';
comment on table private.assistant_turns is 'How far each job of the assistant got with a person on the latest day on which it was their turn.';
comment on column private.assistant_turns.day is 'By the UTC calendar.';
comment on column private.assistant_turns.attempts is 'Attempts of that day since the last success, counted when they begin.';
comment on column private.assistant_turns.claimed_until is 'While somebody works on it, when the claim runs out; after a failure, when it may be claimed again.';
comment on column private.assistant_turns.notes_until is 'The newest change among the notes that were read; a newer one makes another analysis due.';
