import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { deletionsOf } from "#tests/deletions";
import type { Person } from "#tests/people";
import { HOUR_MS, SECRET, sceneOf } from "../engaging.ts";
import { sendTo } from "../sending.ts";

/* Auth deletes an account while its drops are sent or paid: neither may make the other fail. */

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
const scene = sceneOf(api);
const { deletedAfter, deletedDuring } = deletionsOf(api);
const TODAY = "2031-05-18";
const NOW = new Date(`${TODAY}T12:00:00Z`);
beforeAll(() => api.at(NOW));
const allowanceOf = (person: Person) => ({
  text: "select from nectar.encouragement_allowances where user_id = $1 for update",
  values: [person.id],
});

describe("an account that is deleted while engagement is processed", () => {
  let stays: Person;
  let goes: Person;

  /** Both have a drop that was followed by an entry. The job processes `stays` first. */
  beforeEach(async () => {
    await api.query`delete from nectar.encouragement_drops`;
    const recipient = await api.person();
    const [one, two] = [await api.person(), await api.person()];
    [stays, goes] = one.id < two.id ? [one, two] : [two, one];
    const sentAt = new Date(NOW.getTime() - 2 * HOUR_MS);
    for (const { id } of [stays, goes]) await scene.dropAt(id, recipient.id, sentAt);
    await scene.entryAt(recipient.id, new Date(sentAt.getTime() + 1));
  });

  it("is deleted if the deletion was first, and the other sender gets the bonus", async () => {
    const { status, body } = await deletedDuring(goes, () => scene.run());
    expect([status, body.results?.engaged]).toEqual([200, 1]);
    expect(await scene.earnedToday(stays.id)).toBe(2);
  });

  it("is deleted after both are paid if the job was first", async () => {
    await api.query`insert into nectar.encouragement_allowances (user_id, date, daily_allowance)
      values (${stays.id}, ${TODAY}, 5)`;
    // The drops are closed, and the bonus of the first sender is about to be written.
    const { answer, isDeleted } = await deletedAfter(goes, allowanceOf(stays), () => scene.run());
    expect([answer.status, answer.body.results?.engaged, isDeleted]).toEqual([200, 2, true]);
    expect(await scene.earnedToday(stays.id)).toBe(2);
  });
});

it("an account that is deleted while it sends a drop is deleted after the drop is sent if that was first", async () => {
  const [sender, recipient] = [await api.person(), await api.person()];
  await sendTo(api, sender, recipient).created();
  const { answer, isDeleted } = await deletedAfter(sender, allowanceOf(sender), () => sendTo(api, sender, recipient));
  expect([answer.status, isDeleted]).toEqual([201, true]);
});
