-- A mood is metadata, and its source says who found it.
alter table nectar.journal_entries add column mood_source nectar.mood_source;
alter table nectar.trashed_entries add column mood_source nectar.mood_source;
-- The entry stays what its author wrote, so that nothing that follows a change runs.
alter table nectar.journal_entries disable trigger user;
update nectar.journal_entries set mood_source = 'user' where mood is not null;
update nectar.journal_entries e set mood = c.found_mood, mood_source = 'ai'
from nectar.journal_entry_contents c where c.entry_id = e.id and e.mood is null and c.found_mood is not null;
alter table nectar.journal_entries enable trigger user;
update nectar.trashed_entries
set
  mood = coalesce(mood, found_mood),
  mood_source = case when mood is null then 'ai'::nectar.mood_source else 'user' end
where num_nonnulls(mood, found_mood) > 0;
