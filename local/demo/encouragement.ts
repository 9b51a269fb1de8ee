import type pg from "pg";
import { type DemoDrop, encouragement } from "./data.ts";
import { goalId } from "./goals.ts";
import { entryId } from "./journal.ts";
import { actAs, idOf, moment, type Past } from "./past.ts";
import { timeOfDay } from "./rows.ts";

/** After every time in the data, so that a day's drops are processed at the end of the next day, as by the job. */
const END_OF_DAY = "23:50";

/**
 * Writes the encouragement drops with allowances, bonus and badges, day by day with the SQL functions of the API and its
 * job. Drops that are too long ago for rows are only added to the counts of badges. The drops of the last day stay open, and
 * what they earn is left to the job.
 */
export async function writeEncouragement(past: Past): Promise<void> {
  await writeSendingPast(past);
  const { client } = past;
  const days = encouragement.drops.map(({ daysAgo }) => daysAgo);
  for (let daysAgo = Math.max(...days); daysAgo >= Math.min(...days); daysAgo -= 1) {
    // Before the day's own drops are written: their time is not over at its end.
    await client.query("select private.process_engagement($1::timestamptz, null, null, 1000)", [
      moment(past, daysAgo, END_OF_DAY),
    ]);
    const today = encouragement.drops.filter((drop) => drop.daysAgo === daysAgo);
    for (const drop of today.toSorted((one, other) => one.at.localeCompare(other.at))) await send(past, drop);
  }
  await actAs(past, null);
}

async function writeSendingPast(past: Past): Promise<void> {
  await past.client.query(
    `update nectar.badge_milestones m set achieved_at = p.joined_at from demo_people p where m.user_id = p.id`,
  );
  for (const { person, daysAgo, sent, engaged, runDays } of encouragement.past) {
    const at = moment(past, daysAgo, "20:30");
    await past.client.query(
      `select from nectar.encouragement_config c
       cross join lateral private.advance_badges(
         jsonb_build_array(jsonb_build_object(
           'user_id', $1::uuid, 'sent', $2::int, 'engaged', $3::int, 'bonus', $3 * c.bonus_drops_per_engagement,
           'run_days', $4::int, 'last_sent_on', ($5::timestamptz at time zone 'UTC')::date
         )),
         $5
       )`,
      [idOf(past, person), sent, engaged, runDays, at],
    );
  }
}

async function send(past: Past, drop: DemoDrop): Promise<void> {
  await actAs(past, drop.from);
  const { rows } = await past.client.query<{ id: string }>(
    `select (s.drop).id
     from private.send_encouragement_drop(
       $1::jsonb || jsonb_build_object(
         'template_id', (select t.id from nectar.drop_templates t where t.title = $2)
       ),
       $3
     ) s`,
    [
      JSON.stringify({
        recipient_id: idOf(past, drop.to),
        type: drop.media === undefined ? null : "media",
        content: drop.text,
        media_type: drop.media?.service,
        media_url: drop.media?.url,
        entry_id: drop.about === undefined ? null : entryId(drop.about.person, drop.about.title),
        goal_id: drop.aboutGoal === undefined ? null : goalId(drop.aboutGoal.person, drop.aboutGoal.title),
      }),
      drop.template ?? null,
      moment(past, drop.daysAgo, timeOfDay(drop.at, `${drop.from} ${drop.to}`)),
    ],
  );
  if (drop.isRead ?? drop.daysAgo > 1) {
    await past.client.query(
      "update nectar.encouragement_drops set read_at = created_at + interval '50 minutes' where id = $1",
      [rows[0]?.id],
    );
  }
}

/** Backdates the notifications of drops and badges; those before the last two days are read. */
export async function dateNotifications(client: pg.Client): Promise<void> {
  await client.query(
    `update nectar.notifications n set created_at = d.created_at, read_at = d.read_at
     from nectar.encouragement_drops d
     where n.type in ('drop_received', 'assistant_drop') and d.id = (n.data ->> 'drop_id')::uuid`,
  );
  await client.query(
    `update nectar.notifications n
     set created_at = m.achieved_at,
       read_at = case
         when m.achieved_at < date_trunc('day', now(), 'UTC') - interval '2 days' then m.achieved_at + interval '3 hours'
       end
     from nectar.badge_milestones m
     where n.type = 'badge_earned' and m.user_id = n.user_id and m.level = (n.data ->> 'level')::int`,
  );
}
