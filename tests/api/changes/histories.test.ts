import fc from "fast-check";
import { expect, it } from "vitest";
import { etagOf } from "#http/request/conditions";
import { type TestApi, useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { importsOf } from "../imports/import-scene.ts";
import { Device, horizon } from "./device.ts";

const HISTORIES = LONG ? 2_000 : 12;
const DEVICES = 3;

const api = useApi({ environment: await useFileStore() });
/** How often something happened, so that the test cannot pass without all cases. */
const happened = new Map<string, number>();

/** A thing of the person, with its address and a change of it. */
interface Thing {
  readonly at: string;
  readonly change: object;
}

/** A transaction beside all requests. */
interface Late {
  commit(): Promise<void>;
}

/** A person with devices, in the middle of a history. */
interface Scene {
  readonly api: TestApi;
  readonly ada: Person;
  readonly devices: readonly Device[];
  readonly things: Thing[];
  readonly late: Late[];
  /** Wellness entries that only late transactions write. */
  readonly reserved: string[];
}

const NEW = [
  { at: "/api/journal", body: { title: "A walk", content: "To the lake" }, change: { content: "To the sea" } },
  { at: "/api/notebooks", body: { name: "Walks" }, change: { template: "Where?" } },
  { at: "/api/goals", body: { title: "Run" }, change: { description: "In spring" } },
  { at: "/api/wellness-entries", body: { type: "sleep", hours: 7 }, change: { notes: "Deep" } },
] as const;

const pick = <Item>(items: readonly Item[], n: number) => items[n % Math.max(items.length, 1)];

async function create({ api, ada, things }: Scene, n: number) {
  const { at, body, change } = NEW[n % NEW.length] ?? NEW[0];
  const { body: made } = await api.send("POST", at, { as: ada, body });
  const [thing]: { id: string }[] = Object.values(Object(made));
  things.push({ at: `${at}/${thing?.id}`, change: { ...change } });
  if (at !== "/api/goals") return;
  await api.send("POST", `${at}/${thing?.id}/check-ins`, { as: ada, body: { status: "completed" } });
}

const send = ({ api, ada }: Scene, method: string, { at, change }: Thing) =>
  api.send(method, at, { as: ada, body: method === "PUT" ? change : undefined });

/** Reads a refusal, because the thing may be gone. */
async function tried(response: ReturnType<typeof send>) {
  expect([200, 201, 404]).toContain((await response).status);
}

const STEPS: Readonly<Record<string, (scene: Scene, n: number) => Promise<unknown>>> = {
  create,
  "create again": create,
  async change(scene, n) {
    const thing = pick(scene.things, n);
    if (thing !== undefined) await tried(send(scene, "PUT", thing));
  },
  async "change two at once"(scene, n) {
    const both = [pick(scene.things, n), pick(scene.things, n + 1)].flatMap((thing) => thing ?? []);
    await Promise.all(both.map((thing) => tried(send(scene, "PUT", thing))));
  },
  async remove(scene, n) {
    const thing = pick(scene.things, n);
    if (thing !== undefined) await tried(send(scene, "DELETE", thing));
  },
  async restore({ api, ada }, n) {
    const trashed = pick((await api.get("/api/journal/trash", ada).ok()).entries, n);
    if (trashed !== undefined) await api.post(`/api/journal/${trashed.id}/restore`, ada).ok();
  },
  async "delete for good"({ api, ada }, n) {
    const trashed = pick((await api.get("/api/journal/trash", ada).ok()).entries, n);
    if (trashed !== undefined) await api.delete(`/api/journal/trash/${trashed.id}`, ada).ok();
  },
  async picture({ api, ada }) {
    await api.query`
      insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
      select gen_random_uuid(), gen_random_uuid(), e.user_id, e.id, c.picture_count, 8, 6, 99
      from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id
      where e.user_id = ${ada.id} and c.picture_count < 20 limit 1`;
  },
  async import({ api, ada }, n) {
    const notes = Array.from({ length: 1 + (n % 3) }, (_, day) => `2026-05-0${day + 1}.md`);
    await importsOf(api).imported(
      ada,
      "markdown",
      notes.map((path) => ({ path, content: `# Note ${n}` })),
    );
  },
  async profile({ api, ada }, n) {
    await api
      .put("/api/user/profile", ada, n % 2 ? { full_name: `Ada ${n}` } : { preferences: { theme: `t${n}` } })
      .ok();
  },
  async "begin late"({ api, ada, late, reserved }, n) {
    if (late.length < 2) late.push(await begin(api, ada, n % 2 ? reserved.shift() : undefined, reserved));
  },
  async "commit late"({ late }, n) {
    if (late.length > 0) await late.splice(n % late.length, 1)[0]?.commit();
  },
  async pull({ devices }, n) {
    await pick(devices, n)?.pull({ limit: 1 + (n % 3), pages: 1 + (n % 4) });
  },
  async "pull to the end"({ devices }, n) {
    await pick(devices, n)?.pull({ limit: 3 });
  },
  async "lose a page"({ devices }, n) {
    await pick(devices, n)?.lose();
  },
  async "lose a cursor"({ devices }, n) {
    pick(devices, n)?.restart();
  },
};

/** Begins a transaction that writes an entry, and deletes one, and commits when it is told to. */
async function begin(api: TestApi, ada: Person, deleted: string | undefined, reserved: string[]): Promise<Late> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = api.inTransaction(async ({ query, one }) => {
    const { id } = await one<{ id: string }>`
      insert into nectar.wellness_entries (user_id, type, content) values (${ada.id}, 'action_note', 'Late') returning id`;
    if (deleted !== undefined) await query`delete from nectar.wellness_entries where id = ${deleted}`;
    begun.resolve();
    await end.promise;
    await query`commit`;
    reserved.push(id);
  });
  done.catch(begun.reject);
  await begun.promise;
  return {
    commit: () => {
      end.resolve();
      return done;
    },
  };
}

/** The etag of each thing of a person, by its type and id, from the rows themselves. */
async function stored({ id }: Person): Promise<Record<string, string>> {
  const rows = await api.query<{ type: string; id: string; version: string }>`
    select 'entry' as type, id, version from nectar.journal_entries where user_id = ${id}
    union all select 'notebook', id, version from nectar.notebooks where user_id = ${id}
    union all select 'goal', id, version from nectar.goals where user_id = ${id}
    union all select 'goal_check_in', id, version from nectar.goal_check_ins where user_id = ${id}
    union all select 'wellness_entry', id, version from nectar.wellness_entries where user_id = ${id}
    union all select 'picture', id, version from nectar.entry_pictures where user_id = ${id} and entry_id is not null
    union all select 'profile', user_id, version from nectar.accounts where user_id = ${id}`;
  return Object.fromEntries(rows.map((row) => [`${row.type} ${row.id}`, etagOf(row)] as const).toSorted());
}

it(`after the last pull every device has what the server has, in ${HISTORIES} random histories`, async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat({ max: 99 }));
  const history = fc.array(step, { minLength: 20, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const ada = await api.person();
      const devices = Array.from({ length: DEVICES }, () => new Device(api, ada));
      const scene: Scene = { api, ada, devices, things: [], late: [], reserved: [] };
      try {
        for (const [name, n] of steps) {
          await STEPS[name]?.(scene, n);
          happened.set(name, (happened.get(name) ?? 0) + 1);
        }
      } finally {
        for (const late of scene.late) await late.commit();
      }
      await horizon(api);
      const expected = await stored(ada);
      for (const device of devices) {
        // Ends a walk that began earlier, if the device is in one.
        await device.pull({ limit: 7 });
        await device.pull({ limit: 7 });
        expect(device.etags()).toEqual(expected);
      }
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  );
  expect(Object.keys(STEPS).filter((name) => !happened.has(name))).toEqual([]);
});
