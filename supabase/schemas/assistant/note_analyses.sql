-- Why: What a model found in a person's recent notes, one analysis per UTC day, and which notes it read: an analysis is
-- deleted when its author keeps one of these notes from models.

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
comment on table nectar.note_analyses is 'What a model found in a person''s recent notes, one row per UTC day. Only that person sees it.';
comment on column nectar.note_analyses.entry_count is 'How many notes were read for it.';

create table nectar.note_analysis_sources (
  analysis_id uuid not null references nectar.note_analyses (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  entry_id uuid not null,
  primary key (analysis_id, entry_id)
);
comment on table nectar.note_analysis_sources is 'Which notes the model read for an analysis.';
comment on column nectar.note_analysis_sources.entry_id is 'No foreign key, so that the row stays while the entry is in the trash, from where it may return.';

create index note_analysis_sources_of_entry on nectar.note_analysis_sources (user_id, entry_id);

-- Stores an analysis of a person's notes, one per UTC day, with the notes that it read and their state, and ends the
-- turn. The result is null if the person does not let the assistant read notes any more, if one of the notes was
-- deleted or excluded meanwhile, or if the claim has ended. Security definer: no role may write analyses directly.
create function private.store_note_analysis(
  p_user_id uuid, p_claim uuid, p_moment timestamptz, p_analysis jsonb, p_entry_ids uuid[], p_state private.notes_state
) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_analysis_id uuid;
  v_readable integer;
begin
  perform private.lock_profile(p_user_id);
  -- Locked, so that the permission is not withdrawn before this transaction ends.
  perform from nectar.accounts a where a.user_id = p_user_id and a.read_notes_enabled for share;
  if not found then return null; end if;
  -- Locked as well: deleting the analyses meanwhile either ends the claim first, or deletes what is stored here.
  perform from private.assistant_turns t
    where t.user_id = p_user_id and t.job = 'note_analysis' and t.claim = p_claim for update;
  if not found then return null; end if;
  -- Locked as well: excluding one of them waits for this transaction, and then deletes what is stored here.
  perform from nectar.journal_entries e
    where e.id = any (p_entry_ids) and e.user_id = p_user_id and not e.ai_excluded order by e.id for share;
  get diagnostics v_readable = row_count;
  if v_readable < cardinality(p_entry_ids) then return null; end if;
  insert into nectar.note_analyses as n (
    user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count
  )
  values (
    p_user_id, (p_moment at time zone 'UTC')::date, p_analysis ->> 'summary', p_analysis -> 'mood_trends', p_analysis -> 'topics',
    p_analysis -> 'patterns', p_analysis ->> 'recommendations', p_analysis -> 'insights', cardinality(p_entry_ids)
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
  returning n.id into v_analysis_id;
  delete from nectar.note_analysis_sources s where s.analysis_id = v_analysis_id;
  insert into nectar.note_analysis_sources (analysis_id, user_id, entry_id)
  select v_analysis_id, p_user_id, e.id from unnest(p_entry_ids) e (id);
  update private.assistant_turns
    set attempts = 0, claim = null, claimed_until = null, finished_at = p_moment, analyses = analyses + 1,
      notes_since = (p_state).since, notes_version = (p_state).version, notes_fingerprint = (p_state).fingerprint
    where user_id = p_user_id and job = 'note_analysis';
  return v_analysis_id;
end $$;
grant execute on function
  private.store_note_analysis(uuid, uuid, timestamptz, jsonb, uuid[], private.notes_state)
  to nectar_service;

-- Ends the caller's turn of the analysis if it is claimed or waits for another attempt, so that the current notes are
-- not analyzed. Security definer: no role may write turns directly.
create function private.cancel_note_analysis() returns void
  language sql volatile security definer set search_path = '' as $$
    update private.assistant_turns t
    set claim = null, claimed_until = null, finished_at = now(),
      (notes_since, notes_version, notes_fingerprint) = (
        select s.since, s.version, s.fingerprint from private.notes_state(t.user_id, private.notes_since(now())) s
      )
    where t.user_id = private.actor_id() and t.job = 'note_analysis' and t.claimed_until is not null
  $$;
grant execute on function private.cancel_note_analysis() to nectar_user;

-- Returns the latest analysis of a person who lets the assistant read their notes and send drops; no row if there is
-- none. Security definer: the service cannot read analyses.
create function private.analysis_for_message(p_user_id uuid) returns table (id uuid, analysis jsonb)
  language sql stable security definer rows 1 set search_path = '' as $$
    select n.id, jsonb_build_object(
      'summary', n.summary, 'mood_trends', n.mood_trends, 'topics', n.topics, 'patterns', n.patterns,
      'recommendations', n.recommendations, 'insights', n.insights
    )
    from nectar.note_analyses n
    join nectar.accounts a on a.user_id = n.user_id
    where n.user_id = p_user_id and private.lets_assistant_serve(a, 'daily_drop') order by n.analysis_date desc limit 1
  $$;
grant execute on function private.analysis_for_message(uuid) to nectar_service;

alter table nectar.note_analyses enable row level security;
alter table nectar.note_analysis_sources enable row level security;

create policy "a person sees their own analyses" on nectar.note_analyses
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own analyses" on nectar.note_analyses
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sees what their analyses read" on nectar.note_analysis_sources
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select, delete on nectar.note_analyses to nectar_user;
grant select on nectar.note_analysis_sources to nectar_user;
