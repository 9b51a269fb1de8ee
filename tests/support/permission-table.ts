import { beforeAll, describe, expect, it } from "vitest";
import type { TestApi } from "./api.ts";
import { type Cast, readAsOwner, type Stage, signUpCast, stage } from "./cast.ts";
import type { Person } from "./people.ts";

/** "nobody" sends no token. The statuses of an action stand in this order. */
const ACTORS = [
  "owner",
  "admin",
  "member",
  "primary",
  "coAdmin",
  "teammate",
  "exMember",
  "stranger",
  "superAdmin",
  "nobody",
] as const;
type Actor = (typeof ACTORS)[number];

export interface Action {
  readonly name: string;
  readonly request: (stage: Stage, cast: TableCast) => readonly [method: string, path: string, body?: object];
  /** The status for every actor, in the order of ACTORS. */
  readonly statuses: readonly number[];
}

/** The cast and somebody who is in no organization and whom it may concern. */
export interface TableCast extends Cast {
  readonly newcomer: Person;
}

/** Asks for every action as every actor: the status must be the one of the table, and what is refused changes nothing. */
export function describePermissions(api: TestApi, actions: readonly Action[]): void {
  let cast: TableCast;
  beforeAll(async () => {
    cast = { ...(await signUpCast(api)), newcomer: await api.person() };
  });

  async function ask({ request }: Action, actor: Actor, scene: Stage): Promise<number> {
    const [method, path, body] = request(scene, cast);
    const as = actor === "nobody" ? undefined : cast[actor];
    return (await api.send(method, path, { as, body })).status;
  }

  describe.each(actions)("$name", (action) => {
    const expected = Object.fromEntries(ACTORS.map((actor, index) => [actor, action.statuses[index]]));
    const allowed = ACTORS.filter((actor) => (expected[actor] ?? 0) < 300);

    it(`is refused without effect, or allowed to: ${allowed.join(", ") || "none"}`, async () => {
      const shared = await stage(api, cast);
      const before = await readAsOwner(api, cast, shared);
      const changes = action.request(shared, cast)[0] !== "GET";
      const answered: Record<string, number> = {};
      for (const actor of ACTORS) {
        if (!(changes && allowed.includes(actor))) answered[actor] = await ask(action, actor, shared);
      }
      expect(await readAsOwner(api, cast, shared)).toEqual(before);

      // A request with an effect gets a stage of its own.
      for (const actor of changes ? allowed : []) {
        const own = await stage(api, cast);
        const untouched = await readAsOwner(api, cast, own);
        answered[actor] = await ask(action, actor, own);
        expect(await readAsOwner(api, cast, own)).not.toEqual(untouched);
      }
      expect(answered).toEqual(expected);
    });
  });
}
