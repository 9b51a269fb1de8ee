import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { beforeEachTest } from "#tests/prepare";
import { type Acting, type Actor, become, connect, refusalOf, useActing } from "../support/acting.ts";
import { named, type Role, type Stage, setStage } from "../support/stage.ts";

/** One side of a race: who does what, in SQL that names things of the stage. */
export type Move = readonly [by: Role | "service", statement: string];

/** How the second side fared: whether it had to wait for the first, and what became of it. */
export interface RaceResult {
  readonly waited: boolean;
  /** Rows, or the error code that refused it; "at commit" when only the commit was refused. */
  readonly second: number | string;
}

/** Races in a database of their own, with a new stage for each test. */
export interface Races {
  readonly acting: Acting;
  readonly stage: Stage;
  /**
   * Runs two statements so that the second begins when the first is done but not committed. Then the first commits and the
   * second goes on.
   */
  race(first: Move, second: Move): Promise<RaceResult>;
  /** Runs the same two in both orders, each on a stage of its own. */
  inBothOrders(one: Move, other: Move, check: (result: RaceResult) => Promise<void>): Promise<void>;
  /** Sets the stage again, for another race in the same test. */
  setAgain(): Promise<void>;
}

/** Gives the test file a database of its own for races. */
export function useRaces(): Races {
  const acting = useActing();
  const stage = beforeEachTest(() => setStage(acting.adminUrl, acting.admin));
  const race: Races["race"] = (first, second) => raceOf(acting, sideOf(stage, first), sideOf(stage, second));
  const setAgain = async () => {
    Object.assign(stage, await setStage(acting.adminUrl, acting.admin));
  };
  return {
    acting,
    stage,
    race,
    async inBothOrders(one, other, check) {
      await check(await race(one, other));
      await setAgain();
      await check(await race(other, one));
    },
    setAgain,
  };
}

interface Side {
  readonly by: Actor;
  readonly statement: string;
}

function sideOf(stage: Stage, [by, statement]: Move): Side {
  return { by: by === "service" ? by : stage.actors[by], statement: named(stage, statement) };
}

async function raceOf({ apiUrl, admin }: Acting, first: Side, second: Side): Promise<RaceResult> {
  const [one, two] = await Promise.all([connect(apiUrl), connect(apiUrl)]);
  try {
    await begin(one, first.by);
    await begin(two, second.by);
    await one.query(first.statement);
    const processId = await processIdOf(two);
    const settled = two.query(second.statement).then(
      (result) => result.rowCount ?? 0,
      (error: unknown) => refusalOf(error),
    );
    const waited = await isWaiting(admin, processId, settled);
    await one.query("commit");
    const outcome = await settled;
    if (typeof outcome === "string") {
      await two.query("rollback");
      return { waited, second: outcome };
    }
    try {
      await two.query("commit");
      return { waited, second: outcome };
    } catch (error) {
      return { waited, second: `${refusalOf(error)} at commit` };
    }
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
}

async function processIdOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_catalog.pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

async function begin(client: pg.Client, actor: Actor): Promise<void> {
  await client.query("begin");
  await become(client, actor);
}

/** Whether a backend comes to wait for a lock before its statement is through. */
async function isWaiting(admin: pg.Client, processId: number, settled: Promise<unknown>): Promise<boolean> {
  let done = false;
  void settled.then(() => {
    done = true;
  });
  while (!done) {
    const { rows } = await admin.query(
      "select from pg_catalog.pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
      [processId],
    );
    if (rows.length > 0) return true;
    await sleep(5);
  }
  return false;
}
