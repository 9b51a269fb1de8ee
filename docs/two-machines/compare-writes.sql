-- How many writes of the table `acknowledged` (kind, id) have no row, and how many had their effect more than once. The
-- columns after `lost` name the Idempotency-Key of a kind: no two rows have the same.
select
  (select count(*) from acknowledged a where not exists (
     select from nectar.journal_entries where id = a.id union all
     select from nectar.encouragement_drops where id = a.id union all
     select from nectar.tone_pack_purchases where id = a.id))::int as lost,
  (select count(*) - count(distinct id) from acknowledged)::int
    + (select count(*) from (select from nectar.journal_entries group by title having count(*) > 1) e)::int
    + (select count(*) from (select from nectar.encouragement_drops group by content having count(*) > 1) d)::int
    + (select count(*) from (select from nectar.tone_pack_purchases group by user_id, pack_id having count(*) > 1) p)::int
    as doubled;
