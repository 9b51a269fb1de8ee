import { randomUUID } from "node:crypto";
import { APPEALS } from "./scenes-of-appeals.ts";
import { DROPS } from "./scenes-of-drops.ts";
import { GAME } from "./scenes-of-game.ts";
import { type BuildScenes, EARLIER, type ListScene, LONG_LINK, longest, type Row, type Stage } from "./stage.ts";

const entryFields = ["all", "excerpt", "metadata"] as const;

/** A scene for every list of the reference that has pages, by its path. */
export const PAGED: Readonly<Record<string, BuildScenes>> = {
  ...APPEALS,
  ...DROPS,
  ...GAME,
  "/api/journal": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.flatMap((fields) =>
      ["-created_at", "entry_date"].map((sort) => ({
        ...author,
        path: `/api/journal?fields=${fields}&sort=${sort}&notebook_id=${notebook}`,
      })),
    );
  },
  "/api/notebooks/{id}/entries": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.map((fields) => ({ ...author, path: `/api/notebooks/${notebook}/entries?fields=${fields}` }));
  },
  "/api/journal/trash": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/journal", "entry", as, { title: longest(255), content: "Old" });
    await stage.api.delete(`/api/journal/${id}`, as).ok();
    const changes = { ...EARLIER, deleted_at: "r.deleted_at - (n / 2) * interval '1 second'" };
    return [await stage.copied({ path: "/api/journal/trash", as }, "nectar.trashed_entries", id, changes)];
  },
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
  "/api/notebooks": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/notebooks", "notebook", as, {
      name: longest(100),
      description: longest(1_000),
    });
    return [await stage.copied({ path: "/api/notebooks", as }, "nectar.notebooks", id)];
  },
  "/api/organizations": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const scene = await stage.copied({ path: "/api/organizations", as }, "nectar.organizations", id);
    await stage.quietly(
      `insert into nectar.organization_members (org_id, user_id)
       select o, $2 from unnest($1::uuid[]) o on conflict do nothing`,
      [scene.keys, as.id],
    );
    return [scene];
  },
  "/api/organizations/{id}/members": async (stage) => {
    const { as, orgId, members } = await largeTeam(stage);
    return [{ path: `/api/organizations/${orgId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/users": async (stage) => {
    const { as, orgId, members } = await largeTeam(stage);
    await stage.quietly(
      `insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
       select m.org_id, m.user_id, 1, p.full_name, 'ada' from nectar.organization_members m
       join nectar.profiles p on p.id = m.user_id where m.org_id = $1 on conflict do nothing`,
      [orgId],
    );
    const keys = members.filter((id) => id !== as.id);
    return [`org_id=${orgId}`, "q=ada"].map((query) => ({ path: `/api/users?${query}`, as, keys }));
  },
  "/api/organizations/{id}/invitations": async (stage) => {
    const { owner, path, id } = await largeInvitation(stage);
    return [await stage.copied({ path, as: owner }, "nectar.invitations", id, ANOTHER_TOKEN)];
  },
  "/api/teams": async (stage) => {
    const as = await stage.api.person();
    const organization = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const { id } = await stage.make("/api/teams", "team", as, { ...LARGE_GROUP, org_id: organization.id });
    const scene = await stage.copied({ path: "/api/teams", as }, "nectar.teams", id);
    return [scene, { ...scene, path: `/api/teams?org_id=${organization.id}` }];
  },
  "/api/teams/{id}/members": async (stage) => {
    const { as, teamId, members } = await largeTeam(stage);
    return [{ path: `/api/teams/${teamId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/teams/{id}/messages": async (stage) => {
    const { as, teamId } = await largeTeam(stage);
    const path = `/api/teams/${teamId}/messages`;
    const { id } = await stage.make(path, "team_message", as, { content: longest(2_000) });
    return [await stage.copied({ path, as }, "nectar.team_messages", id)];
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
    const [row] = await stage.quietly<{ id: string }>("select id from private.entry_reads where user_id = $1", [as.id]);
    const changes = { ...EARLIER, reader_id: "gen_random_uuid()" };
    const copies = await stage.copy("private.entry_reads", { id: row?.id }, 505, changes);
    const readers = await stage.quietly<{ id: string }>(
      "select reader_id as id from private.entry_reads where id = any ($1)",
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
  "/api/tone-packs": async (stage) => {
    const [as, owner] = [await stage.api.person(), await stage.api.person()];
    const pack = { name: longest(100), description: longest(1_000), theme: "watercolor" };
    const path = "/api/tone-packs";
    const mine = await stage.make(path, "tone_pack", as, pack);
    const published = await stage.make(path, "tone_pack", owner, { ...pack, is_public: true });
    const [own, shared, others] = [
      await stage.copy("nectar.tone_packs", { id: mine.id }, 80, EARLIER),
      await stage.copy("nectar.tone_packs", { id: published.id }, 120, { ...EARLIER, is_public: "false" }),
      await stage.copy("nectar.tone_packs", { id: published.id }, 80, EARLIER),
    ];
    await drawImages(stage, [mine.id, published.id, ...own, ...shared, ...others], 20);
    await stage.quietly(
      "insert into nectar.tone_pack_shares (pack_id, user_id, owner_id) select p, $2, $3 from unnest($1::uuid[]) p",
      [shared, as.id, owner.id],
    );
    return [{ path, as, keys: [mine.id, published.id, ...own, ...shared, ...others] }];
  },
  "/api/goals": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/goals", "goal", as, { title: longest(200), description: longest(5_000) });
    return [await stage.copied({ path: "/api/goals", as }, "nectar.goals", id)];
  },
  "/api/goals/{id}/check-ins": async (stage) => {
    const { as, goal, checkIn } = await checkedIn(stage);
    return [await stage.copied({ path: `/api/goals/${goal}/check-ins`, as }, "nectar.goal_check_ins", checkIn)];
  },
  "/api/wellness-entries": async (stage) => {
    const as = await stage.api.person();
    const body = { type: "action_note", content: longest(5_000) };
    const { id } = await stage.make("/api/wellness-entries", "wellness_entry", as, body);
    return [await stage.copied({ path: "/api/wellness-entries", as }, "nectar.wellness_entries", id)];
  },
  "/api/notifications": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly("select private.notify($1, 'drop_received', $2, $3, jsonb_build_object('text', $4::text))", [
      as.id,
      longest(200),
      longest(1_000),
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

/** A scene for every list of the reference without pages, which must fit into one response. */
export const WITHOUT_PAGES: Readonly<Record<string, (stage: Stage) => Promise<Pick<ListScene, "path" | "as">>>> = {
  "/api/journal/tags": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly(
      `insert into nectar.journal_entries (user_id, title, tags, metadata_audience_id, content_audience_id)
       select $1, 'T', (select array_agg($2 || lpad((20 * n + t)::text, 6, '0')) from generate_series(1, 20) t), $1, $1
       from generate_series(1, 300) n`,
      [as.id, longest(44)],
    );
    return { path: "/api/journal/tags", as };
  },
  "/api/journal/on-this-day": async (stage) => {
    const { author } = await longEntries(stage);
    await stage.quietly("update nectar.journal_entries set entry_date = '2020-05-05' where user_id = $1", [
      author.as.id,
    ]);
    return { path: "/api/journal/on-this-day?date=2026-05-05", as: author.as };
  },
  "/api/journal/stats": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly(
      `insert into nectar.journal_entries (user_id, title, mood, tags, entry_date, metadata_audience_id, content_audience_id)
       select $1, 'T', $2 || lpad(n::text, 6, '0'), array[$2 || lpad(n::text, 6, '0')], date '2020-01-01' + n % 366, $1, $1
       from generate_series(1, 5000) n`,
      [as.id, longest(44)],
    );
    return { path: "/api/journal/stats?from=2020-01-01&to=2020-12-31", as };
  },
  "/api/invitations": async (stage) => {
    const { as, id } = await largeInvitation(stage);
    await stage.copy("nectar.invitations", { id }, 105, ANOTHER_TOKEN);
    return { path: "/api/invitations", as };
  },
  "/api/goals/{id}": async (stage) => {
    const { as, goal, checkIn } = await checkedIn(stage);
    await stage.copied({ path: `/api/goals/${goal}/check-ins`, as }, "nectar.goal_check_ins", checkIn);
    return { path: `/api/goals/${goal}`, as };
  },
  "/api/tone-packs/{id}": async (stage) => {
    const { as, id } = await illustratedPack(stage);
    return { path: `/api/tone-packs/${id}`, as };
  },
  "/api/tone-packs/active": async (stage) => {
    const { as, id } = await illustratedPack(stage);
    await stage.api.post(`/api/tone-packs/${id}/activate`, as);
    return { path: "/api/tone-packs/active", as };
  },
  "/api/encouragement-drops/leaderboard": async (stage) => {
    const ids = await stage.people(105);
    await stage.quietly("update nectar.user_badges set total_drops_sent = 1 where user_id = any ($1::uuid[])", [ids]);
    return { path: "/api/encouragement-drops/leaderboard?limit=1000", as: await stage.api.person() };
  },
};

/** Responses without pages whose rows are always few. */
export const FEW_ROWS: Readonly<Record<string, string>> = {
  "/health/jobs": "names of scheduled jobs, which are part of the code",
  "/api/admin/jobs": "one for each scheduled job; a run returns short results",
  "/api/admin/drops/reconcile": "at most 100 differences, of an id and two numbers",
  "/api/user/account/erasure": "the organizations that one owns, with nothing but id and name",
  "/api/journal/imports/{id}": "at most 100 problems, each with a path and a sentence",
  "/api/users/{id}": "at most 500 organizations, with nothing but id and name",
  "/api/chat/analysis/sources": "at most fifty, with nothing but id, title and time",
  "/api/moods": "the suggested moods are part of the code",
  "/api/encouragement-drops/badge/milestones": "one for each of the seven levels",
  "/api/encouragement-drops/badge-definitions": "one for each of the seven levels",
  "/api/workout-window/chain/{date}": "the caller and two neighbors",
  "/api/workout-window/squad/{date}": "a squad of three",
  "/api/workout-window/battle/week/{weekStartDate}": "the days of a week",
  "/api/workout-window/my-window": "recent absences only: old ones are deleted",
};

/** Lists of the game with pages and a cursor of their own, whose tests are beside them. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  "/api/workout-window/mosaic/{date}": "tests/api/workout-window/mosaics/mosaic.test.ts",
};

const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";

/** The name, description and settings of an organization or a team, at their maximum size. */
const LARGE_GROUP = {
  name: longest(100),
  description: longest(1_000),
  settings: { text: '"'.repeat(8_000) },
};

/** Entries of an author in one notebook, each with the longest content, title and tags. */
async function longEntries(stage: Stage) {
  const as = await stage.api.person();
  const notebook = await stage.make("/api/notebooks", "notebook", as, { name: "N" });
  const { id } = await stage.make("/api/journal", "entry", as, {
    title: longest(255),
    content: longest(100_000),
    mood: longest(50),
    tags: Array.from({ length: 20 }, (_, n) => longest(48) + String(n + 10)),
    notebook_id: notebook.id,
  });
  const copies = await stage.copy("nectar.journal_entries", { id }, 505, EARLIER);
  // The first ones are longer than a page together; the rest makes more pages by its number.
  await stage.quietly(
    `insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
     select e.id, e.user_id, case when e.n <= 12 then c.content else 'short' end, e.user_id, e.user_id
     from (select *, row_number() over (order by created_at desc) as n from nectar.journal_entries where id = any ($1::uuid[])) e
     cross join (select content from nectar.journal_entry_contents where entry_id = $2) c`,
    [copies, id],
  );
  return { author: { as, keys: [id, ...copies] }, notebook: notebook.id };
}

/** A team and its organization with more members than a page, all with cards of the maximum size. */
async function largeTeam(stage: Stage) {
  const as = await stage.api.person();
  const { id: orgId } = await stage.make("/api/organizations", "organization", as, { name: "O" });
  const { id: teamId } = await stage.make("/api/teams", "team", as, { name: "T", org_id: orgId });
  const people = await stage.people(505);
  const joined = "now() - (row_number() over () / 2) * interval '1 second'";
  await stage.quietly(
    `insert into nectar.organization_members (org_id, user_id, joined_at) select $1, p, ${joined} from unnest($2::uuid[]) p`,
    [orgId, people],
  );
  await stage.quietly(
    `insert into nectar.team_members (org_id, team_id, user_id, joined_at)
     select $1, $2, p, ${joined} from unnest($3::uuid[]) p`,
    [orgId, teamId, people],
  );
  return { as, orgId, teamId, members: [as.id, ...people] };
}

/** What makes the copies of an invitation differ. */
const ANOTHER_TOKEN = { ...EARLIER, token_hash: "sha256((r.id::text || n)::bytea)" };

/** An invitation with the longest names, texts and numbers of teams. */
async function largeInvitation(stage: Stage) {
  const as = await stage.api.person({ email: `${randomUUID()}${"a".repeat(206)}@nectar.test` });
  const owner = await stage.api.person();
  await stage.quietly("update nectar.profiles set full_name = $1, avatar_url = $2 where id = $3", [
    longest(100),
    LONG_LINK,
    owner.id,
  ]);
  const organization = await stage.make("/api/organizations", "organization", owner, LARGE_GROUP);
  const path = `/api/organizations/${organization.id}/invitations`;
  const { id } = await stage.make(path, "invitation", owner, {});
  await stage.quietly(
    `update nectar.invitations set email = $1, email_status = 'sent', team_ids = array_fill(id, array[20]) where id = $2`,
    [as.email, id],
  );
  return { as, owner, path, id };
}

/** A goal with one check-in with the longest notes. */
async function checkedIn(stage: Stage) {
  const as = await stage.api.person();
  const body = { title: longest(200), description: longest(5_000) };
  const { id: goal } = await stage.make("/api/goals", "goal", as, body);
  const path = `/api/goals/${goal}/check-ins`;
  const { id: checkIn } = await stage.make(path, "check_in", as, { status: "partial", notes: longest(2_000) });
  return { as, goal, checkIn };
}

/** Copies of a report are about other things. */
const ABOUT_OTHERS = { ...EARLIER, target_id: "gen_random_uuid()" };

/** A report of a notebook or tone pack with the longest texts, by a user with the largest card. */
async function longReport(stage: Stage, target_type: "notebook" | "tone_pack") {
  const [as, owner] = [await stage.api.person(), await stage.api.person()];
  await stage.quietly("update nectar.profiles set full_name = $1, avatar_url = $2 where id = any ($3)", [
    longest(100),
    LONG_LINK,
    [as.id, owner.id],
  ]);
  const texts = { name: longest(100), description: longest(1_000) };
  const { id: target_id } =
    target_type === "notebook"
      ? await stage.make("/api/notebooks", "notebook", owner, { ...texts, metadata_visibility: "public" })
      : await stage.make("/api/tone-packs", "tone_pack", owner, { ...texts, theme: "watercolor", is_public: true });
  const body = { target_type, target_id, reason: "impersonation", details: longest(2_000) };
  const { id } = await stage.make("/api/reports", "report", as, body);
  return { as, id };
}

/** A pack with the longest texts and more images than any real pack. */
async function illustratedPack(stage: Stage) {
  const as = await stage.api.person();
  const body = { name: longest(100), description: longest(1_000), theme: "watercolor" };
  const { id } = await stage.make("/api/tone-packs", "tone_pack", as, body);
  await drawImages(stage, [id], 500);
  return { as, id };
}

/** Gives each pack so many images, with the longest paths. */
async function drawImages(stage: Stage, packs: readonly string[], each: number): Promise<void> {
  await stage.quietly(
    `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select p.id, p.owner_id, 'tone ' || repeat(chr(97 + n % 26), 1 + n / 26),
       p.owner_id || '/' || p.id || '/' || repeat('p', 900)
     from nectar.tone_packs p cross join generate_series(0, $2::int - 1) n where p.id = any ($1::uuid[])`,
    [packs, each],
  );
}
