import { idOf, moment, type Past } from "./past.ts";

/** Robin was warned for a public entry, which Hana had reported, and has appealed. The admin has not decided about it yet. */
export async function writeAppeal(past: Past): Promise<void> {
  await past.client.query(
    `with entry as (
       select e.id, e.user_id, e.title
       from nectar.journal_entries e
       where e.user_id = $1 and e.metadata_audience_id = private.public_audience()
       order by e.created_at desc
       limit 1
     ),
     decision as (
       insert into nectar.moderation_decisions
         (owner_id, target_type, target_id, decision, reason, excerpt, decided_by, decided_at)
       select e.user_id, 'entry', e.id, 'warn', 'Please ask people before you write about them in public.', e.title, $2, $5
       from entry e
       returning *
     ),
     appeal as (
       insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
       select d.id, d.owner_id, 'I had asked everyone, and all of them had agreed to be named.', $6 from decision d
     ),
     notification as (
       insert into nectar.notifications (user_id, type, data, created_at)
       select d.owner_id, 'moderation', jsonb_build_object(
           'decision_id', d.id, 'target_type', d.target_type, 'target_id', d.target_id, 'decision', d.decision
         ), d.decided_at
       from decision d
     )
     insert into nectar.reports
       (reporter_id, owner_id, target_type, target_id, reason, details, excerpt, status, decision_id, created_at, decided_at)
     select $3, d.owner_id, d.target_type, d.target_id, 'harassment', 'It names people without asking.', d.excerpt,
       'actioned', d.id, $4, d.decided_at
     from decision d`,
    [
      idOf(past, "demo"),
      idOf(past, "admin"),
      idOf(past, "hana"),
      moment(past, 4, "18:20"),
      moment(past, 3, "09:10"),
      moment(past, 2, "20:45"),
    ],
  );
}
