import { createClient } from "@supabase/supabase-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { EntriesResponse, OnThisDayResponse } from "#functions/journal/schema";
import { OrganizationsResponse } from "#functions/organizations/schema";
import { BlocksResponse } from "#functions/safety/blocks/schema";
import { TeamsResponse } from "#functions/teams/schema";
import { ProfileResponse } from "#functions/user/schema";
import { demoAccounts, people, personNamed } from "#local/demo/data";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { startTestSupabase } from "#tests/supabase";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

describe("the written demo data", () => {
  test("has three organizations and teams, nine people, notebooks and at least forty entries", async () => {
    expect(await demo.count("nectar.organizations")).toBe(3);
    expect(await demo.count("nectar.teams")).toBe(3);
    expect(Object.keys(people)).toHaveLength(9);
    expect(await demo.count("nectar.profiles where full_name is not null and not is_ai")).toBe(
      Object.keys(people).length,
    );
    expect(await demo.count("nectar.notebooks")).toBeGreaterThanOrEqual(10);
    expect(await demo.count("nectar.journal_entries where not ai_excluded")).toBeGreaterThanOrEqual(40);
    expect(await demo.count("nectar.journal_entry_contents")).toBe(await demo.count("nectar.journal_entries"));
  });

  test("has entries of every effective visibility, inherited and set by themselves", async () => {
    for (const axis of ["metadata", "content"]) {
      for (const level of ["user", "team", "org", "public"]) {
        expect(
          await demo.count(`nectar.journal_entries where effective_${axis}_visibility = '${level}'`),
        ).toBeGreaterThan(1);
      }
    }
    expect(
      await demo.count(
        "nectar.journal_entries where metadata_visibility = 'user' and effective_metadata_visibility <> 'user'",
      ),
    ).toBeGreaterThan(10);
    expect(
      await demo.count("nectar.journal_entries where notebook_id is not null and not inherit_visibility"),
    ).toBeGreaterThan(1);
  });

  test("has different texts of two to seven sentences, with many moods and tags", async () => {
    // The lines of the diary, which no model reads, are shorter, and some are the same.
    const texts = `(select content from nectar.journal_entry_contents c
      join nectar.journal_entries e on e.id = c.entry_id where not e.ai_excluded) t`;
    expect(await demo.count(`(select distinct content from ${texts}) d`)).toBe(await demo.count(texts));
    expect(await demo.count(`${texts} where regexp_count(content, '[.?!:]”?( |$)') not between 2 and 7`)).toBe(0);
    expect(await demo.count("(select distinct mood from nectar.journal_entries) m")).toBeGreaterThan(15);
    expect(await demo.count("(select distinct unnest(tags) from nectar.journal_entries) t")).toBeGreaterThan(30);
  });

  test("has entries about this day in earlier years, and about most days of the last year", async () => {
    const robin = demoAccounts[0];
    const token = await demo.demoToken();
    const { entries } = await demo.get("/api/journal/on-this-day", token, OnThisDayResponse);
    expect(new Set(entries.map(({ entry_date }) => entry_date)).size).toBeGreaterThanOrEqual(2);
    expect(
      await demo.count(
        `(select distinct entry_date from nectar.journal_entries e join auth.users u on u.id = e.user_id
          where u.email = '${robin.email}' and entry_date > now() - interval '1 year') d`,
      ),
    ).toBeGreaterThan(200);
  });

  test("has plausible shares and times: causes before effects, no one writing at three at night, five weeks and nothing today", async () => {
    // Nothing is later than the last midnight, so nothing is in the future, whatever the hour of the seeding.
    expect(await demo.count("nectar.journal_entries where created_at >= date_trunc('day', now(), 'UTC')")).toBe(0);
    expect(await demo.count("nectar.journal_entries where created_at < now() - interval '37 days'")).toBe(0);
    expect(await demo.count("nectar.journal_entries where created_at < now() - interval '30 days'")).toBeGreaterThan(5);
    expect(await demo.count("nectar.journal_entries where created_at > now() - interval '4 days'")).toBeGreaterThan(5);
    const impossible = [
      // Shared with a group that the author is not a member of.
      `nectar.journal_entries
         where (metadata_visibility <> 'user' and metadata_visibility <> effective_metadata_visibility)
           or (content_visibility <> 'user' and content_visibility <> effective_content_visibility)`,
      "nectar.notebooks where metadata_visibility <> 'user' and metadata_audience_id = user_id",
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
    for (const rows of impossible) expect.soft(await demo.count(rows), rows).toBe(0);
  });
});

describe("a demo account", () => {
  test("of a member sees its own entries and those that others share, some with hidden content", async () => {
    const token = await demo.demoToken();
    const { profile } = await demo.get("/api/user/profile", token, ProfileResponse);
    expect(profile).toMatchObject({
      full_name: personNamed("demo").fullName,
      avatar_url: personNamed("demo").avatarUrl,
      timezone: personNamed("demo").timeZone,
    });
    const { entries } = await demo.get("/api/journal?limit=500", token, EntriesResponse);
    const own = entries.filter((entry) => entry.user_id === profile.id);
    const hidden = entries.filter((entry) => entry.content_hidden);
    expect(own.length).toBeGreaterThanOrEqual(12);
    expect(entries.length).toBeGreaterThan(own.length + 15);
    expect(entries.length).toBeLessThan(await demo.count("nectar.journal_entries"));
    expect(hidden.length).toBeGreaterThanOrEqual(3);
    expect(hidden.every((entry) => entry.content === null)).toBe(true);
    const { organizations } = await demo.get("/api/organizations", token, OrganizationsResponse);
    expect(organizations).toHaveLength(2);
    const { teams } = await demo.get("/api/teams", token, TeamsResponse);
    expect(teams).toHaveLength(3);
  });

  test("of a member has blocked a user, whose public entries it does not see", async () => {
    const token = await demo.demoToken();
    const { blocks } = await demo.get("/api/blocks", token, BlocksResponse);
    expect(blocks.map(({ full_name }) => full_name)).toEqual([personNamed("viktor").fullName]);
    const [blocked] = blocks;
    const { entries } = await demo.get("/api/journal?limit=500", token, EntriesResponse);
    expect(entries.filter(({ user_id }) => user_id === blocked?.user_id)).toEqual([]);
    const other = await demo.tokenOf(personNamed("hana").email);
    const { entries: others } = await demo.get("/api/journal?limit=500", other, EntriesResponse);
    expect(others.filter(({ user_id }) => user_id === blocked?.user_id)).toHaveLength(2);
  });

  test("signs in with its published password, or else with that of the first demo account", async () => {
    const supabase = await startTestSupabase(demo.adminUrl);
    onTestFinished(supabase.stop);
    const { auth } = createClient(supabase.url, LOCAL_SUPABASE_KEYS.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    for (const { email, fullName } of Object.values(people)) {
      const published = demoAccounts.find((account) => account.email === email);
      const { password } = published ?? demoAccounts[0];
      const { data } = await auth.signInWithPassword({ email, password });
      expect(data.user?.email).toBe(email);
      const token = await demo.tokenOf(email);
      const { profile } = await demo.get("/api/user/profile", token, ProfileResponse);
      expect(profile).toMatchObject({ id: data.user?.id, email, full_name: fullName });
      const { entries } = await demo.get("/api/journal?scope=own", token, EntriesResponse);
      if (published === undefined) expect(entries.length).toBeGreaterThanOrEqual(3);
    }
  });

  test("of the super admin sees every entry and every text", async () => {
    const token = await demo.tokenOf(personNamed("admin").email);
    const { entries } = await demo.get("/api/journal?limit=500", token, EntriesResponse);
    expect(entries).toHaveLength(await demo.count("nectar.journal_entries"));
    expect(entries.some((entry) => entry.content_hidden)).toBe(false);
  });
});
