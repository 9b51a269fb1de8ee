import { textCostUsd } from "@nectar/core/pricing";
import type pg from "pg";
import { analyses, assistantDrops, assistantFriends } from "./assistant.ts";
import { idOf, moment, type Past, readPast } from "./past.ts";
import { timeOfDay } from "./stable.ts";

const textModel = "gpt-4o-mini";

/**
 * Writes what the assistant did for the people in demo_people, through the functions by which its jobs write it. Its jobs
 * of today find everything to do.
 */
export async function writeAssistant(client: pg.Client): Promise<void> {
  const past = await readPast(client);
  for (const [person, { mayWrite }] of Object.entries(assistantFriends)) {
    await client.query(
      "update nectar.accounts set read_notes_enabled = true, check_in_enabled = $2 where user_id = $1",
      [idOf(past, person), mayWrite],
    );
  }
  for (const { person, daysAgo, ...analysis } of analyses) {
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
         (select count(*)::int from nectar.journal_entries e
          where e.user_id = $1 and e.created_at > private.notes_since($2::timestamptz) and e.created_at <= $2::timestamptz),
         null
       ) as id`,
      [idOf(past, person), at, JSON.stringify(analysis)],
    );
    await client.query("update nectar.note_analyses set created_at = $2, updated_at = $2 where id = $1", [
      rows[0]?.id,
      at,
    ]);
    await recordUsage(past, {
      person,
      type: "note_analysis",
      id: rows[0]?.id,
      at,
      inputTokens: 610,
      outputTokens: 240,
    });
  }
  for (const { person, daysAgo, words } of assistantDrops) {
    const at = moment(past, daysAgo, timeOfDay("09:00", `assistant ${person} ${daysAgo}`, 30));
    const { rows } = await client.query<{ id: string }>(
      "select private.send_assistant_drop($1, $2::timestamptz, $3, 'A drop from Nectar') as id",
      [idOf(past, person), at, words],
    );
    await recordUsage(past, {
      person,
      type: "assistant_drop",
      reference: "encouragement_drop",
      id: rows[0]?.id,
      at,
      inputTokens: 430,
      outputTokens: 40,
    });
  }
  await client.query(
    `update nectar.encouragement_drops set read_at = created_at + interval '4 hours'
     where sender_id = private.system_user_id() and created_at < date_trunc('day', now(), 'UTC') - interval '1 day'`,
  );
}

interface Use {
  person: string;
  type: "note_analysis" | "assistant_drop";
  /** The kind of thing that came out of it; the same as the use when left out. */
  reference?: string;
  id: string | undefined;
  at: string;
  inputTokens: number;
  outputTokens: number;
}

async function recordUsage(past: Past, { person, type, reference = type, id, at, inputTokens, outputTokens }: Use) {
  await past.client.query(
    `insert into nectar.token_usage
       (user_id, usage_type, model, input_tokens, output_tokens, cost_usd, reference_type, reference_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      idOf(past, person),
      type,
      textModel,
      inputTokens,
      outputTokens,
      textCostUsd(inputTokens, outputTokens),
      reference,
      id,
      at,
    ],
  );
}
