-- Why: An author can keep an entry from models. Models only get what private.notes shows or what an endpoint has checked;
-- this removes what they found before.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.delete_findings() returns trigger
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  update nectar.journal_entry_contents c set found_mood = null where c.entry_id = new.id and c.found_mood is not null;
  delete from nectar.note_analyses n
    where n.user_id = new.user_id
      and n.id = any (array(
        select s.analysis_id from nectar.note_analysis_sources s where s.user_id = new.user_id and s.entry_id = new.id
      ));
  return null;
end
$$;
comment on function private.delete_findings() is
  'Trigger: removes the mood that a model found in an entry, and every analysis that read the entry.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger journal_entries__delete_findings
  after update of ai_excluded on nectar.journal_entries
  for each row when (new.ai_excluded and not old.ai_excluded)
  execute function private.delete_findings();
