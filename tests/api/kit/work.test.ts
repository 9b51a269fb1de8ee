import { beforeEach, describe, expect, it } from "vitest";
import { call } from "#database/call";
import { claimNextWork, claimWork, endWork, releaseWork, renewWork } from "#database/work";
import { whileClaimed } from "#http/jobs/claims";
import { useApi } from "#tests/api";
import { expireAllClaims } from "#tests/claims";

const api = useApi();
const KIND = "a-kind-of-a-test";
const WORK = { kind: KIND, key: "00000000-0000-0000-0000-000000000001" };
const NOON = new Date("2026-11-21T12:00:00Z");
const asService: typeof api.services.database.asService = (work) => api.services.database.asService(work);

const claim = () => asService((tx) => claimWork(tx, WORK, 60));
/** Claims the next work so many minutes after noon. */
const claimNextAt = (minutes: number) =>
  asService((tx) => claimNextWork(tx, KIND, new Date(NOON.getTime() + minutes * 60_000)));
/** Adds work that is due so many minutes after noon. */
const add = (key: string, minutes = 0) =>
  api.query`select private.add_work(${KIND}, ${key}, ${NOON}::timestamptz + ${minutes} * interval '1 minute')`;
const stored = () => api.query`select claim, attempts, due_at > now() as waits from private.work where kind = ${KIND}`;

/** The claim of a test that expects one. */
async function claimed() {
  const mine = await claim();
  if (mine === undefined) throw new Error("Nothing was claimed.");
  return mine;
}

beforeEach(() => api.query`delete from private.work where kind = ${KIND}`);

describe("work", () => {
  it("is claimed by one of those that try at the same time, and by the next one when it was released", async () => {
    const claims = (await Promise.all([claim(), claim(), claim(), claim()])).filter((one) => one !== undefined);
    expect(claims).toEqual([{ ...WORK, claim: expect.any(String), attempts: 1 }]);
    for (const mine of claims) await asService((tx) => releaseWork(tx, mine));
    expect(await claim()).toMatchObject({ attempts: 2 });
  });

  it("can be claimed in the millisecond in which it was added or released", async () => {
    for (let times = 0; times < 20; times += 1) {
      await asService(async (tx) => {
        await call(tx, "add_work", { kind: KIND, key: WORK.key });
        const mine = await claimWork(tx, WORK, 60);
        if (mine !== undefined) await releaseWork(tx, mine);
        expect(await claimWork(tx, WORK, 60)).toMatchObject({ attempts: 2 });
      });
    }
  });

  it("of a process that was killed is claimed again when its claim has expired", async () => {
    const killed = await claimed();
    expect(await claim()).toBeUndefined();
    await expireAllClaims(api);
    const next = await claimed();
    expect(next.attempts).toBe(2);
    // The process was only paused: what it does now changes nothing.
    expect(await asService((tx) => renewWork(tx, killed, 60))).toBe(false);
    await asService((tx) => releaseWork(tx, killed));
    await asService((tx) => endWork(tx, killed));
    expect(await stored()).toEqual([{ claim: next.claim, attempts: 2, waits: true }]);
  });

  it("stays claimed while it is renewed, and is gone when it is done", async () => {
    const mine = await claimed();
    await expireAllClaims(api);
    expect(await asService((tx) => renewWork(tx, mine, 60))).toBe(true);
    expect(await claim()).toBeUndefined();
    await asService((tx) => endWork(tx, mine));
    expect(await stored()).toEqual([]);
  });

  it("that is added again ends its claim, and counts its attempts anew", async () => {
    const mine = await claimed();
    await add(WORK.key);
    expect(await asService((tx) => renewWork(tx, mine, 60))).toBe(false);
    expect(await claim()).toMatchObject({ attempts: 1 });
  });

  it("is not there if the transaction of its cause, or of its claim, was rolled back", async () => {
    await api.inTransaction(({ query }) => query`select private.add_work(${KIND}, ${WORK.key}, ${NOON})`);
    expect(await stored()).toEqual([]);
    await add(WORK.key);
    const failing = asService(async (tx) => {
      await claimWork(tx, WORK, 60);
      throw new Error("The process died.");
    });
    await expect(failing).rejects.toThrow("died");
    expect(await stored()).toEqual([{ claim: null, attempts: 0, waits: false }]);
  });
});

describe("the next work of a kind", () => {
  const KEYS = ["one", "two", "three"].map((_, n) => WORK.key.replace(/1$/, `${n}`));

  it("is what has been due longest, and nothing that is due later", async () => {
    for (const [n, key] of KEYS.entries()) await add(key, 2 - n);
    expect((await claimNextAt(1))?.key).toBe(KEYS[2]);
    expect((await claimNextAt(1))?.key).toBe(KEYS[1]);
    expect(await claimNextAt(1)).toBeUndefined();
  });

  it("is claimed for twice as long each time, up to a maximum", async () => {
    await add(WORK.key);
    const ends = [0, 2, 6, 14, 30, 62, 126, 254, 510, 870, 1_230];
    for (const [attempt, end] of ends.entries()) {
      expect(await claimNextAt(end - 0.1)).toBeUndefined();
      expect(await claimNextAt(end)).toMatchObject({ attempts: attempt + 1 });
    }
  });

  it("is another one for each of those that claim at the same time", async () => {
    for (const key of KEYS) await add(key);
    let waiting = KEYS.length;
    const all = Promise.withResolvers<void>();
    // All commit after the last claim, so each must skip the rows of the others.
    const claims = KEYS.map(() =>
      asService(async (tx) => {
        const mine = await claimNextWork(tx, KIND, NOON);
        waiting -= 1;
        if (waiting === 0) all.resolve();
        await all.promise;
        return mine?.key;
      }),
    );
    expect((await Promise.all(claims)).sort()).toEqual(KEYS.sort());
  });
});

describe("whileClaimed", () => {
  it("does nothing while another process works, and releases what failed", async () => {
    const failing = whileClaimed(api.services, WORK, async () => {
      expect(await whileClaimed(api.services, WORK, () => Promise.resolve("done"))).toBeNull();
      throw new Error("The store is away.");
    });
    await expect(failing).rejects.toThrow("away");
    expect(await stored()).toEqual([{ claim: null, attempts: 1, waits: false }]);
    expect(await whileClaimed(api.services, WORK, ({ attempts }) => Promise.resolve(attempts))).toBe(2);
    expect(await stored()).toEqual([]);
  });

  it("leaves what the work itself has released", async () => {
    await whileClaimed(api.services, WORK, ({ release }) => release());
    expect(await stored()).toEqual([{ claim: null, attempts: 1, waits: false }]);
  });
});
