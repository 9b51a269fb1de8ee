import { describe, expect, it } from "vitest";
import { value } from "#database/query";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { CRON_SECRET, runGameJob } from "../game/chain-scene.ts";
import { checkInsOf } from "../game/photo-scene.ts";
import { deliveryOf, received, subscribe, usePush } from "../notifications/notifying.ts";

const push = await usePush();
const api = useApi({
  environment: { ...(await useFileStore()), ...push.environment, WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET },
});
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));
const { checkIn, photoAt, unlinkedPlayers } = checkInsOf(api);
const { deliver } = deliveryOf(api);

const block = (as: Person, other: Person) => api.post("/api/blocks", as, { user_id: other.id }).created();

/** The types of a person's notifications, without those of matching, which no person causes. */
async function typesOf(person: Person): Promise<string[]> {
  const { notifications } = await api.get("/api/notifications", person).ok();
  return notifications.flatMap(({ type }) => (type === "chain_update" ? [] : type)).toSorted();
}

/** Sends a drop without waking the worker that pushes it. */
async function sendQuietly(sender: Person, recipient: Person): Promise<void> {
  const drop = JSON.stringify({ recipient_id: recipient.id, content: "Hi" });
  await api.database.asUser(sender.id, (tx) => value(tx)`select private.send_encouragement_drop(${drop}, now())`);
}

/** Three people in one squad, each of whom comes after the one before. The first one's window is from 6 to 8. */
async function chainOfThree(date: string) {
  const [first, second, third] = await unlinkedPlayers(date, [6, 8, 10]);
  for (const [before, after] of [
    [first, second],
    [second, third],
  ] as const) {
    await api.query`update nectar.chains set after_user_id = ${after.id} where user_id = ${before.id} and date = ${date}`;
    await api.query`update nectar.chains set before_user_id = ${before.id} where user_id = ${after.id} and date = ${date}`;
  }
  const ids = [first.id, second.id, third.id];
  await api.query`with s as (insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
    values (${date}, ${first.id}, ${second.id}, ${third.id}, 'red') returning id)
    update nectar.chains set squad_id = s.id from s where date = ${date} and user_id = any (${ids})`;
  return { first, second, third };
}

/** The effect is the same in both directions. */
const DIRECTIONS = [
  ["the recipient blocked", (recipient: Person, other: Person) => block(recipient, other)],
  ["the other blocked", (recipient: Person, other: Person) => block(other, recipient)],
] as const;

describe.each(DIRECTIONS)("if %s, the recipient is not notified", (_, blockEachOther) => {
  it("of being added by the other, which is refused, but of being added by a third", async () => {
    const { organization } = await api.post("/api/organizations", ben, { name: "Readers" }).created();
    const members = `/api/organizations/${organization.id}/members` as const;
    await blockEachOther(ada, ben);
    await api.post(members, ben, { user_id: ada.id }).refused(404, "user.not_found");
    expect(await typesOf(ada)).toEqual([]);
    await api.post(members, root, { user_id: ada.id }).created();
    expect(await typesOf(ada)).toEqual(["member_added"]);
  });

  it("of check-ins of the other in a chain and squad that have begun, and of no chain that breaks or continues", async () => {
    const { first, second, third } = await chainOfThree("2026-03-04");
    await blockEachOther(second, first);
    api.at("2026-03-04T06:30:00Z");
    const photo = await photoAt("2026-03-04T06:20:00Z");
    const fields = { latitude: "1", longitude: "2" };
    const { checkin, nextUserNotified } = await checkIn(first, photo, { fields }).created();
    expect(nextUserNotified, "as without a block").toBe(true);
    api.at("2026-03-04T08:30:00Z");
    await checkIn(second, await photoAt("2026-03-04T08:20:00Z")).created();
    expect(await typesOf(second)).toEqual([]);
    expect(await typesOf(third)).toEqual(["baton_pass", "battle_update", "battle_update"]);
    for (const status of ["rejected", "verified"]) {
      await api.put(`/api/workout-window/admin/checkins/${checkin.id}`, root, { status, reason: "To test it." }).ok();
    }
    expect(await typesOf(second)).toEqual([]);
    expect(await typesOf(first)).toEqual(["checkin_reviewed", "checkin_reviewed"]);
  });

  it("of a chain that breaks because the other did not check in", async () => {
    const { first, second, third } = await chainOfThree("2026-03-11");
    await blockEachOther(second, first);
    api.at("2026-03-12T00:30:00Z");
    await runGameJob(api, "end-of-day");
    expect(await typesOf(second)).not.toContain("chain_broken");
    expect(await typesOf(third)).toContain("chain_broken");
  });

  it("by a push that was queued before the block", async () => {
    const device = await subscribe(api, push.service, ada);
    await sendQuietly(ben, ada);
    await sendQuietly(await api.person(), ada);
    await blockEachOther(ada, ben);
    await deliver();
    expect(received(push.service, device)).toHaveLength(1);
    // Notifications from before stay in the app.
    expect(await typesOf(ada)).toEqual(["drop_received", "drop_received"]);
  });
});
