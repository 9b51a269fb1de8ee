import { assistant } from "./data.ts";
import { idOf, moment, type Past } from "./past.ts";
import { insertRows, timeOfDay } from "./rows.ts";
import { textUsage } from "./usage.ts";

/**
 * Writes what the assistant did, with the SQL functions that its jobs use. The jobs of today find everything to do.
 */
export async function writeAssistant(past: Past): Promise<void> {
  const { client } = past;
  for (const [person, user] of Object.entries(assistant.users)) {
    await client.query(
      "update nectar.accounts set read_notes_enabled = true, check_in_enabled = $2 where user_id = $1",
      [idOf(past, person), user.mayWrite],
    );
  }
  for (const { person, daysAgo, ...analysis } of assistant.analyses) {
    const at = moment(past, daysAgo, timeOfDay("02:00", `analysis ${person} ${daysAgo}`, 30));
    await client.query(
      `insert into private.assistant_turns (user_id, job, day, attempts, claim, claimed_until)
       values ($1, 'note_analysis', ($2::timestamptz at time zone 'UTC')::date, 1, $1, $2)
       on conflict (user_id, job) do update set
         day = excluded.day, analyses = 0, claim = excluded.claim, claimed_until = excluded.claimed_until`,
      [idOf(past, person), at],
    );
    const { rows } = await client.query<{ id: string }>(
      `select private.store_note_analysis(
         $1, $1, $2::timestamptz, $3,
         array(
           select n.id from private.notes n
           where n.user_id = $1 and n.created_at > private.notes_since($2::timestamptz) and n.created_at <= $2::timestamptz
         ),
         null
       ) as id`,
      [idOf(past, person), at, JSON.stringify(analysis)],
    );
    await client.query("update nectar.note_analyses set created_at = $2, updated_at = $2 where id = $1", [
      rows[0]?.id,
      at,
    ]);
    await insertRows(client, "nectar.token_usage", rows, ({ id }) => ({
      user_id: idOf(past, person),
      usage_type: "note_analysis",
      reference_type: "note_analysis",
      reference_id: id,
      created_at: at,
      ...textUsage(610, 240),
    }));
  }
  for (const { person, daysAgo, text } of assistant.drops) {
    const at = moment(past, daysAgo, timeOfDay("09:00", `assistant ${person} ${daysAgo}`, 30));
    const { rows } = await client.query<{ id: string }>(
      "select private.send_assistant_drop($1, $2::timestamptz, $3, 'Nectar', null) as id",
      [idOf(past, person), at, text],
    );
    await insertRows(client, "nectar.token_usage", rows, ({ id }) => ({
      user_id: idOf(past, person),
      usage_type: "assistant_drop",
      reference_type: "encouragement_drop",
      reference_id: id,
      created_at: at,
      ...textUsage(430, 40),
    }));
  }
  await client.query(
    `update nectar.encouragement_drops set read_at = created_at + interval '4 hours'
     where sender_id = private.system_user_id() and created_at < date_trunc('day', now(), 'UTC') - interval '1 day'`,
  );
}
