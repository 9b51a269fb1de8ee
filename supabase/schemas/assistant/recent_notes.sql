-- Why: What the assistant reads of a person's notes, and whether they have changed since. The jobs read notes only
-- through functions that check the person's permission themselves, and these only through the view of notes.

-- The state of a person's recent notes when they were read, to see later whether they have changed.
create type private.notes_state as (since timestamptz(3), version numeric, fingerprint bytea);

create view private.notes with (security_invoker = true) as
select e.id, e.user_id, e.title, e.mood, e.created_at, e.updated_at from nectar.journal_entries e
where not e.ai_excluded;
comment on view private.notes is 'The entries that the assistant may read. No role may select from it.';

-- Returns the time after which notes are recent: a week before a moment, whatever the clocks do.
create function private.notes_since(p_moment timestamptz) returns timestamptz
  language sql immutable parallel safe security invoker
  return p_moment - interval '168 hours';

-- Returns the fifty newest notes of a person after a moment, with the beginning of each: what an analysis reads. No
-- role may call it.
create function private.newest_notes(p_user_id uuid, p_since timestamptz)
  returns table (id uuid, title text, content text, mood text, written_at timestamptz)
  language sql stable security invoker rows 50 set search_path = '' as $$
    select n.id, n.title, left(c.content, 2000), n.mood, n.created_at
    from (
      select e.id, e.title, e.mood, e.created_at from private.notes e
      where e.user_id = p_user_id and e.created_at > p_since order by e.created_at desc, e.id desc limit 50
    ) n
    join nectar.journal_entry_contents c on c.entry_id = n.id
    order by n.created_at desc, n.id desc
  $$;

-- Returns a number that changes when a person adds, deletes, excludes or saves a note created after a moment. It also
-- changes if saving changes nothing. It reads no texts. No role may call it.
create function private.notes_version(p_user_id uuid, p_since timestamptz) returns numeric
  language sql stable security invoker set search_path = '' as $$
    select coalesce(sum(extract(epoch from e.updated_at)), 0) from private.notes e
    where e.user_id = p_user_id and e.created_at > p_since
  $$;

-- Returns the SHA-256 of what an analysis reads of a person's notes: their ids, titles and contents; not their moods
-- and tags. No role may call it.
create function private.notes_fingerprint(p_user_id uuid, p_since timestamptz) returns bytea
  language sql stable security invoker set search_path = '' as $$
    select sha256(convert_to(
      coalesce(jsonb_agg(jsonb_build_array(n.id, n.title, n.content) order by n.written_at desc, n.id desc), '[]')::text,
      'UTF8'
    ))
    from private.newest_notes(p_user_id, p_since) n
  $$;

-- Returns what a person's notes after a moment are now. No role may call it.
create function private.notes_state(p_user_id uuid, p_since timestamptz) returns private.notes_state
  language sql stable security invoker set search_path = ''
  as $$ select p_since, private.notes_version(p_user_id, p_since), private.notes_fingerprint(p_user_id, p_since) $$;

-- Returns whether there are recent notes, and the notes have changed since the turn's last analysis. It reads texts
-- only if a note was saved or deleted since. No role may call it.
create function private.have_notes_changed(p_turn private.assistant_turns, p_moment timestamptz) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  -- Compared over the notes that were recent at the time, so that a note that has only grown too old is no change.
  if private.notes_version(p_turn.user_id, p_turn.notes_since) is not distinct from p_turn.notes_version then
    return false;
  end if;
  return exists (
      select from private.notes e where e.user_id = p_turn.user_id and e.created_at > private.notes_since(p_moment)
    )
    and private.notes_fingerprint(p_turn.user_id, p_turn.notes_since) is distinct from p_turn.notes_fingerprint;
end $$;

-- Returns the beginnings of the fifty newest recent notes of a person who lets the assistant read them, and the state
-- of all. Security definer: the service cannot read entries.
create function private.notes_for_analysis(p_user_id uuid, p_moment timestamptz)
  returns table (id uuid, title text, content text, mood text, written_at timestamptz, state private.notes_state)
  language sql stable security definer rows 50 set search_path = '' as $$
    select n.id, n.title, n.content, n.mood, n.written_at, s
    from private.notes_state(p_user_id, private.notes_since(p_moment)) s
    cross join private.newest_notes(p_user_id, private.notes_since(p_moment)) n
    where exists (select from nectar.accounts a where a.user_id = p_user_id and private.lets_assistant_serve(a, 'note_analysis'))
      and exists (select from nectar.profiles p where p.id = p_user_id and not p.is_ai)
    order by n.written_at desc, n.id desc
  $$;
grant execute on function private.notes_for_analysis(uuid, timestamptz) to nectar_service;
