import { APPEALS } from "./scenes-of-appeals.ts";
import { listsOfCards } from "./scenes-of-cards.ts";
import { DROPS } from "./scenes-of-drops.ts";
import { GAME } from "./scenes-of-game.ts";
import { GOALS } from "./scenes-of-goals.ts";
import { GROUPS } from "./scenes-of-groups.ts";
import { JOURNAL } from "./scenes-of-journal.ts";
import { TONE_PACKS } from "./scenes-of-tone-packs.ts";
import { type BuildScenes, EARLIER, longest, type Row, type Stage } from "./stage.ts";

/** A scene for every list of the reference that has pages, by its path. */
export const PAGED: Readonly<Record<string, BuildScenes>> = {
  ...listsOfCards(),
  ...APPEALS,
  ...DROPS,
  ...GAME,
  ...GOALS,
  ...GROUPS,
  ...JOURNAL,
  ...TONE_PACKS,
  "/api/user/exports": async (stage) => {
    const as = await stage.api.person();
    const keys = await stage.quietly<{ id: string }>(
      `insert into nectar.exports (user_id, status, ready_at, expires_at, size_bytes, sha256, created_at)
       select $1, 'expired', now(), now(), 1e12, repeat('0', 64), now() - n / 2 * interval '1 second'
       from generate_series(1, 505) n returning id`,
      [as.id],
    );
    return [{ path: "/api/user/exports", as, keys: keys.map(({ id }) => id) }];
  },
  "/api/ai/backgrounds": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ id: string }>(
      `insert into nectar.entry_backgrounds (user_id, quality, created_at)
       select $1, 'standard', now() - n * interval '1 second' from generate_series(1, 505) n returning id`,
      [as.id],
    );
    return [{ path: "/api/ai/backgrounds", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/drops/transactions": async (stage) => {
    const [as, boss] = [await stage.api.person(), await stage.api.person({ role: "super_admin" })];
    await stage.api.post("/api/admin/drops/adjust", boss, { user_id: as.id, amount: 1, description: longest(255) });
    const path = "/api/drops/transactions?type=admin_adjustment";
    const { id } = (await stage.api.get(path, as)).body.transactions[0];
    const changes = { ...EARLIER, event_key: "r.event_key || n" };
    return [await stage.copied({ path, as }, "nectar.drop_transactions", id, changes)];
  },
  "/api/admin/conversion/rates": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.make("/api/admin/conversion/rates", "rate", as, { rate: 9_999_999_999.5 });
    const [newest] = await stage.quietly<{ id: string }>(
      "select id from nectar.conversion_rates order by effective_date desc limit 1",
    );
    const changes = { ...EARLIER, effective_date: "r.effective_date - n * interval '1 second'" };
    await stage.copy("nectar.conversion_rates", { id: newest?.id }, 505, changes);
    return [{ path: "/api/admin/conversion/rates", as, keys: await stage.keysOf("nectar.conversion_rates") }];
  },
  "/api/admin/audit": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.make("/api/admin/conversion/rates", "rate", as, { rate: 1 });
    const [row] = await stage.quietly<{ id: string }>("select id from nectar.audit_events where actor_id = $1", [
      as.id,
    ]);
    await stage.copy("nectar.audit_events", { id: row?.id }, 505, EARLIER);
    return [{ path: "/api/admin/audit", as, keys: await stage.keysOf("nectar.audit_events") }];
  },
  "/api/admin/users": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.people(505);
    const people = await stage.keysOf("nectar.profiles");
    return [{ path: "/api/admin/users", as, keys: people.filter((id) => id !== SYSTEM_USER) }];
  },
  "/api/user/access-log": async (stage) => {
    const [as, reader] = [await stage.api.person(), await stage.api.person({ role: "super_admin" })];
    const { id } = await stage.make("/api/journal", "entry", as, { title: "Mine", content: "Mine" });
    await stage.api.get(`/api/journal/${id}`, reader).ok();
    const [row] = await stage.quietly<{ id: string }>("select id from private.logged_reads where user_id = $1", [
      as.id,
    ]);
    const changes = { ...EARLIER, reader_id: "gen_random_uuid()" };
    const copies = await stage.copy("private.logged_reads", { id: row?.id }, 505, changes);
    const readers = await stage.quietly<{ id: string }>(
      "select reader_id as id from private.logged_reads where id = any ($1)",
      [[row?.id, ...copies]],
    );
    const keyOf = ({ by }: Row) => (typeof by === "object" && by !== null && "id" in by ? by.id : null);
    return [{ path: "/api/user/access-log", as, keys: readers.map(({ id: reader_id }) => reader_id), keyOf }];
  },
  "/api/user/ai-use": async (stage) => {
    const as = await stage.api.person();
    const [row] = await stage.quietly<{ id: string }>(
      `insert into nectar.token_usage (user_id, usage_type, model, cost_usd) values ($1, 'note_analysis', $2, 0) returning id`,
      [as.id, longest(190)],
    );
    const changes = { ...EARLIER, model: "r.model || n" };
    const copies = await stage.copy("nectar.token_usage", { id: row?.id }, 505, changes, "model");
    return [{ path: "/api/user/ai-use", as, keys: [longest(190), ...copies], keyOf: (use) => use.model }];
  },
  "/api/chat/analysis/sources": async (stage) => {
    const as = await stage.api.person();
    const keys = await stage.quietly<{ id: string }>(
      `with analysis as (
         insert into nectar.note_analyses
           (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count)
         values ($1, '2026-01-01', 'S', '{}', '[]', '[]', 'R', '{}', 505) returning id
       ), entries as (
         insert into nectar.journal_entries
           (user_id, title, metadata_audience_id, content_audience_id, created_at)
         select $1, $2, $1, $1, now() - n / 2 * interval '1 second' from generate_series(1, 505) n returning id
       )
       insert into nectar.note_analysis_sources (analysis_id, user_id, entry_id)
       select a.id, $1, e.id from analysis a cross join entries e returning entry_id as id`,
      [as.id, longest(255)],
    );
    return [{ path: "/api/chat/analysis/sources", as, keys: keys.map(({ id }) => id) }];
  },
  "/api/notifications": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly("select private.notify($1, 'badge_earned', jsonb_build_object('badge_name', $2::text))", [
      as.id,
      longest(160),
    ]);
    const { id } = (await stage.api.get("/api/notifications", as)).body.notifications[0];
    return [await stage.copied({ path: "/api/notifications", as }, "nectar.notifications", id)];
  },
  "/api/blocks": async (stage) => {
    const as = await stage.api.person();
    const keys = await stage.people(505);
    await stage.quietly(
      `insert into nectar.blocks (user_id, blocked_id, created_at)
       select $1, p, now() - n / 2 * interval '1 second' from unnest($2::uuid[]) with ordinality b (p, n)`,
      [as.id, keys],
    );
    return [{ path: "/api/blocks", as, keys, keyOf: (row) => row.user_id }];
  },
  "/api/reports": async (stage) => {
    const { as, id } = await longReport(stage, "tone_pack");
    return [await stage.copied({ path: "/api/reports", as }, "nectar.reports", id, ABOUT_OTHERS)];
  },
  "/api/admin/reports": async (stage) => {
    const { id } = await longReport(stage, "notebook");
    const as = await stage.api.person({ role: "admin" });
    return [
      await stage.copied({ path: "/api/admin/reports?target_type=notebook", as }, "nectar.reports", id, ABOUT_OTHERS),
    ];
  },
  "/api/email/messages": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ id: string }>(
      `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
       select $1, repeat('a', 242) || '@nectar.test', $2, 'sent', now() - n / 2 * interval '1 second', now()
       from generate_series(1, 505) n returning id`,
      [as.id, longest(255)],
    );
    return [{ path: "/api/email/messages", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/admin/emails/received": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    // The first ones are as large as mail can be, up to a page each; the rest makes more pages by its number.
    const rows = await stage.quietly<{ id: string }>(
      `insert into private.email_received
         (event_id, is_verified, sender, recipients, subject, body_text, body_html, created_at)
       select n::text, true, line, array_fill($2::text, array[recipients]), line, text, text,
         now() - n / 2 * interval '1 second'
       from generate_series(1, 505) n
       join (values (true, $1, 50, $3), (false, 'short', 1, 'short')) mail (is_large, line, recipients, text)
         on is_large = (n <= 4)
       returning id`,
      [longest(1_000), `${"a".repeat(242)}@nectar.test`, longest(262_144)],
    );
    return [{ path: "/api/admin/emails/received", as, keys: rows.map(({ id }) => id) }];
  },
};

const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";

/** Copies of a report are about other things. */
const ABOUT_OTHERS = { ...EARLIER, target_id: "gen_random_uuid()" };

/** A report of a notebook or tone pack with the longest texts, by a user with the largest card. */
async function longReport(stage: Stage, target_type: "notebook" | "tone_pack") {
  const [as, owner] = [await stage.api.person(), await stage.api.person()];
  await stage.enlarge(as.id, owner.id);
  const texts = { name: longest(100), description: longest(1_000) };
  const { id: target_id } =
    target_type === "notebook"
      ? await stage.make("/api/notebooks", "notebook", owner, { ...texts, metadata_visibility: "public" })
      : await stage.make("/api/tone-packs", "tone_pack", owner, { ...texts, theme: "watercolor", is_public: true });
  const body = { target_type, target_id, reason: "impersonation", details: longest(2_000) };
  const { id } = await stage.make("/api/reports", "report", as, body);
  return { as, id };
}
