import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openToRealtime } from "#local/database/local-migrations";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { startSupabaseFront } from "#local/stack/supabase-front";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { type Person, TEST_JWT_SECRET, tokenFor } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { startTestSupabase } from "#tests/supabase";

// What open apps get, with the vendor's own client; the pages of the guide run against `npm run dev` in client/stories.test.ts.
const api = useApi();
const people = beforeTests(async () => {
  const [ada, ben, cleo] = await Promise.all([api.person(), api.person(), api.person()]);
  return { ada, ben, cleo, ...(await foundTeam(api, ada, [ben, cleo])) };
});
const TEAM_MESSAGE_COLUMNS = [
  ...["content", "created_at", "entry_id", "goal_id", "id", "sender_id", "squad_id", "team_id"],
];

const OTHER_SECRET = "another secret of more than 32 characters";

let lite: Awaited<ReturnType<typeof startTestSupabase>>;
let front: Awaited<ReturnType<typeof startSupabaseFront>>;
beforeAll(async () => {
  lite = await startTestSupabase(api.adminUrl);
  await openToRealtime(api.adminUrl);
  const keys = { ...LOCAL_SUPABASE_KEYS, jwtSecret: TEST_JWT_SECRET };
  front = await startSupabaseFront({ port: 0, liteUrl: lite.url, databaseUrl: api.adminUrl, keys });
});
afterAll(async () => {
  await front?.stop();
  await lite?.stop();
});

const clients: SupabaseClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.removeAllChannels())));

interface Wanted {
  readonly table: string;
  readonly filter?: string;
  readonly event?: "INSERT" | "UPDATE" | "DELETE" | "*";
}

/** Opens a channel as an app does, and collects what it gets. @param token null for none */
async function listen(
  wanted: Wanted,
  token: string | null,
  { wait = true, key = LOCAL_SUPABASE_KEYS.publishableKey } = {},
) {
  const client = createClient(front.url, key, { accessToken: async () => token });
  clients.push(client);
  // An app has signed in before; otherwise the client joins with its key alone at first.
  await client.realtime.setAuth();
  const changes: { eventType: string; new: Record<string, unknown>; old: Record<string, unknown>; errors: unknown }[] =
    [];
  const states: string[] = [];
  const channel = client
    .channel("rows", { config: { postgres_changes_options: { wait } } })
    .on(
      "postgres_changes",
      { event: "INSERT", schema: "nectar", ...wanted } as { event: "*"; schema: string },
      (change) => changes.push(change),
    )
    .on("system", {}, ({ status, message }) => states.push(`${status}: ${message}`))
    .subscribe((state, error) => states.push(error === undefined ? state : `${state}: ${error.message}`));
  return { client, channel, changes, states };
}

/** Opens a channel that is accepted. */
async function open(wanted: Wanted, { token }: Pick<Person, "token">) {
  const listening = await listen(wanted, token);
  await expect.poll(() => listening.states).toContain("SUBSCRIBED");
  return listening;
}

const say = (sender: Person, content: string) =>
  api.post(`/api/teams/${people.teamId}/messages`, sender, { content }).created();
const contents = ({ changes }: { changes: { new: Record<string, unknown> }[] }) =>
  changes.map((one) => one.new.content);

describe("an open app gets", () => {
  test("notifications of its user, and those of nobody else", async () => {
    const { ada, ben } = people;
    const adas = await open({ table: "notifications", filter: `user_id=eq.${ada.id}` }, ada);
    const bens = await open({ table: "notifications" }, ben);
    await api.post("/api/encouragement-drops/send", ben, { recipient_id: ada.id, content: "Good morning!" }).created();
    await api.post("/api/encouragement-drops/send", ada, { recipient_id: ben.id, content: "And to you!" }).created();
    await expect.poll(() => [adas.changes.length, bens.changes.length]).toEqual([1, 1]);
    const [change] = adas.changes;
    expect(change?.new).toEqual({
      ...{ id: expect.any(String), created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/), read_at: null },
      ...{ user_id: ada.id, type: "drop_received", data: expect.objectContaining({ drop_id: expect.any(String) }) },
    });
    expect(bens.changes[0]?.new).toMatchObject({ user_id: ben.id, type: "drop_received" });
  });

  test("messages of its teams, until its user leaves", async () => {
    const { ada, ben, teamId } = people;
    const room = { table: "team_messages", filter: `team_id=eq.${teamId}` };
    const dora = await api.person();
    await api.post(`/api/organizations/${people.orgId}/members`, ada, { user_id: dora.id }).created();
    await api.post(`/api/teams/${teamId}/members`, ada, { user_id: dora.id }).created();
    const [stays, leaves] = [await open(room, ben), await open(room, dora)];
    await say(ada, "Who brings the cake?");
    await expect
      .poll(() => [contents(stays), contents(leaves)])
      .toEqual([["Who brings the cake?"], ["Who brings the cake?"]]);
    await api.delete(`/api/teams/${teamId}/members/${dora.id}`, dora).ok();
    await say(ada, "Dora has left.");
    await expect.poll(() => contents(stays)).toEqual(["Who brings the cake?", "Dora has left."]);
    // Changes come in their order, so a later one that Dora gets shows that she got no other.
    const own = await open({ table: "notifications" }, dora);
    await api.query`insert into nectar.notifications (user_id, type) values (${dora.id}, 'badge_earned')`;
    await expect.poll(() => own.changes).toHaveLength(1);
    expect(contents(leaves)).toEqual(["Who brings the cake?"]);
    expect(Object.keys(stays.changes[0]?.new ?? {}).sort()).toEqual(TEAM_MESSAGE_COLUMNS);
  });

  test("no message of somebody with a block between them", async () => {
    const { ada, ben, cleo } = people;
    await api.post("/api/blocks", ben, { user_id: cleo.id }).created();
    const [bens, cleos] = [await open({ table: "team_messages" }, ben), await open({ table: "team_messages" }, cleo)];
    await say(cleo, "from Cleo");
    await say(ben, "from Ben");
    await say(ada, "from Ada");
    await expect.poll(() => contents(bens)).toEqual(["from Ben", "from Ada"]);
    await expect.poll(() => contents(cleos)).toEqual(["from Cleo", "from Ada"]);
    await api.delete(`/api/blocks/${cleo.id}`, ben).ok();
  });

  test("comments on what its user may read", async () => {
    const { ada, ben, teamId } = people;
    const shared = { metadata_visibility: "team", content_visibility: "team", team_id: teamId };
    const seen = await write(api, ada, shared);
    const hidden = await write(api, ada);
    const comments = await open({ table: "team_messages", filter: `entry_id=in.(${seen.id},${hidden.id})` }, ben);
    await api.post(`/api/journal/${hidden.id}/comments`, ada, { content: "To myself." }).created();
    await api.post(`/api/journal/${seen.id}/comments`, ada, { content: "To all." }).created();
    await expect.poll(() => contents(comments)).toEqual(["To all."]);
  });

  test("changes and deletions: of a deleted row only the id, and only without a filter", async () => {
    const { ada, ben, teamId } = people;
    const { id } = (await say(ada, "A slip")).team_message;
    const all = await open({ table: "team_messages", event: "*" }, ben);
    const filtered = await open({ table: "team_messages", event: "*", filter: `team_id=eq.${teamId}` }, ben);
    await api.query`update nectar.team_messages set content = 'A slip of the pen' where id = ${id}`;
    await api.delete(`/api/teams/${teamId}/messages/${id}`, ada).ok();
    await say(ada, "Better");
    await expect.poll(() => contents(filtered)).toContain("Better");
    expect(filtered.changes.map(({ eventType }) => eventType)).not.toContain("DELETE");
    const deletion = all.changes.find(({ eventType }) => eventType === "DELETE");
    expect(deletion).toMatchObject({ new: {}, old: { id } });
    expect(Object.keys(deletion?.old ?? {})).toEqual(["id"]);
  });
});

describe("a token", () => {
  /** Opens a channel with a token that ends after some seconds; after more of them if the machine is too busy for that. */
  async function openShortly({ id }: Pick<Person, "id">) {
    for (let seconds = 3; ; seconds *= 4) {
      const token = await tokenFor({ sub: id }, { expiresAt: Math.floor(Date.now() / 1_000) + seconds });
      const listening = await listen({ table: "notifications" }, token);
      await expect.poll(() => listening.states).not.toEqual([]);
      if (listening.states.includes("SUBSCRIBED")) return { ...listening, token };
    }
  }

  test("that ends closes the channel", async () => {
    const { states } = await openShortly(people.ada);
    await expect.poll(() => states).toContain("CLOSED");
    expect(states).toContainEqual(expect.stringMatching(/^error: Token has expired \d+ seconds ago$/));
  });

  test("that is renewed keeps the channel, and a refused one closes it", async () => {
    const { client, states, token } = await openShortly(people.ada);
    await client.realtime.setAuth(people.ada.token);
    const witness = await listen({ table: "notifications" }, token);
    await expect.poll(() => witness.states.join()).toMatch(/Token has expired/);
    expect(states).not.toContain("CLOSED");
    await client.realtime.setAuth(await tokenFor({ sub: people.ada.id }, { secret: OTHER_SECRET }));
    await expect.poll(() => states).toContain("CLOSED");
    expect(states).toContain("error: Failed to validate JWT signature");
  });

  test.each([
    ["has expired", "InvalidJWTToken: Token has expired", { expiresAt: 1 }, {}],
    ["has another signature", "JwtSignatureError: ", { secret: OTHER_SECRET }, {}],
    ["has no role", "InvalidJWTToken: Fields `role` and `exp` are required", {}, { role: undefined }],
  ])("is refused if it %s", async (_, reason, options, claims) => {
    const { states } = await listen(
      { table: "notifications" },
      await tokenFor({ sub: people.ada.id, ...claims }, options),
    );
    await expect.poll(() => states.join()).toContain(`CHANNEL_ERROR: ${reason}`);
  });

  test("is needed for rows: without one a client gets an error in their place", async () => {
    const { states, changes } = await listen({ table: "notifications" }, null);
    await expect.poll(() => states).toContain("SUBSCRIBED");
    await api.query`insert into nectar.notifications (user_id, type) values (${people.ada.id}, 'badge_earned')`;
    await expect.poll(() => changes).toMatchObject([{ new: {}, errors: ["Error 401: Unauthorized"] }]);
  });
});

describe("a subscription is refused", () => {
  test.each([
    ["to a table that is not published", { table: "profiles" }, "Please check Realtime is enabled"],
    [
      "with a filter by a column that the user may not read",
      { table: "notifications", filter: `caused_by=neq.${randomUUID()}` },
      "permission denied for table notifications",
    ],
    [
      "with a value of another type",
      { table: "notifications", filter: "user_id=eq.ada" },
      'invalid input syntax for type uuid: "ada"',
    ],
    ["with an unknown operator", { table: "notifications", filter: "type=is.null" }, "Error parsing `filter` params"],
  ])("%s", async (_, wanted, reason) => {
    const waiting = await listen(wanted, people.ada.token);
    await expect
      .poll(() => waiting.states.join())
      .toMatch(/CHANNEL_ERROR: RealtimeDisabledForConfiguration: Unable to/);
    expect(waiting.states.join()).toContain(reason);
    const { states } = await listen(wanted, people.ada.token, { wait: false });
    await expect.poll(() => states.join()).toContain("error: Unable to subscribe");
    expect(states[0]).toBe("SUBSCRIBED");
  });

  test("with another key than those of the project", async () => {
    const { states } = await listen({ table: "notifications" }, people.ada.token, { key: "sb_publishable_of_others" });
    await expect.poll(() => states.join()).toContain("CHANNEL_ERROR");
  });
});

test("everything else at the address reaches Supabase Lite", async () => {
  const { publishableKey, secretKey } = LOCAL_SUPABASE_KEYS;
  const client = createClient(front.url, secretKey, { auth: { persistSession: false } });
  await client.storage.createBucket("pictures", { public: true });
  expect((await client.storage.from("pictures").upload("a.txt", "Hello")).error).toBeNull();
  expect(await (await fetch(`${front.url}/storage/v1/object/public/pictures/a.txt`)).text()).toBe("Hello");
  const health = await fetch(`${front.url}/auth/v1/health`, { headers: { apikey: publishableKey } });
  expect(health.status).toBe(200);
});
