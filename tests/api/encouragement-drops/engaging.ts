import { randomUUID } from "node:crypto";
import { utcDate } from "#core/time/calendar-date";
import type { TestApi } from "#tests/api";

export const SECRET = "a-secret-of-the-engagement-job";

export const ENTRY_KINDS = ["journal", "satisfaction", "action_note", "sleep"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const HOUR_MS = 3_600_000;

const WELLNESS = {
  satisfaction:
    "insert into nectar.wellness_entries (user_id, type, rating, created_at) values ($1, 'satisfaction', 7, $2)",
  action_note:
    "insert into nectar.wellness_entries (user_id, type, content, created_at) values ($1, 'action_note', 'x', $2)",
  sleep: "insert into nectar.wellness_entries (user_id, type, hours, created_at) values ($1, 'sleep', 8, $2)",
  journal: "insert into nectar.journal_entries (user_id, title, created_at) values ($1, 'x', $2)",
} as const;

export function sceneOf(api: TestApi) {
  return {
    /** Inserts a drop as sending it at that moment does. Returns its id. */
    async dropAt(
      sender: string,
      recipient: string,
      at: Date,
      { windowMs = 24 * HOUR_MS, state = "open" } = {},
    ): Promise<string> {
      const id = randomUUID();
      await api.query(
        `insert into nectar.encouragement_drops
           (id, sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
         values ($1, $2, $3, 'Well done', true, ($4::timestamptz at time zone 'UTC')::date, $4, $5, $6)`,
        [id, sender, recipient, at.toISOString(), new Date(at.getTime() + windowMs).toISOString(), state],
      );
      return id;
    },
    async entryAt(author: string, at: Date, kind: EntryKind = "journal"): Promise<void> {
      await api.query(WELLNESS[kind], [author, at.toISOString()]);
    },
    async drop(id: string) {
      const [row] = await api.query`select engagement, engaged_at is not null as has_time, bonus_drops_awarded
        from nectar.encouragement_drops where id = ${id}`;
      return row;
    },
    async earnedToday(person: string): Promise<number> {
      const [row] = await api.query`select coalesce(sum(bonus_earned), 0)::int as earned
        from nectar.encouragement_allowances
        where user_id = ${person} and date = ${utcDate(api.services.clock.now())}`;
      return Number(row?.earned);
    },
    run: () =>
      api.send("POST", "/api/encouragement-drops/cron/process-engagement", { headers: { "x-cron-secret": SECRET } }),
  };
}
