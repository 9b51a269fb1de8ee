import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNectar, type NectarError } from "#client";
import type { Conflict, SyncOptions } from "#client/sync";
import { routeToGroups } from "#functions/all";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import "#tests/seeded-properties";
import { horizon } from "./device.ts";
import { loadGuideDevice } from "./guide-device.ts";

const api = useApi();
const { lines, folder, openDevice } = await loadGuideDevice();

/** What happens to a request: it arrives or not, its response is lost, or the app is killed before it sees the response. */
type Weather = "fine" | "no request" | "no response" | "kill";

/** A device of a person in some weather, which survives its app. */
function deviceOf(person: Pick<Person, "id" | "token">, onConflict: SyncOptions["onConflict"] = ({ mine }) => mine) {
  const file = join(folder, randomUUID());
  const weather: Weather[] = [];
  const token = { value: person.token };
  const requests: string[] = [];
  const nectar = createNectar({
    baseUrl: "http://api.test",
    token: () => token.value,
    retries: 0,
    fetch: async (url, init) => {
      await api.query`delete from private.quota_uses where user_id = ${person.id} and name = 'changes'`;
      const now = weather.shift() ?? "fine";
      requests.push(`${init.method} ${new URL(url).pathname}`);
      if (now === "no request") throw new Error("no network");
      const response = await routeToGroups(api.services)(new Request(url, init));
      if (now === "kill") self.app.close();
      if (now === "no response") throw new Error("no network");
      return response;
    },
  });
  const open = () => openDevice(nectar, file, onConflict);
  const self = {
    ...{ file, weather, token, requests, app: open() },
    restart() {
      self.app = open();
    },
  };
  return self;
}
type Device = ReturnType<typeof deviceOf>;

/** The code of the error of an app whose database is closed. */
const KILLED = "ERR_INVALID_STATE";
const WALK = { title: "A walk", content: "To the lake" };
const codeOf = (call: Promise<void>) =>
  call.then(
    () => "done",
    (error: NectarError) => error.code ?? error.message,
  );
const pull = async ({ app }: Device) => {
  await horizon(api);
  await app.pull();
};
const find = ({ app }: Device, id: string) => app.things().find((thing) => thing.id === id);
const read = async (id: string, person: Person) => (await api.get(`/api/journal/${id}`, person).ok()).entry;

/** A person with two devices, and an entry that both have. */
async function together(onConflict?: SyncOptions["onConflict"]) {
  const ada = await api.person();
  const [phone, tablet, id] = [deviceOf(ada), deviceOf(ada, onConflict), randomUUID()];
  phone.app.write("create", "entry", id, WALK);
  await phone.app.push();
  await pull(phone);
  await pull(tablet);
  return { ada, phone, tablet, id };
}

it("is shown over SQLite in 40 lines", () => {
  expect(lines).toBeLessThanOrEqual(40);
});

describe("a queue of writes", () => {
  it("creates, updates and deletes things of each type, which refer to each other before the service knows them", async () => {
    const ada = await api.person();
    const phone = deviceOf(ada);
    const [notebook, entry, goal, checkIn, wellness, lost] = Array.from({ length: 6 }, () => randomUUID());
    if (!notebook || !entry || !goal || !checkIn || !wellness || !lost) throw new Error("No ids.");
    phone.app.write("create", "notebook", notebook, { name: "Walks" });
    phone.app.write("create", "entry", entry, { ...WALK, notebook_id: notebook });
    phone.app.write("update", "entry", entry, { mood: "calm" });
    phone.app.write("update", "entry", entry, { tags: ["lake"] });
    phone.app.write("create", "goal", goal, { title: "Run" });
    phone.app.write("create", "goal_check_in", checkIn, { goal_id: goal, status: "missed" });
    phone.app.write("update", "goal_check_in", checkIn, { goal_id: goal, status: "completed" });
    phone.app.write("create", "wellness_entry", wellness, { type: "sleep", hours: 7 });
    phone.app.write("create", "entry", lost, WALK);
    phone.app.write("delete", "entry", lost);
    await phone.app.push();
    const before = phone.app.things();
    expect(before.map(({ id }) => id).toSorted()).toEqual([notebook, entry, goal, checkIn, wellness].toSorted());
    await pull(phone);
    phone.app.write("update", "profile", ada.id, { full_name: "Ada L." });
    await phone.app.push();
    expect(await read(entry, ada)).toMatchObject({ notebook_id: notebook, mood: "calm", tags: ["lake"] });
    expect(find(phone, checkIn)?.data).toMatchObject({ goal_id: goal, status: "completed" });
    expect(find(phone, ada.id)?.data).toMatchObject({ full_name: "Ada L." });
    const withoutCounts = before.filter(({ type }) => type !== "notebook" && type !== "goal");
    for (const { id, data } of withoutCounts) expect(find(phone, id)?.data).toEqual(data);
  });

  it.each<Weather>(["no request", "no response", "kill"])("is sent again after %s, at any request", async (weather) => {
    const ada = await api.person();
    const never = () => {
      throw new Error("There is no conflict.");
    };
    for (let at = 0; at < 4; at += 1) {
      const [phone, id] = [deviceOf(ada, never), randomUUID()];
      phone.app.write("create", "entry", id, WALK);
      phone.app.write("update", "entry", id, { title: "Rain" });
      phone.app.write("create", "goal", randomUUID(), { title: "Run" });
      phone.weather.push(...Array<Weather>(at).fill("fine"), weather);
      expect(await codeOf(phone.app.push())).toBe(at === 3 ? "done" : weather === "kill" ? KILLED : "client.network");
      phone.restart();
      await phone.app.push();
      expect(phone.app.writes()).toEqual([]);
      expect(await read(id, ada)).toMatchObject({ title: "Rain" });
    }
    expect((await api.get("/api/journal?scope=own" as "/api/journal", ada).ok()).entries).toHaveLength(4);
  });

  it("stays when the token has ended, and goes on with a new one", async () => {
    const { ada, phone, id } = await together();
    phone.app.write("update", "entry", id, { title: "Rain" });
    phone.token.value = "ended";
    expect(await codeOf(phone.app.push())).toBe("auth.invalid_token");
    expect(await codeOf(phone.app.pull())).toBe("auth.invalid_token");
    expect(phone.app.writes()).toHaveLength(1);
    phone.token.value = ada.token;
    phone.requests.length = 0;
    await Promise.all([phone.app.push(), phone.app.push()]);
    expect(phone.requests).toEqual([`PUT /api/journal/${id}`]);
    expect(await read(id, ada)).toMatchObject({ title: "Rain" });
  });
});

describe("two devices that write the same entry", () => {
  it("hand mine, theirs and base to the app of the later one, and write what it decides", async () => {
    const conflicts: Conflict[] = [];
    const { ada, phone, tablet, id } = await together((conflict) => {
      conflicts.push(conflict);
      return { title: `${conflict.theirs?.title} + ${conflict.mine.title}` };
    });
    phone.app.write("update", "entry", id, { title: "Rain" });
    tablet.app.write("update", "entry", id, { title: "Sun" });
    tablet.app.write("update", "entry", id, { mood: "calm" });
    await phone.app.push();
    await tablet.app.push();
    expect(conflicts).toMatchObject([
      { mine: { title: "Sun" }, theirs: { title: "Rain" }, base: WALK, error: { code: "sync.changed_meanwhile" } },
      { mine: { mood: "calm" }, theirs: { title: "Rain + Sun" }, base: WALK },
    ]);
    expect(await read(id, ada)).toMatchObject({ title: "Rain + Sun + undefined" });
    await pull(phone);
    await pull(tablet);
    expect(phone.app.things().map(({ etag }) => etag)).toEqual(tablet.app.things().map(({ etag }) => etag));
  });

  it("keep theirs when the app decides nothing, and both when they wrote the same", async () => {
    const asked: Conflict[] = [];
    const { ada, phone, tablet, id } = await together((conflict) => void asked.push(conflict));
    phone.app.write("update", "entry", id, { title: "Rain" });
    tablet.app.write("update", "entry", id, { title: "Rain" });
    await phone.app.push();
    await tablet.app.push();
    expect(asked).toHaveLength(0);
    phone.app.write("update", "entry", id, { title: "Sun" });
    await phone.app.push();
    tablet.app.write("delete", "entry", id);
    await tablet.app.push();
    expect(asked).toHaveLength(1);
    expect(await read(id, ada)).toMatchObject({ title: "Sun" });
    expect(find(tablet, id)?.data).toMatchObject({ title: "Sun" });
  });

  it("tell the app of what is gone or can never be written, and go on; the queue stays if the app throws", async () => {
    const told: unknown[] = [];
    let isReady = false;
    const { phone, tablet, id } = await together(({ error, theirs }) => {
      if (!isReady) throw new Error("Ask the user first.");
      told.push(error.code, theirs?.title);
      return { title: "Never" };
    });
    phone.app.write("delete", "entry", id);
    await phone.app.push();
    tablet.app.write("update", "entry", id, { title: "Rain" });
    tablet.app.write("create", "entry", id, WALK);
    tablet.app.write("create", "notebook", randomUUID(), { name: "" });
    expect(await codeOf(tablet.app.push())).toBe("Ask the user first.");
    expect(tablet.app.writes()).toHaveLength(3);
    isReady = true;
    await tablet.app.push();
    expect(told).toEqual(["journal.not_found", undefined, "sync.id_taken", undefined, "request.invalid", undefined]);
    expect(tablet.app.writes()).toEqual([]);
    expect(find(tablet, id)).toBeUndefined();
  });

  it("are in no conflict with themselves when they pull what they pushed", async () => {
    const { ada, tablet, id } = await together(() => {
      throw new Error("There is no conflict.");
    });
    tablet.app.write("update", "entry", id, { mood: "calm" });
    tablet.app.write("update", "entry", id, { title: "Sun" });
    tablet.weather.push("fine", "no request");
    expect(await codeOf(tablet.app.push())).toBe("client.network");
    await pull(tablet);
    await tablet.app.push();
    expect(await read(id, ada)).toMatchObject({ title: "Sun", mood: "calm" });
  });

  it("do not overwrite what was written after a response that was lost for longer than it is kept", async () => {
    const asked: unknown[] = [];
    const ada = await api.person();
    const [phone, tablet, id] = [
      deviceOf(ada, ({ theirs }) => void asked.push(theirs?.title)),
      deviceOf(ada),
      randomUUID(),
    ];
    phone.app.write("create", "entry", id, WALK);
    phone.app.write("update", "entry", id, { title: "Sun" });
    phone.weather.push("no response");
    expect(await codeOf(phone.app.push())).toBe("client.network");
    await api.query`delete from private.idempotency_keys where user_id = ${ada.id}`;
    await pull(tablet);
    tablet.app.write("update", "entry", id, { title: "Rain" });
    await tablet.app.push();
    await phone.app.push();
    expect(asked).toEqual(["Rain"]);
    expect(await read(id, ada)).toMatchObject({ title: "Rain" });
  });

  it("do not overwrite what was written between two writes of the other one", async () => {
    const asked: unknown[] = [];
    const { ada, phone, tablet, id } = await together(({ theirs }) => void asked.push(theirs?.title));
    tablet.app.write("update", "entry", id, { mood: "calm" });
    tablet.app.write("update", "entry", id, { title: "Sun" });
    tablet.weather.push("fine", "no request");
    expect(await codeOf(tablet.app.push())).toBe("client.network");
    await pull(phone);
    phone.app.write("update", "entry", id, { title: "Rain" });
    await phone.app.push();
    await pull(tablet);
    await tablet.app.push();
    expect(asked).toEqual(["Rain"]);
    expect(await read(id, ada)).toMatchObject({ title: "Rain", mood: "calm" });
  });
});

describe("the first walk of a device", () => {
  it("deletes what the device wrote before it, if another one has deleted that since", async () => {
    const ada = await api.person();
    const [phone, tablet, id] = [deviceOf(ada), deviceOf(ada), randomUUID()];
    phone.app.write("create", "entry", id, WALK);
    await phone.app.push();
    await pull(tablet);
    tablet.app.write("delete", "entry", id);
    await tablet.app.push();
    await pull(phone);
    expect(phone.app.things().map(({ type }) => type)).toEqual(["profile"]);
  });
});

describe("a cursor that has expired", () => {
  it("begins a walk from the beginning, which goes on after a kill, and deletes what it did not name", async () => {
    const { ada, phone, tablet, id } = await together();
    const others = Array.from({ length: 201 }, () => randomUUID());
    await api.query`
      insert into nectar.wellness_entries (id, user_id, type, rating)
      select unnest(${others}::uuid[]), ${ada.id}, 'satisfaction', 5`;
    await pull(tablet);
    phone.app.write("delete", "entry", id);
    await phone.app.push();
    await api.query`delete from private.removed_things where id = ${id}`;
    expire(tablet);
    tablet.weather.push("fine", "fine", "kill");
    expect(await codeOf(tablet.app.pull())).toBe(KILLED);
    tablet.restart();
    expect(find(tablet, id)).toBeDefined();
    await pull(tablet);
    expect(tablet.app.things().map((thing) => thing.id)).toEqual(expect.arrayContaining([...others, ada.id]));
    expect(tablet.app.things()).toHaveLength(202);
  });
});

/** Replaces the cursor of a device by one that does not count any more. */
function expire({ file }: Device): void {
  const db = new DatabaseSync(file);
  db.exec("update cursors set json = replace(json, 'cursor\\\":\\\"', 'cursor\\\":\\\"no')");
  db.close();
}

const Step = fc.record({
  device: fc.nat(2),
  act: fc.constantFrom(
    "create",
    "create",
    "update",
    "update",
    "update",
    "delete",
    "restore",
    "push",
    "push",
    "pull",
    "expire",
  ),
  type: fc.constantFrom("entry", "notebook", "goal", "goal_check_in", "wellness_entry"),
  pick: fc.nat(1000),
  weather: fc.array(fc.constantFrom<Weather>("fine", "fine", "fine", "no request", "no response", "kill"), {
    maxLength: 3,
  }),
});
type Step = typeof Step extends fc.Arbitrary<infer One> ? One : never;

it("leaves all devices with what the service has, whatever happened", async () => {
  const histories = fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 60 }), async (steps) => {
    const ada = await api.person();
    const decide = ({ mine, write }: Conflict) => (write.key < "8" ? mine : undefined);
    const devices = [deviceOf(ada, decide), deviceOf(ada, decide), deviceOf(ada, decide)] as const;
    for (const step of steps) await take(devices[step.device as 0], step, ada);
    for (const device of devices) {
      device.weather.length = 0;
      device.restart();
      await device.app.push();
    }
    const fresh = deviceOf(ada);
    await pull(fresh);
    for (const device of devices) {
      await pull(device);
      expect(device.app.writes()).toEqual([]);
      expect(device.app.things().map(comparable)).toEqual(fresh.app.things().map(comparable));
    }
  });
  await fc.assert(histories, { numRuns: LONG ? 2_000 : 6, endOnFailure: !LONG });
});

/** A thing without what changes no etag: counts and streaks. */
const comparable = ({ type, id, etag, data }: ReturnType<Device["app"]["things"]>[number]) => {
  const { entry_count, streak, ...others } = data;
  return { type, id, etag, data: others };
};

const MADE = {
  entry: WALK,
  notebook: { name: "Walks" },
  goal: { title: "Run" },
  goal_check_in: { status: "partial" },
  wellness_entry: { type: "sleep", hours: 7 },
};
const CHANGED = { entry: "title", notebook: "name", goal: "title", goal_check_in: "notes", wellness_entry: "notes" };

/** What a user does with a device, and what happens to it. */
async function take(device: Device, { act, type, pick, weather }: Step, ada: Person): Promise<void> {
  const { app } = device;
  const things = app.things().filter((thing) => thing.type === type);
  const picked = things[pick % Math.max(things.length, 1)];
  const goals = [...app.things(), ...app.writes().filter(({ action }) => action === "create")];
  const goal_id = picked?.data.goal_id ?? goals.filter((thing) => thing.type === "goal")[0]?.id;
  const ofGoal = type === "goal_check_in" ? { goal_id } : {};
  if (act === "create" && (type !== "goal_check_in" || goal_id !== undefined)) {
    app.write("create", type, randomUUID(), { ...MADE[type], ...ofGoal });
  } else if (act === "update" && picked !== undefined) {
    app.write("update", type, picked.id, { [CHANGED[type]]: `${pick}`, ...ofGoal });
  } else if (act === "delete" && picked !== undefined) {
    app.write("delete", type, picked.id, ofGoal);
  } else if (act === "restore") {
    const { entries } = await api.get("/api/journal/trash", ada).ok();
    const [trashed] = entries;
    if (trashed) await api.post(`/api/journal/${trashed.id}/restore`, ada).ok();
  } else if (act === "expire") {
    expire(device);
  } else if (act === "push" || act === "pull") {
    device.weather.push(...weather);
    const ended = await codeOf(app[act]());
    expect(["done", "client.network", KILLED]).toContain(ended);
    device.weather.length = 0;
    if (ended !== "done") device.restart();
  }
}
