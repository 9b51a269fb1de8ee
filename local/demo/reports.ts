import { idOf, moment, type Past } from "./past.ts";

/** Robin and Hana have reported an entry of Viktor, which the admin has not decided about yet. */
export async function writeReports(past: Past): Promise<void> {
  await past.client.query(
    `insert into nectar.reports
       (reporter_id, owner_id, target_type, target_id, reason, details, excerpt, created_at)
     select r.reporter_id, e.user_id, 'entry', e.id, r.reason, r.details,
       left(concat_ws(E'\\n', e.title, c.content), 500), r.created_at
     from (values
       ($2::uuid, 'spam'::nectar.report_reason, 'He sells his powders in every entry.', $4::timestamptz),
       ($3, 'illegal', null, $5)
     ) r (reporter_id, reason, details, created_at)
     cross join (
       select * from nectar.journal_entries e
       where e.user_id = $1 and e.metadata_audience_id = private.public_audience()
       order by e.created_at desc
       limit 1
     ) e
     join nectar.journal_entry_contents c on c.entry_id = e.id`,
    [idOf(past, "viktor"), idOf(past, "demo"), idOf(past, "hana"), moment(past, 1, "07:50"), moment(past, 1, "19:15")],
  );
}
