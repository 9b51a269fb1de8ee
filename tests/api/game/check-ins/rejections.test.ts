import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { appealing } from "../../safety/appealing.ts";
import { GAME } from "../chain-scene.ts";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({
  environment: { ...(await useFileStore()), WORKOUT_WINDOW_CRON_SECRET: "a-secret-of-the-game-012345678" },
});
const { appeal, answer } = appealing(api);
const photos = checkInsOf(api);
const DAY = "2031-05-14";
const REASON = "This is the photo of somebody else.";

describe("a rejected check-in", () => {
  const admins = [
    beforeTests(() => api.person({ role: "admin" })),
    beforeTests(() => api.person({ role: "admin" })),
  ] as const;
  const ada = beforeEachTest(async () => {
    api.at(`${DAY}T05:00:00Z`);
    return photos.player(6);
  });
  const newPhoto = async (minute: number) =>
    photos.checkIn(ada, await photos.photoAt(`${DAY}T06:${minute}:00Z`)).created();
  const review = (id: string, status: string) =>
    api.put(`${GAME}/admin/checkins/${id}`, admins[0], { status, reason: REASON }).ok();
  const decisions = async () => (await api.get("/api/moderation-decisions", ada).ok()).decisions;
  async function rejected() {
    api.at(`${DAY}T06:40:00Z`);
    const { checkin } = await newPhoto(10);
    await review(checkin.id, "rejected");
    const [decision] = await decisions();
    if (decision === undefined) throw new Error("There is no decision.");
    return { id: checkin.id, decision };
  }

  it("is a decision with one notification, and verified again when its appeal is won", async () => {
    const { id, decision } = await rejected();
    expect(decision).toMatchObject({ target_type: "checkin", target_id: id, decision: "reject", reason: REASON });
    const { notifications } = await api.get("/api/notifications", ada).ok();
    expect(notifications.map(({ type }) => type).filter((type) => /review|moderation/.test(type))).toEqual([
      "checkin_reviewed",
    ]);
    const { id: appealId } = await appeal(ada, decision.id);
    await answer(admins[0], appealId, "reverse").refused(409, "appeal.same_reviewer");
    const listed = await api.get("/api/admin/appeals?status=open", admins[1]).ok();
    expect(listed.appeals.at(-1)).toMatchObject({
      id: appealId,
      date: DAY,
      age_hours: 0,
      photo_url: expect.any(String),
    });
    await answer(admins[1], appealId, "reverse").ok();
    const { checkin, status } = await api.get(`${GAME}/checkin/${DAY}`, ada).ok();
    expect([status, checkin?.review?.status, checkin?.battle_chips_earned]).toEqual(["completed", "verified", 2]);
    const { streak } = await api.get(`${GAME}/streak`, ada).ok();
    expect(streak.current).toBe(1);
    const { redTeam, blueTeam } = await api.get(`${GAME}/battle/week/2031-05-12`, ada).ok();
    expect(redTeam.totalChips + blueTeam.totalChips).toBe(2);
    await api.query`delete from auth.users where id = ${ada.id}`;
  });

  it("stays rejected when its appeal is lost", async () => {
    const { decision } = await rejected();
    const { id } = await appeal(ada, decision.id);
    await answer(admins[1], id, "uphold").ok();
    expect((await api.get(`${GAME}/checkin/${DAY}`, ada).ok()).status).toBe("failed");
  });

  it("keeps a replaced photo until the appeal is decided, which then changes only the appeal", async () => {
    const { decision } = await rejected();
    const [before] = await photos.stored(ada);
    await newPhoto(20);
    expect(await photos.leftovers(ada)).toEqual([]);
    const { id } = await appeal(ada, decision.id);
    const { appeals } = await api.get("/api/admin/appeals?status=open", admins[1]).ok();
    const shown = appeals.find((one) => one.id === id)?.photo_url ?? "";
    expect(new URL(shown).pathname).toContain(before);
    expect((await answer(admins[1], id, "reverse").ok()).appeal.status).toBe("reversed");
    expect(await photos.leftovers(ada)).toEqual([{ path: before }]);
    expect((await api.get(`${GAME}/checkin/${DAY}`, ada).ok()).checkin).toMatchObject({
      status: "verified",
      review: null,
    });
  });

  it("is not changed by an appeal after another review", async () => {
    const { id, decision } = await rejected();
    await review(id, "verified");
    const { id: appealId } = await appeal(ada, decision.id);
    api.at(`${DAY}T07:00:00Z`);
    await review(id, "rejected");
    await answer(admins[1], appealId, "reverse").ok();
    expect((await api.get(`${GAME}/checkin/${DAY}`, ada).ok()).status).toBe("failed");
    expect(await decisions()).toHaveLength(2);
  });

  it("loses its replaced photo with the account, and when nobody can appeal any more", async () => {
    await rejected();
    await newPhoto(20);
    await api.query`update nectar.moderation_decisions set decided_at = now() - interval '184 days' where owner_id = ${ada.id}`;
    await api.query`select private.expire_rejected_photos(10)`;
    expect(await photos.leftovers(ada)).toHaveLength(1);
  });
});
