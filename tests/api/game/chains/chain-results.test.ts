import { describe, expect, it } from "vitest";
import { executeBattle } from "#functions/game/battles/runs";
import { chainResultScene, DATES, FIRST, WEEK } from "./chain-result-scene.ts";

const scene = chainResultScene();
const { api, query, servicesAt, momentOf, checkIn, endOf, review, idOf, record, chainNotices, battleChips, onTime } =
  scene;

describe("the check-in of the next player", () => {
  it("loses the chain bonus if the day of the previous player ends without a check-in", async () => {
    // In the grace before the window, when the previous player may still check in.
    const response = await checkIn({ player: 1, date: FIRST, sentAt: 7.9, isOdd: false });
    expect(response).toMatchObject({ chainStatus: "continued", battleChipsEarned: 2 });
    expect(await battleChips()).toEqual({ red: 2, blue: 0 });
    const { results } = await endOf(FIRST);
    expect(results).toMatchObject({ closed: 4, notified: 2 });
    expect(await record(1, FIRST)).toEqual({ status: "verified", chain_status: "broken", chips: 1, chain: 0 });
    expect(await battleChips()).toEqual({ red: 1, blue: 0 });
    expect(await chainNotices(1)).toEqual(["chain_broken"]);
  });

  it("gets it back if the previous player checks in late", async () => {
    const response = await checkIn({ player: 1, date: FIRST, sentAt: 9, isOdd: false });
    expect(response).toMatchObject({ chainStatus: "broken", battleChipsEarned: 1 });
    // An upload more than an hour later waits for an admin, and is no failure until the decision.
    await checkIn({ player: 0, date: FIRST, sentAt: 20, isOdd: true });
    expect(await record(1, FIRST)).toMatchObject({ chain_status: "continued", chips: 2 });
    expect(await battleChips()).toEqual({ red: 2, blue: 0 });
    expect(await chainNotices(1)).toEqual(["chain_restored"]);
    await endOf(FIRST);
    expect(await chainNotices(1)).toEqual(["chain_restored"]);
  });

  it("changes with reviews of the previous check-in, also after the day", async () => {
    await checkIn(onTime(0, true));
    await checkIn(onTime(1));
    const id = await idOf(0, FIRST);
    await endOf(FIRST);
    const later = momentOf(FIRST, 30);
    for (const status of ["rejected", "verified", "rejected", "verified"] as const) {
      await review(id, status, later);
      const [chain_status, chips] = status === "rejected" ? ["broken", 1] : ["continued", 2];
      expect(await record(1, FIRST)).toMatchObject({ chain_status, chips });
      expect(await battleChips()).toMatchObject({ red: chips });
    }
    expect(await chainNotices(1)).toEqual(["chain_broken", "chain_restored", "chain_broken", "chain_restored"]);
  });

  it.each([
    ["continues until the end of the day if it is rejected when it can be replaced", 8.2, "continued", []],
    ["breaks if it is rejected after the grace", 8.3, "broken", ["chain_broken"]],
  ])("%s", async (_, rejectedAt, chainStatus, notices) => {
    await checkIn(onTime(0, true));
    await checkIn({ player: 1, date: FIRST, sentAt: 7.9, isOdd: false });
    await review(await idOf(0, FIRST), "rejected", momentOf(FIRST, rejectedAt));
    expect(await record(1, FIRST)).toMatchObject({ chain_status: chainStatus });
    expect(await chainNotices(1)).toEqual(notices);
    await endOf(FIRST);
    expect(await record(1, FIRST)).toMatchObject({ chain_status: "broken", chips: 1 });
    expect(await chainNotices(1)).toEqual(["chain_broken"]);
  });

  it("keeps chain and chips that a battle ended with, and notifies no one", async () => {
    await checkIn(onTime(0, true));
    await checkIn(onTime(1));
    await executeBattle(servicesAt(momentOf(FIRST, 12)), WEEK);
    const before = await battleChips();
    await review(await idOf(0, FIRST), "rejected", momentOf(FIRST, 13));
    await endOf(FIRST);
    expect(await record(1, FIRST)).toMatchObject({ chain_status: "continued", chips: 2 });
    expect(await battleChips()).toEqual(before);
    expect(await chainNotices(1)).toEqual([]);
    // The player after one without a check-in is still notified.
    expect(await chainNotices(3)).toEqual(["chain_broken"]);
  });

  it("can be reviewed while the previous player starts the battle, without a deadlock", async () => {
    await checkIn(onTime(1, true));
    await query("insert into nectar.battles (week_start_date) values ($1)", [WEEK]);
    const id = await idOf(1, FIRST);
    await api.inTransaction(async (holder) => {
      await holder.query`select from nectar.battles for update`;
      const late = checkIn({ player: 0, date: FIRST, sentAt: 20, isOdd: false });
      await api.untilWaiting(1);
      const reviewed = review(id, "verified", momentOf(FIRST, 20));
      await api.untilWaiting(2);
      await holder.query`commit`;
      await Promise.all([late, reviewed]);
    });
    expect(await record(1, FIRST)).toEqual({ status: "verified", chain_status: "continued", chips: 2, chain: 1 });
    expect(await battleChips()).toEqual({ red: 2, blue: 2 });
  });
});

it("a streak changes with reviews of earlier days", async () => {
  const week = DATES.slice(0, 8);
  for (const date of week) await checkIn({ ...onTime(0, date === DATES[3]), date });
  const streaks = async () => {
    const streak = "(chip_breakdown ->> 'streak')::int as streak";
    return (await query(`select ${streak} from nectar.workout_checkins order by date`)).map((row) => row.streak);
  };
  expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  await review(await idOf(0, DATES[3] ?? ""), "verified", momentOf(DATES[8] ?? "", 1));
  expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 2, 2]);
  await review(await idOf(0, DATES[0] ?? ""), "rejected", momentOf(DATES[8] ?? "", 1));
  expect(await streaks()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
});
