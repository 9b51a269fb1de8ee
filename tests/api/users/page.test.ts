import { describe, expect, it } from "vitest";
import { addDays, dateIn } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { SYSTEM_USER, sendTo } from "../encouragement-drops/sending.ts";
import { moderatingOf } from "../safety/moderating.ts";

const api = useApi();
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));
const ben = beforeEachTest(() => api.person({ fullName: "Ben" }));

const { hide } = moderatingOf(api);
const pageOf = ({ id }: { id: string }, as: Person) => api.get(`/api/users/${id}`, as);
const isVisible = async (whom: { id: string }, as: Person) => (await pageOf(whom, as)).status === 200;

/** Puts both into the game of a date: Ada's row names Ben. */
async function play(date: string, role: "before" | "after" | "squad") {
  await api.query`with squad as (
      insert into nectar.squads (date, user_1_id, user_2_id, team_color)
      select ${date}, ${ada.id}, ${ben.id}, 'red' where ${role} = 'squad' returning id
    )
    insert into nectar.chains (date, user_id, before_user_id, after_user_id, squad_id, team_color, area_key,
      activity_type, timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
    select ${date}, ${ada.id}, case when ${role} = 'before' then ${ben.id}::uuid end,
      case when ${role} = 'after' then ${ben.id}::uuid end, (select id from squad), 'red', 'area', 'cardio', 'UTC',
      '10:00', '11:00', ${date}::date + time '10:00', ${date}::date + time '11:00', ${date}::date + interval '1 day'`;
}

describe("GET /api/users/:id", () => {
  it("is one's own page, with card, badge and organizations", async () => {
    const { orgId } = await foundTeam(api, ada);
    const badge = { level: 1, name: "Seedling", emoji: expect.any(String) };
    const card = { id: ada.id, full_name: "Ada", avatar_url: null, is_ai: false };
    const shared_organizations = [{ id: orgId, name: "Hive" }];
    expect(await pageOf(ada, ada).ok()).toEqual({ user: { ...card, badge, shared_organizations } });
  });

  it("shows people of one's organizations, with those that both are in", async () => {
    const { orgId } = await foundTeam(api, ada, [ben]);
    await foundTeam(api, ada);
    await foundTeam(api, ben);
    const shared = [{ id: orgId, name: "Hive" }];
    expect((await pageOf(ben, ada).ok()).user).toMatchObject({ full_name: "Ben", shared_organizations: shared });
    expect((await pageOf(ada, ben).ok()).user.shared_organizations).toEqual(shared);
    await api.delete(`/api/organizations/${orgId}/members/${ben.id}`, ada).ok();
    await pageOf(ben, ada).refused(404, "user.not_found");
  });

  it.each(["before", "after", "squad"] as const)("shows the player in one's chain or squad: %s", async (role) => {
    const now = new Date();
    api.at(now);
    await play(dateIn("UTC", now), role);
    expect((await pageOf(ben, ada).ok()).user.shared_organizations).toEqual([]);
  });

  it("shows players on the last 30 dates in the caller's time zone, today included", async () => {
    await api.put("/api/user/profile", ada, { timezone: "Pacific/Kiritimati" }).ok();
    const date = "2026-03-10";
    await play(date, "after");
    const visibleAt = async (moment: string) => {
      api.at(moment);
      return isVisible(ben, ada);
    };
    // Kiritimati is 14 hours ahead of UTC.
    expect(await visibleAt("2026-03-09T09:59:59Z")).toBe(false);
    expect(await visibleAt("2026-03-09T10:00:00Z")).toBe(true);
    expect(addDays(date, 30)).toBe("2026-04-09");
    expect(await visibleAt("2026-04-08T09:59:59Z")).toBe(true);
    expect(await visibleAt("2026-04-08T10:00:00Z")).toBe(false);
  });

  it("goes by dates in UTC if PostgreSQL does not know the caller's time zone", async () => {
    // As after a move to a PostgreSQL with older zones: a present one would refuse it.
    await api.query`alter table nectar.accounts disable trigger accounts__require_known_zone`;
    await api.query`update nectar.accounts set timezone = 'Mars/Olympus' where user_id = ${ada.id}`;
    await play("2026-03-10", "after");
    api.at("2026-03-09T23:59:59Z");
    await pageOf(ben, ada).refused(404, "user.not_found");
    const report = { target_type: "user", target_id: ben.id, reason: "spam" };
    await api.post("/api/reports", ada, report).refused(404, "report.target_not_found");
    api.at("2026-03-10T00:00:00Z");
    await pageOf(ben, ada).ok();
    await api.post("/api/reports", ada, report).created();
  });

  it("shows both sides of a drop to each other", async () => {
    expect(await isVisible(ben, ada)).toBe(false);
    await sendTo(api, ada, ben).created();
    expect(await isVisible(ben, ada)).toBe(true);
    expect(await isVisible(ada, ben)).toBe(true);
  });

  const open = { name: "Open", metadata_visibility: "public" };
  const pack = { name: "Open", theme: "nature", is_public: true };
  it.each([
    ["entry", () => write(api, ben, { metadata_visibility: "public" }), "/api/journal"],
    ["notebook", async () => (await api.post("/api/notebooks", ben, open).created()).notebook, "/api/notebooks"],
    ["tone_pack", async () => (await api.post("/api/tone-packs", ben, pack).created()).tone_pack, "/api/tone-packs"],
  ] as const)(
    "shows someone with a public %s, until an admin hides it or it is deleted",
    async (kind, publish, path) => {
      expect(await isVisible(ben, ada)).toBe(false);
      const { id } = await publish();
      expect(await isVisible(ben, ada)).toBe(true);
      const undo = await hide(ada, kind, id);
      expect(await isVisible(ben, ada)).toBe(false);
      await undo();
      expect(await isVisible(ben, ada)).toBe(true);
      await api.delete(`${path}/${id}`, ben).ok();
      expect(await isVisible(ben, ada)).toBe(false);
    },
  );

  it("does not show the sender of a hidden drop to its recipient", async () => {
    const { drop } = await sendTo(api, ada, ben).created();
    await hide(ben, "drop", drop.id);
    expect(await isVisible(ada, ben)).toBe(false);
    expect(await isVisible(ben, ada)).toBe(true);
  });

  it("does not show someone whose things are private or shared with others", async () => {
    const { orgId, teamId } = await foundTeam(api, ben);
    await write(api, ben, { metadata_visibility: "org", content_visibility: "public", org_id: orgId });
    await write(api, ben, { metadata_visibility: "team", content_visibility: "user", team_id: teamId });
    await api.post("/api/notebooks", ben, { name: "Mine" }).created();
    await api.post("/api/tone-packs", ben, { name: "Mine", theme: "nature" }).created();
    expect(await isVisible(ben, ada)).toBe(false);
    expect(await isVisible(ben, await api.person({ role: "admin" }))).toBe(false);
    expect(await isVisible(ben, await api.person({ role: "super_admin" }))).toBe(false);
  });

  it("shows the assistant, without a badge", async () => {
    expect((await pageOf({ id: SYSTEM_USER }, ada).ok()).user).toMatchObject({ is_ai: true, badge: null });
  });

  it.each(["ada", "ben"] as const)("is 404 for both after %s blocked the other, whatever they share", async (who) => {
    await foundTeam(api, ada, [ben]);
    await sendTo(api, ada, ben).created();
    await write(api, ben, { metadata_visibility: "public" });
    const [one, other] = who === "ada" ? [ada, ben] : [ben, ada];
    await api.query`insert into nectar.blocks (user_id, blocked_id) values (${one.id}, ${other.id})`;
    await pageOf(ben, ada).refused(404, "user.not_found");
    await pageOf(ada, ben).refused(404, "user.not_found");
    expect(await isVisible(ada, ada)).toBe(true);
  });
});
