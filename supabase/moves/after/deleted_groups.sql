-- Deleted groups whose entries are not all written yet name the authors of these.
update private.unsettled_shares s
set author_ids = array(
  select distinct e.user_id from nectar.journal_entries e where e.team_id = s.group_id or e.org_id = s.group_id
)
where s.user_id is null;
