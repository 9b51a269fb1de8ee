import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@nectar/config/config";
import { NoteAnalysis } from "@nectar/core/note-analysis";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";

import { demoAccounts, encouragement, people, personNamed } from "@nectar/local/demo/data";
import { demoMailbox } from "@nectar/local/demo/mails";
import { signUpDemoAccounts } from "@nectar/local/demo/people";
import { seedDemoData } from "@nectar/local/demo/seed";

import { localSupabaseKeys } from "@nectar/local/local-defaults";
import { freePort } from "@nectar/local/ports";
import { type SupabaseServer, startSupabase } from "@nectar/local/supabase";
import {
  cloneDatabase,
  type RunningTestCluster,
  startTestCluster,
  type TestDatabase,
} from "@nectar/local/test-cluster";
import { createClient } from "@supabase/supabase-js";
import { decode } from "fast-png";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { routeToGroups } from "../../functions/all.ts";
import { AnalysisResponse } from "../../functions/chat/schema.ts";
import {
  BadgeResponse,
  LeaderboardResponse,
  MilestonesResponse,
} from "../../functions/encouragement-drops/badges/schema.ts";
import { Allowance, ReceivedResponse } from "../../functions/encouragement-drops/drops/schema.ts";
import { GoalsResponse } from "../../functions/goals/schema.ts";
import { EntriesResponse } from "../../functions/journal/schema.ts";
import { NotificationsResponse } from "../../functions/notifications/schema.ts";
import { OrganizationsResponse } from "../../functions/organizations/schema.ts";
import { TeamsResponse } from "../../functions/teams/schema.ts";
import { ActivePackResponse, PacksResponse } from "../../functions/tone-packs/schema.ts";
import { ProfileResponse } from "../../functions/user/schema.ts";
import { type Client, clientOf } from "../support/client.ts";
import { awayFromMidnight } from "../support/midnight.ts";

const folder = mkdtempSync(join(tmpdir(), "nectar-demo-test-"));
let cluster: RunningTestCluster;
let database: TestDatabase;
let supabase: SupabaseServer;
let superuser: pg.Client;
let api: { client: Client; close(): Promise<void> };

const seed = () =>
  seedDemoData({
    adminUrl: database.adminUrl,
    supabaseUrl: supabase.url,
    publishableKey: localSupabaseKeys.publishableKey,
    secretKey: localSupabaseKeys.secretKey,
  });

// The demo data is written relative to today.
beforeAll(() => awayFromMidnight(180_000), 200_000);

beforeAll(async () => {
  cluster = await startTestCluster();
  database = await cloneDatabase(cluster.cluster, "demo");
  supabase = await startSupabase({
    dataFolder: folder,
    databaseUrl: database.adminUrl,
    keys: localSupabaseKeys,
    port: await freePort(),
  });
  superuser = new pg.Client({ connectionString: database.adminUrl });
  await superuser.connect();
  const startedAt = performance.now();
  await seed();
  console.log(`Demo data written in ${Math.round(performance.now() - startedAt)} ms`);
  api = startApi();
}, 90_000);

afterAll(async () => {
  await api?.close();
  await superuser?.end();
  await supabase?.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function startApi() {
  const config = readConfig({
    DATABASE_URL: database.apiUrl,
    SUPABASE_URL: supabase.url,
    SUPABASE_SECRET_KEY: localSupabaseKeys.secretKey,
    SUPABASE_JWT_SECRET: localSupabaseKeys.jwtSecret,
    SUPABASE_JWT_ISSUER: "none",
    SUPER_ADMIN_EMAILS: "admin@nectar.local",
  });
  const services = servicesFor(config, {
    logger: createLogger("error"),
  });
  return { client: clientOf(routeToGroups(services)), close: () => services.database.close() };
}

/** Signs in as any client does. */
async function tokenOf(email: string, password: string): Promise<string> {
  const client = createClient(supabase.url, localSupabaseKeys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error !== null) throw error;
  expect(data.user.email).toBe(email);
  return data.session.access_token;
}

/** Reads from the API, in the shape that the API promises. */
async function get<Shape extends z.ZodType>(path: string, token: string, shape: Shape): Promise<z.infer<Shape>> {
  const { status, body } = await api.client.get(path, { token });
  expect(status).toBe(200);
  return shape.parse(body);
}

/** What the database holds of everything that the demo data writes, for comparing before and after. */
async function snapshot(): Promise<string> {
  const { rows } = await superuser.query(`
    select
      (select jsonb_agg(u order by u.id) from (select id, email, encrypted_password from auth.users) u) users,
      (select count(*) from auth.identities) identities,
      (select jsonb_agg(p order by p.id) from nectar.profiles p) profiles,
      (select jsonb_agg(a order by a.user_id) from nectar.accounts a) accounts,
      (select jsonb_agg(t order by t.id) from nectar.drop_transactions t) transactions,
      (select jsonb_agg(o order by o.id) from nectar.organizations o) organizations,
      (select jsonb_agg(m order by m.org_id, m.user_id) from nectar.organization_members m) organization_members,
      (select jsonb_agg(t order by t.id) from nectar.teams t) teams,
      (select jsonb_agg(m order by m.team_id, m.user_id) from nectar.team_members m) team_members,
      (select jsonb_agg(n order by n.id) from nectar.notebooks n) notebooks,
      (select jsonb_agg(e order by e.id) from nectar.journal_entries e) entries,
      (select jsonb_agg(c order by c.entry_id) from nectar.journal_entry_contents c) contents,
      (select jsonb_agg(a order by a.user_id, a.month) from nectar.monthly_drop_awards a) awards,
      (select jsonb_agg(s order by s.id) from nectar.subscriptions s) subscriptions,
      (select jsonb_agg(e order by e.id) from private.payment_events e) payment_events,
      (select jsonb_agg(p order by p.id) from nectar.tone_packs p) tone_packs,
      (select jsonb_agg(i order by i.id) from nectar.tone_pack_images i) tone_pack_images,
      (select jsonb_agg(s order by s.pack_id, s.user_id) from nectar.tone_pack_shares s) tone_pack_shares,
      (select jsonb_agg(p order by p.id) from nectar.tone_pack_purchases p) tone_pack_purchases,
      (select jsonb_agg(u order by u.id) from nectar.token_usage u) token_usage,
      (select jsonb_agg(r order by r.id) from nectar.conversion_rates r) conversion_rates,
      (select jsonb_agg(g order by g.id) from nectar.goals g) goals,
      (select jsonb_agg(c order by c.id) from nectar.goal_check_ins c) check_ins,
      (select jsonb_agg(w order by w.id) from nectar.wellness_entries w) wellness_entries,
      (select jsonb_agg(n order by n.id) from nectar.notifications n) notifications,
      (select jsonb_agg(d order by d.id) from nectar.encouragement_drops d) encouragement_drops,
      (select jsonb_agg(a order by a.user_id, a.date) from nectar.encouragement_allowances a) allowances,
      (select jsonb_agg(b order by b.user_id) from nectar.user_badges b) badges,
      (select jsonb_agg(m order by m.id) from nectar.badge_milestones m) milestones,
      (select jsonb_agg(k order by k.people_ahead) from private.leaderboard_checkpoints k) checkpoints,
      (select jsonb_agg(n order by n.id) from nectar.note_analyses n) note_analyses,
      (select jsonb_agg(m order by m.id) from private.email_messages m) email_messages,
      (select jsonb_agg(e order by e.id) from private.email_events e) email_events,
      (select jsonb_agg(r order by r.id) from private.email_received r) email_received,
      (select jsonb_agg(o order by o.id) from storage.objects o) files`);
  return JSON.stringify(rows);
}

async function count(from: string): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(`select count(*)::int as count from ${from}`);
  return rows[0]?.count ?? 0;
}

/** The different values of a column. */
async function kinds(column: string, table: string): Promise<string[]> {
  const { rows } = await superuser.query<{ kind: string }>(
    `select distinct ${column}::text as kind from ${table} order by 1`,
  );
  return rows.map(({ kind }) => kind);
}

async function demoToken(): Promise<string> {
  const [account] = demoAccounts;
  return tokenOf(account?.email ?? "", account?.password ?? "");
}

describe("what is written", () => {
  test("two organizations, four teams, a dozen people, notebooks and some sixty entries", async () => {
    expect(await count("nectar.organizations")).toBe(2);
    expect(await count("nectar.teams")).toBe(4);
    expect(await count("nectar.profiles where full_name is not null and not is_ai")).toBeGreaterThanOrEqual(12);
    expect(await count("nectar.profiles where full_name is not null and not is_ai")).toBe(Object.keys(people).length);
    expect(await count("nectar.notebooks")).toBeGreaterThanOrEqual(12);
    expect(await count("nectar.journal_entries")).toBeGreaterThanOrEqual(60);
    expect(await count("nectar.journal_entry_contents")).toBe(await count("nectar.journal_entries"));
  });

  test("entries of every effective level on each axis, inherited and of their own", async () => {
    for (const axis of ["metadata", "content"]) {
      for (const level of ["user", "team", "org", "public"]) {
        expect(await count(`nectar.journal_entries where effective_${axis}_visibility = '${level}'`)).toBeGreaterThan(
          1,
        );
      }
    }
    expect(
      await count(
        "nectar.journal_entries where metadata_visibility = 'user' and effective_metadata_visibility <> 'user'",
      ),
    ).toBeGreaterThan(10);
    expect(
      await count("nectar.journal_entries where notebook_id is not null and not inherit_visibility"),
    ).toBeGreaterThan(1);
  });

  test("no share is void: everybody shares only with teams and organizations they are in", async () => {
    expect(
      await count(`nectar.journal_entries
        where (metadata_visibility <> 'user' and metadata_visibility <> effective_metadata_visibility)
           or (content_visibility <> 'user' and content_visibility <> effective_content_visibility)`),
    ).toBe(0);
    expect(await count("nectar.notebooks where metadata_visibility <> 'user' and metadata_audience_id = user_id")).toBe(
      0,
    );
  });

  test("texts are all different, two to six sentences, and moods and tags vary", async () => {
    expect(await count("(select distinct content from nectar.journal_entry_contents) c")).toBe(
      await count("nectar.journal_entries"),
    );
    expect(
      await count("nectar.journal_entry_contents where regexp_count(content, '[.?!:]”?( |$)') not between 2 and 7"),
    ).toBe(0);
    expect(await count("(select distinct mood from nectar.journal_entries) m")).toBeGreaterThan(15);
    expect(await count("(select distinct unnest(tags) from nectar.journal_entries) t")).toBeGreaterThan(30);
  });

  test("happens in an order that is possible, at hours at which people write, over five weeks", async () => {
    // At whatever hour it was written: nothing is later than the last midnight, so nothing can be from the future.
    expect(await count("nectar.journal_entries where created_at >= date_trunc('day', now(), 'UTC')")).toBe(0);
    expect(await count("nectar.journal_entries where created_at < now() - interval '37 days'")).toBe(0);
    expect(await count("nectar.journal_entries where created_at < now() - interval '30 days'")).toBeGreaterThan(5);
    expect(await count("nectar.journal_entries where created_at > now() - interval '4 days'")).toBeGreaterThan(5);
    const impossible = [
      "nectar.journal_entries e join nectar.profiles p on p.id = e.user_id where e.created_at < p.created_at",
      "nectar.journal_entries e join nectar.notebooks n on n.id = e.notebook_id where e.created_at < n.created_at",
      "nectar.notebooks n join nectar.profiles p on p.id = n.user_id where n.created_at < p.created_at",
      "nectar.organization_members m join nectar.profiles p on p.id = m.user_id where m.joined_at < p.created_at",
      "nectar.organization_members m join nectar.organizations o on o.id = m.org_id where m.joined_at < o.created_at",
      "nectar.teams t join nectar.organizations o on o.id = t.org_id where t.created_at < o.created_at",
      "nectar.team_members m join nectar.teams t on t.id = m.team_id where m.joined_at < t.created_at",
      "nectar.team_members m join nectar.organization_members o using (org_id, user_id) where m.joined_at < o.joined_at",
      `nectar.journal_entries e join nectar.team_members m using (team_id, user_id) where e.created_at < m.joined_at`,
      `nectar.journal_entries e join nectar.organization_members m using (org_id, user_id)
         where e.created_at < m.joined_at`,
      "nectar.drop_transactions t join nectar.profiles p on p.id = t.user_id where t.created_at < p.created_at",
      "nectar.drop_transactions where created_at >= date_trunc('day', now(), 'UTC')",
      "nectar.tone_packs k join nectar.profiles p on p.id = k.owner_id where k.created_at < p.created_at",
      "nectar.tone_pack_purchases b join nectar.tone_packs k on k.id = b.pack_id where b.created_at < k.created_at",
      "nectar.tone_pack_purchases where refunded_at < created_at",
      "nectar.subscriptions s join nectar.profiles p on p.id = s.user_id where s.created_at < p.created_at",
      "nectar.token_usage u join nectar.profiles p on p.id = u.user_id where u.created_at < p.created_at",
      "nectar.token_usage where created_at >= date_trunc('day', now(), 'UTC')",
      "nectar.goals g join nectar.profiles p on p.id = g.user_id where g.created_at < p.created_at",
      "nectar.goal_check_ins c join nectar.goals g on g.id = c.goal_id where c.created_at < g.created_at",
      "nectar.goals g where g.updated_at < g.created_at or g.updated_at >= date_trunc('day', now(), 'UTC')",
      "nectar.goals where status <> 'active' and updated_at = created_at",
      "nectar.goal_check_ins where created_at >= date_trunc('day', now(), 'UTC')",
      "nectar.wellness_entries where created_at >= date_trunc('day', now(), 'UTC')",
      "nectar.encouragement_drops where created_at >= date_trunc('day', now(), 'UTC')",
      "nectar.encouragement_drops where read_at < created_at or read_at >= date_trunc('day', now(), 'UTC')",
      "nectar.encouragement_drops where engaged_at < engagement_until",
      "nectar.encouragement_drops d join nectar.journal_entries e on e.id = d.entry_id where e.created_at > d.created_at",
      "nectar.notifications where created_at >= date_trunc('day', now(), 'UTC') or read_at < created_at",
      "nectar.badge_milestones m join nectar.profiles p on p.id = m.user_id and not p.is_ai where m.achieved_at < p.created_at",
      "nectar.badge_milestones m join nectar.profiles p on p.id = m.user_id and not p.is_ai where m.achieved_at >= date_trunc('day', now(), 'UTC')",
      "nectar.badge_milestones a join nectar.badge_milestones b using (user_id) where a.level < b.level and a.achieved_at > b.achieved_at",
      "nectar.note_analyses where created_at >= date_trunc('day', now(), 'UTC')",
      `nectar.journal_entries e join nectar.accounts a using (user_id)
         where extract(hour from e.created_at at time zone a.timezone) in (2, 3)`,
    ];
    for (const case_ of impossible) expect(await count(case_), case_).toBe(0);
  });
});

describe("money and models", () => {
  test("every balance is the sum of its movements, and each movement goes on from the one before", async () => {
    expect(await count("nectar.drop_transactions")).toBeGreaterThan(40);
    expect(
      await count(`nectar.accounts a
        where a.drops_balance <> (select sum(t.amount) from nectar.drop_transactions t where t.user_id = a.user_id)`),
    ).toBe(0);
    expect(
      await count(`(
        select balance_after, amount,
          coalesce(lag(balance_after) over (partition by user_id order by created_at, id), 0) as before
        from nectar.drop_transactions
      ) t where t.balance_after <> t.before + t.amount`),
    ).toBe(0);
  });

  test("the ledger tells of every kind of movement, over several months", async () => {
    const { rows } = await superuser.query<{ type: string }>(
      "select distinct type::text as type from nectar.drop_transactions order by 1",
    );
    expect(rows.map(({ type }) => type)).toEqual([
      "admin_adjustment",
      "monthly_recurring",
      "purchase",
      "refund",
      "signup_bonus",
    ]);
    expect(await count("(select distinct month from nectar.monthly_drop_awards) m")).toBeGreaterThanOrEqual(4);
    // That of this month can be collected by whoever tries the service.
    expect(await count("nectar.monthly_drop_awards where month >= date_trunc('month', now(), 'UTC')")).toBe(0);
    expect(await count("nectar.monthly_drop_awards a where (a.created_at at time zone 'UTC')::date <> a.month")).toBe(
      0,
    );
    expect(await count("nectar.tone_pack_purchases where refunded_at is not null")).toBe(1);
  });

  test("one has premium and gets the drops for it, one has it no more", async () => {
    const { rows } = await superuser.query(
      `select a.email, s.status, a.is_premium,
         (select t.amount from nectar.drop_transactions t
          where t.user_id = a.user_id and t.type = 'monthly_recurring' order by t.created_at desc limit 1) as newest_award
       from nectar.subscriptions s join nectar.accounts a using (user_id) order by a.email`,
    );
    expect(rows).toEqual([
      { email: personNamed("maya").email, status: "active", is_premium: true, newest_award: 250 },
      { email: personNamed("priya").email, status: "canceled", is_premium: false, newest_award: expect.any(Number) },
    ]);
    expect(
      await count(`nectar.monthly_drop_awards a join nectar.accounts c using (user_id)
        where c.email = '${personNamed("priya").email}' and a.amount = 250`),
    ).toBeGreaterThan(0);
  });

  test("models found some of the moods, and what they cost is told for two months", async () => {
    expect(await count("nectar.journal_entry_contents where found_mood is not null")).toBeGreaterThan(9);
    expect(
      await count(`nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id
        where e.mood is not null and c.found_mood is not null`),
    ).toBe(0);
    expect(
      await count(`nectar.journal_entry_contents c where (c.found_mood is not null) <> exists (
        select from nectar.token_usage u where u.reference_id = c.entry_id and u.usage_type = 'tone_analysis')`),
    ).toBe(0);
    expect(
      await count("nectar.token_usage where created_at < date_trunc('month', now(), 'UTC') - interval '2 months'"),
    ).toBe(0);
    expect(
      await count(`nectar.token_usage where created_at >= date_trunc('month', now(), 'UTC') - interval '1 month'
        and created_at < date_trunc('month', now(), 'UTC')`),
    ).toBeGreaterThan(0);
    expect(await count("nectar.token_usage where cost_usd <= 0")).toBe(0);
  });

  test("the rate of drops has a history, and the newest counts", async () => {
    const { rows } = await superuser.query<{ rate: string }>(
      "select rate from nectar.conversion_rates order by effective_date",
    );
    expect(rows.map(({ rate }) => Number(rate))).toEqual([1000, 800, 1200]);
  });

  test("demo has bought the active tone pack, and its images load", async () => {
    const [account] = demoAccounts;
    const token = await tokenOf(account?.email ?? "", account?.password ?? "");
    const { own, shared, public: published, purchased } = await get("/api/tone-packs", token, PacksResponse);
    expect([own, shared, published, purchased].map((section) => section.map(({ name }) => name))).toEqual([
      [],
      ["Trail Animals"],
      ["Four Strings", "Paper Weather"],
      ["Harbor Light"],
    ]);
    const active = await get("/api/tone-packs/active?mood=Joyful", token, ActivePackResponse);
    expect(active.tone_pack).toMatchObject({ name: "Harbor Light", access: "purchased", price_drops: 40 });
    expect(active.image_url).toBe(active.images.joyful);
    const pictures = [...shared, ...published, ...purchased].flatMap(({ images }) => images);
    expect(pictures.length).toBe(await count("nectar.tone_pack_images"));
    expect(pictures.length).toBeGreaterThan(9);
    const seen = new Set<string>();
    for (const { image_url } of pictures) {
      const response = await fetch(image_url ?? "");
      expect(response.status).toBe(200);
      const { width, height, data } = decode(await response.arrayBuffer());
      expect([width, height]).toEqual([1024, 1024]);
      seen.add(createHash("sha256").update(data).digest("hex"));
    }
    expect(seen.size).toBe(pictures.length);
  });
});

describe("encouragement", () => {
  const drops = "nectar.encouragement_drops";

  test("goals in every state with check-ins of every kind, and wellness entries of every type", async () => {
    expect(await kinds("status", "nectar.goals")).toEqual(["abandoned", "active", "completed", "paused"]);
    expect(await kinds("status", "nectar.goal_check_ins")).toEqual(["completed", "missed", "partial", "skipped"]);
    expect(await kinds("type", "nectar.wellness_entries")).toEqual(["action_note", "satisfaction", "sleep"]);
    const { goals } = await get("/api/goals", await demoToken(), GoalsResponse);
    expect(new Set(goals.map(({ status }) => status)).size).toBe(4);
  });

  test("drops in every state and of every kind, each with its notification", async () => {
    expect(await kinds("engagement", drops)).toEqual(["engaged", "expired", "never", "open"]);
    expect(await kinds("drop_type", drops)).toEqual(["encouragement", "media", "science_tidbit"]);
    for (const some of [
      "is_custom",
      "template_id is not null",
      "is_custom and drop_type = 'media'",
      "entry_id is not null",
      "read_at is null",
      "read_at is not null",
      "sender_id = private.system_user_id()",
    ]) {
      expect(await count(`${drops} where ${some}`), some).toBeGreaterThan(0);
    }
    expect(await count(`${drops} where sender_id <> private.system_user_id()`)).toBe(encouragement.drops.length);
    expect(
      await count(`${drops} d where not exists (
        select from nectar.notifications n
        where n.user_id = d.recipient_id and n.data ->> 'drop_id' = d.id::text and n.created_at = d.created_at
          and n.read_at is not distinct from d.read_at)`),
    ).toBe(0);
  });

  test("allowances count what was sent and earned, and no day went over its own", async () => {
    expect(
      await count(`(
        select sender_id, date_sent, count(*) as sent, count(*) filter (where is_custom) as custom
        from ${drops} where sender_id <> private.system_user_id() group by 1, 2
      ) d left join nectar.encouragement_allowances a on a.user_id = d.sender_id and a.date = d.date_sent
      where (a.drops_used, a.custom_drops_used) is distinct from (d.sent::int, d.custom::int)`),
    ).toBe(0);
    expect(
      await count(
        "nectar.encouragement_allowances where drops_used > daily_allowance + bonus_carried + bonus_earned or custom_drops_used > 3",
      ),
    ).toBe(0);
    const { rows } = await superuser.query(
      `select (select sum(bonus_drops_awarded)::int from ${drops}) awarded,
         (select sum(bonus_earned)::int from nectar.encouragement_allowances) earned`,
    );
    expect(rows[0].earned).toBe(rows[0].awarded);
    const allowance = await get("/api/encouragement-drops/my-drops", await demoToken(), Allowance);
    expect(allowance).toMatchObject({ drops_used: 0, bonus_drops_earned: 4, total_available: 9 });
  });

  test("badges are the drops that are there and the past before them, each level with its milestone", async () => {
    const { rows } = await superuser.query<{ email: string; sent: number; engaged: number }>(
      `select a.email, b.total_drops_sent - count(d.id)::int as sent,
         b.engagement_increases - (count(d.id) filter (where d.engagement = 'engaged'))::int as engaged
       from nectar.user_badges b
       join nectar.accounts a using (user_id)
       left join ${drops} d on d.sender_id = b.user_id
       where not b.is_ai
       group by a.email, b.user_id`,
    );
    for (const { email, sent, engaged } of rows) {
      const before = encouragement.past.filter(({ person }) => personNamed(person).email === email);
      expect({ email, sent, engaged }).toEqual({
        email,
        sent: before.reduce((sum, stretch) => sum + stretch.sent, 0),
        engaged: before.reduce((sum, stretch) => sum + stretch.engaged, 0),
      });
    }
    expect(await count("nectar.user_badges where bonus_drops_earned <> 2 * engagement_increases")).toBe(0);
    expect(await count("(select distinct level from nectar.user_badges) l")).toBeGreaterThanOrEqual(6);
    expect(
      await count(`nectar.user_badges b where b.level <> (
        select max(d.level) from nectar.badge_definitions d where d.min_engagement_increases <= b.engagement_increases)`),
    ).toBe(0);
    expect(
      await count(`nectar.user_badges b where b.level <> (
        select count(*) from nectar.badge_milestones m where m.user_id = b.user_id)`),
    ).toBe(0);
  });

  test("the leaderboard is worth a look, and its checkpoints are up to date", async () => {
    const { leaderboard, my_rank } = await get(
      "/api/encouragement-drops/leaderboard",
      await demoToken(),
      LeaderboardResponse,
    );
    expect(leaderboard.slice(0, 3).map(({ full_name }) => full_name)).toEqual([
      personNamed("priya").fullName,
      personNamed("grace").fullName,
      personNamed("maya").fullName,
    ]);
    expect(leaderboard[(my_rank ?? 0) - 1]?.full_name).toBe(personNamed("demo").fullName);
    expect(leaderboard.length).toBeGreaterThan(10);
    expect(await count("private.leaderboard_changes")).toBe(0);
    expect(await count("private.leaderboard_checkpoints")).toBe(1);
  });

  test("demo has unread drops of people and of the assistant, and notifications of both kinds", async () => {
    const { drops: received, unread_count } = await get(
      "/api/encouragement-drops/received",
      await demoToken(),
      ReceivedResponse,
    );
    expect(unread_count).toBe(received.filter(({ read_at }) => read_at === null).length);
    const unread = received.filter(({ read_at }) => read_at === null);
    expect(new Set(unread.map(({ sender }) => sender?.is_assistant))).toEqual(new Set([true, false]));
    const { notifications } = await get("/api/notifications", await demoToken(), NotificationsResponse);
    expect(new Set(notifications.map(({ read_at }) => read_at === null))).toEqual(new Set([true, false]));
    expect(new Set(notifications.map(({ type }) => type))).toEqual(
      new Set(["drop_received", "assistant_drop", "badge_earned"]),
    );
  });

  test("analyses are such as the job writes, of notes that were there, and nobody else is written to", async () => {
    const { analysis } = await get("/api/chat/analysis", await demoToken(), AnalysisResponse);
    expect(NoteAnalysis.parse(analysis)).toMatchObject({ topics: expect.arrayContaining(["running", "family"]) });
    const { rows } = await superuser.query("select * from nectar.note_analyses");
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const row of rows) {
      const { mood_trends } = NoteAnalysis.parse(row);
      expect(mood_trends.moods.reduce((sum, { entries }) => sum + entries, 0)).toBe(row.entry_count);
    }
    expect(
      await count("nectar.note_analyses n join nectar.accounts a using (user_id) where not a.read_notes_enabled"),
    ).toBe(0);
    expect(
      await count(`${drops} d join nectar.accounts a on a.user_id = d.recipient_id
        where d.sender_id = private.system_user_id() and not (a.read_notes_enabled and a.check_in_enabled)`),
    ).toBe(0);
    expect(await count("nectar.accounts where read_notes_enabled and not check_in_enabled")).toBe(1);
    expect(
      await count("nectar.token_usage where usage_type in ('note_analysis', 'assistant_drop') and cost_usd > 0"),
    ).toBe(rows.length + (await count(`${drops} where sender_id = private.system_user_id()`)));
  });

  test("the mailbox shows the mails that were counted, and what became of them", async () => {
    const { rows } = await superuser.query<{ id: string; delivery: string }>(
      "select provider_id as id, delivery from private.email_messages order by created_at",
    );
    expect(demoMailbox(new Date()).map(({ id, outcomes }) => ({ id, delivery: outcomes.at(-1) }))).toEqual(rows);
    expect(rows.map(({ delivery }) => delivery)).toContain("bounced");
    expect(await count("private.email_suppressions")).toBe(1);
    expect(await count("private.email_received where is_verified")).toBe(1);
  });
});

describe("calling it again", () => {
  test("changes nothing when it had finished", async () => {
    const before = await snapshot();
    await seed();
    expect(await snapshot()).toBe(before);
  });

  test("draws only the images that an interruption left out, under their old addresses", async () => {
    const images = await count("nectar.tone_pack_images");
    const { rows } = await superuser.query<{ file_path: string }>(
      "delete from nectar.tone_pack_images where tone = 'joyful' returning file_path",
    );
    await seed();
    expect(await count("nectar.tone_pack_images")).toBe(images);
    const again = await superuser.query<{ file_path: string }>(
      "select file_path from nectar.tone_pack_images where tone = 'joyful'",
    );
    const sorted = (paths: { file_path: string }[]) => paths.map(({ file_path }) => file_path).sort();
    expect(sorted(again.rows)).toEqual(sorted(rows));
    expect(rows.length).toBeGreaterThan(1);
  });

  test("completes what was interrupted after the first people had signed up", async () => {
    const complete = await cloneDatabase(cluster.cluster, "demo_interrupted");
    const other = await startSupabase({
      dataFolder: folder,
      databaseUrl: complete.adminUrl,
      keys: localSupabaseKeys,
      port: await freePort(),
    });
    try {
      const { publishableKey } = localSupabaseKeys;
      const target = { adminUrl: complete.adminUrl, supabaseUrl: other.url, publishableKey };
      await signUpDemoAccounts(target);
      await seedDemoData(target);
    } finally {
      await other.stop();
    }
    const client = new pg.Client({ connectionString: complete.adminUrl });
    await client.connect();
    const { rows } = await client.query(
      `select (select count(*)::int from nectar.profiles where not is_ai) people,
         (select count(*)::int from nectar.journal_entries) entries,
         (select count(*)::int from nectar.tone_packs) packs, (select count(*)::int from nectar.tone_pack_images) images`,
    );
    await client.end();
    expect(rows).toEqual([
      {
        people: Object.keys(people).length,
        entries: await count("nectar.journal_entries"),
        packs: await count("nectar.tone_packs"),
        // No key for the storage was given.
        images: 0,
      },
    ]);
  });
});

describe("who signs in", () => {
  test("demo sees its own entries, and what others share, some of it with hidden content", async () => {
    const [account] = demoAccounts;
    const token = await tokenOf(account?.email ?? "", account?.password ?? "");
    const { profile } = await get("/api/user/profile", token, ProfileResponse);
    expect(profile).toMatchObject({
      full_name: personNamed("demo").fullName,
      avatar_url: personNamed("demo").avatarUrl,
      timezone: personNamed("demo").timeZone,
    });
    const { entries } = await get("/api/journal?limit=500", token, EntriesResponse);
    const own = entries.filter((entry) => entry.user_id === profile.id);
    const hidden = entries.filter((entry) => entry.content_hidden);
    expect(own.length).toBeGreaterThanOrEqual(14);
    expect(entries.length).toBeGreaterThan(own.length + 20);
    expect(entries.length).toBeLessThan(await count("nectar.journal_entries"));
    expect(hidden.length).toBeGreaterThanOrEqual(5);
    expect(hidden.every((entry) => entry.content === null)).toBe(true);
    const { organizations } = await get("/api/organizations", token, OrganizationsResponse);
    expect(organizations).toHaveLength(2);
    const { teams } = await get("/api/teams", token, TeamsResponse);
    expect(teams).toHaveLength(4);
  });

  test("everybody without a published password signs in with the demo account's", async () => {
    const [account] = demoAccounts;
    const published = new Set(demoAccounts.map(({ email }) => email));
    for (const { email, fullName } of Object.values(people)) {
      if (published.has(email)) continue;
      const token = await tokenOf(email, account?.password ?? "");
      const { profile } = await get("/api/user/profile", token, ProfileResponse);
      expect(profile).toMatchObject({ email, full_name: fullName });
      const { entries } = await get("/api/journal?scope=own", token, EntriesResponse);
      expect(entries.length).toBeGreaterThanOrEqual(5);
    }
  });

  test("the super admin sees every entry and every text", async () => {
    const admin = demoAccounts.find(({ email }) => email === personNamed("admin").email);
    const token = await tokenOf(admin?.email ?? "", admin?.password ?? "");
    const { entries } = await get("/api/journal?limit=500", token, EntriesResponse);
    expect(entries).toHaveLength(await count("nectar.journal_entries"));
    expect(entries.some((entry) => entry.content_hidden)).toBe(false);
  });
});

describe("the jobs of the first day", () => {
  test("engagement brings Robin's third badge", async () => {
    const token = await demoToken();
    expect((await get("/api/encouragement-drops/badge", token, BadgeResponse)).badge).toMatchObject({
      level: 2,
      progress: { current: 20, required: 21, remaining: 1, next_name: "Bloom" },
    });
    await superuser.query("select private.process_engagement(now(), null, null, 1000)");
    const { badge } = await get("/api/encouragement-drops/badge", token, BadgeResponse);
    expect(badge).toMatchObject({ level: 3, name: "Bloom", engagement_increases: 21 });
    const { milestones } = await get("/api/encouragement-drops/badge/milestones", token, MilestonesResponse);
    expect(milestones.map(({ level }) => level)).toEqual([3, 2, 1]);
  });
});
