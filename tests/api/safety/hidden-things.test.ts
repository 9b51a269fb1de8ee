import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { type Cast, signUpCast, stage } from "#tests/cast";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { playDay } from "../game/game-days.ts";
import { activePackOf, adjustDrops, makePack, packCalls } from "../tone-packs/making.ts";
import { moderatingOf } from "./moderating.ts";

const api = useApi({ environment: await useFileStore() });
const { hide, report } = moderatingOf(api);
const { activate, share } = packCalls(api);
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));

describe("a tone pack that is hidden", () => {
  it("is only its owner's, who sees that it is hidden, until that is reversed", async () => {
    const pack = await makePack(api, ada, { is_public: true });
    const reverse = await hide(ben, "tone_pack", pack.id);
    const path = `/api/tone-packs/${pack.id}` as const;
    for (const other of [ben, root]) await api.get(path, other).refused(404, "tone_pack.not_found");
    const publicIds = async () => (await api.get("/api/tone-packs", ben).ok()).public.map(({ id }) => id);
    expect(await publicIds()).not.toContain(pack.id);
    await api.post(`${path}/purchase`, ben, {}).refused(404, "tone_pack.not_found");
    await activate(pack.id, ben).refused(404, "tone_pack.not_found");
    expect((await api.get(path, ada).ok()).tone_pack).toMatchObject({ moderation: "hidden", is_public: true });
    await report(ben, "tone_pack", pack.id).refused(404, "report.target_not_found");

    await reverse();
    expect(await publicIds()).toContain(pack.id);
    expect((await api.get(path, ada).ok()).tone_pack.moderation).toBeNull();
  });

  it("is hidden from buyers and recipients, and active for them again if that is reversed", async () => {
    const pack = await makePack(api, ada, { is_public: true, price_drops: 5 });
    const buyer = await api.person();
    await adjustDrops(api, buyer, 20);
    await api.post(`/api/tone-packs/${pack.id}/purchase`, buyer, {}).created();
    await share(pack.id, ada, { user_id: ben.id }).ok();
    for (const person of [ada, ben, buyer]) await activate(pack.id, person).ok();
    const reverse = await hide(ben, "tone_pack", pack.id);
    for (const person of [ben, buyer]) {
      await api.get(`/api/tone-packs/${pack.id}`, person).refused(404, "tone_pack.not_found");
      expect(await activePackOf(api, person)).toBeNull();
      expect((await api.get("/api/tone-packs/active", person).ok()).tone_pack).toBeNull();
    }
    await api.post(`/api/tone-packs/${pack.id}/purchase`, buyer, {}).refused(404, "tone_pack.not_found");
    expect(await activePackOf(api, ada)).toBe(pack.id);
    await reverse();
    for (const person of [ben, buyer]) expect(await activePackOf(api, person)).toBe(pack.id);
  });
});

describe("a drop that is hidden", () => {
  it("is gone for its recipient, also from the count of unread ones, and stays in the sender's list", async () => {
    const body = { recipient_id: ben.id, content: "Go on." };
    const { drop } = await api.post("/api/encouragement-drops/send", ada, body).created();
    const reverse = await hide(ben, "drop", drop.id);
    const received = async () => {
      const { drops, unread_count } = await api.get("/api/encouragement-drops/received", ben).ok();
      return { ids: drops.map(({ id }) => id), unread_count };
    };
    expect(await received()).toEqual({ ids: [], unread_count: 0 });
    const readPath = `/api/encouragement-drops/received/${drop.id}/read` as const;
    await api.post(readPath, ben).refused(404, "encouragement.drop_not_found");
    expect((await api.get("/api/encouragement-drops/sent", ada).ok()).drops.map(({ id }) => id)).toEqual([drop.id]);
    await reverse();
    expect(await received()).toEqual({ ids: [drop.id], unread_count: 1 });
  });
});

describe("a check-in that is hidden", () => {
  const DATE = "2026-02-03";
  /** The photo address and the chips that someone sees in the list of the date. */
  async function seenBy(as: Person, id: string) {
    const { checkins } = await api.get(`/api/workout-window/checkins/${DATE}`, as).ok();
    const found = checkins.find((checkin) => checkin.id === id);
    return { hasPhoto: typeof found?.photo_url === "string", chips: found?.battle_chips_earned };
  }

  it("loses its photo for everyone but its owner and super admins, and keeps its result", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", status: "verified" });
    await playDay(api, { person: ben, date: DATE, team: "red", after: ada });
    await api.query`update nectar.chains set after_user_id = ${ben.id} where user_id = ${ada.id}`;
    const { id } = await api.one<{ id: string }>`
      insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
      select k.id, k.user_id, ${randomUUID()}, repeat('01', 32)::bit(64) from nectar.workout_checkins k
      where k.user_id = ${ada.id} returning checkin_id as id`;
    const admin = await api.person({ role: "admin" });
    const everyone = [ada, ben, admin, root];
    for (const person of everyone) expect(await seenBy(person, id)).toEqual({ hasPhoto: true, chips: 1 });

    const reverse = await hide(ben, "checkin", id);
    const { excerpt } = await api.one<{ excerpt: null }>`select excerpt from nectar.reports where target_id = ${id}`;
    expect(excerpt).toBeNull();
    for (const person of [ada, root]) expect(await seenBy(person, id)).toEqual({ hasPhoto: true, chips: 1 });
    for (const person of [ben, admin]) expect(await seenBy(person, id)).toEqual({ hasPhoto: false, chips: 1 });

    // Who decides about it sees it.
    const photo = expect.stringContaining(".jpg");
    const [reviewed] = (await api.get("/api/workout-window/admin/checkins", admin).ok()).checkins;
    expect(reviewed).toMatchObject({ photo_url: photo, age_hours: expect.any(Number) });
    const { reports } = await api.get("/api/admin/reports?target_type=checkin", admin).ok();
    expect(reports).toMatchObject([{ target_id: id, photo_url: photo, date: DATE }]);
    const [decision] = (await api.get("/api/moderation-decisions", ada).ok()).decisions;
    const reason = "It shows nothing but my running shoes.";
    await api.post(`/api/moderation-decisions/${decision?.id ?? ""}/appeal`, ada, { reason }).created();
    const { appeals } = await api.get("/api/admin/appeals", admin).ok();
    expect(appeals).toMatchObject([{ decision: { target_id: id }, photo_url: photo, date: DATE }]);

    await reverse();
    for (const person of everyone) expect(await seenBy(person, id)).toEqual({ hasPhoto: true, chips: 1 });
  });
});

describe("a message that is hidden", () => {
  const cast: Cast = beforeTests(() => signUpCast(api));
  const newMessage = async (teamId: string) =>
    (
      await api.one<{ id: string }>`insert into nectar.team_messages (team_id, sender_id, content)
        values (${teamId}, ${cast.coAdmin.id}, 'Lazy bones.') returning id`
    ).id;

  it("is seen by its sender and super admins only, until that is reversed", async () => {
    const { teamId } = await stage(api, cast);
    const id = await newMessage(teamId);
    const isSeenBy = (person: Person) =>
      api.database.asUser(person.id, async (tx) => {
        const rows = await tx.selectFrom("team_messages").select("id").where("id", "=", id).execute();
        return rows.length === 1;
      });
    await report(cast.stranger, "message", id).refused(404, "report.target_not_found");
    const reverse = await hide(cast.teammate, "message", id);
    const seen = async () => Promise.all([cast.coAdmin, cast.superAdmin, cast.teammate].map(isSeenBy));
    expect(await seen()).toEqual([true, true, false]);
    await report(cast.primary, "message", id).refused(404, "report.target_not_found");
    await reverse();
    expect(await seen()).toEqual([true, true, true]);
  });

  it("can be reported by those who blocked its sender, and not by those whom the sender blocked", async () => {
    const { teamId } = await stage(api, cast);
    const id = await newMessage(teamId);
    await api.post("/api/blocks", cast.teammate, { user_id: cast.coAdmin.id }).created();
    await api.post("/api/blocks", cast.coAdmin, { user_id: cast.primary.id }).created();
    await report(cast.teammate, "message", id).created();
    await report(cast.primary, "message", id).refused(404, "report.target_not_found");
  });
});
