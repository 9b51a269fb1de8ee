import { describe, expect, test } from "vitest";
import { scripted } from "./scripted.ts";

const server = () => scripted([Response.json({})]);

describe("the input of an operation", () => {
  test("fills the path, and the rest becomes the query; lists repeat their name", async () => {
    const { nectar, sent } = server();
    await nectar.notebooks.listEntries({ id: "a/b ü", limit: 2, fields: "excerpt" });
    await nectar.journal.listEntries({ tag: ["new job", "a&b"], q: undefined as never });
    await nectar.journal.listEntries();
    expect(sent.map(({ url }) => url)).toEqual([
      "https://api.test/api/notebooks/a%2Fb%20%C3%BC/entries?limit=2&fields=excerpt",
      "https://api.test/api/journal?tag=new+job&tag=a%26b",
      "https://api.test/api/journal",
    ]);
    expect(sent[0]?.init.body).toBeUndefined();
    expect(sent[0]?.headers.get("content-type")).toBeNull();
  });

  test("has another name for the id of a body, if the path has an id too", async () => {
    const { nectar, sent } = server();
    await nectar.goals.createCheckIn({ id: "7", checkInId: "8", status: "completed" });
    await nectar.goals.create({ id: "8", title: "Run" });
    expect(sent.map(({ url, init }) => [url, JSON.parse(String(init.body))])).toEqual([
      ["https://api.test/api/goals/7/check-ins", { id: "8", status: "completed" }],
      ["https://api.test/api/goals", { id: "8", title: "Run" }],
    ]);
  });

  test("has no null and no empty text in a query, which ask for nothing; a body keeps them", async () => {
    const { nectar, sent } = server();
    const empty = { q: null, mood: "", tag: ["", "lake"], notebook_id: null, limit: null } as never;
    await nectar.journal.listEntries(empty);
    await nectar.goals.list({ scope: "", limit: undefined } as never);
    await nectar.journal.updateEntry({ id: "7", mood: "", notebook_id: null });
    expect(sent.map(({ url }) => url.replace("https://api.test", ""))).toEqual([
      "/api/journal?tag=lake",
      "/api/goals",
      "/api/journal/7",
    ]);
    expect(sent[2]?.init.body).toBe('{"mood":"","notebook_id":null}');
  });

  test.each([
    "https://api.test",
    "https://api.test/",
    "https://api.test/api",
    "https://api.test/api/",
    "https://api.test//",
  ])("goes to the same address with the base %s", async (baseUrl) => {
    const { nectar, sent } = scripted([Response.json({})], { baseUrl });
    await nectar.goals.list();
    await nectar.health.read();
    expect(sent.map(({ url }) => url)).toEqual(["https://api.test/api/goals", "https://api.test/health"]);
  });

  test("becomes JSON without the parameters of the path", async () => {
    const { nectar, sent } = server();
    await nectar.journal.updateEntry({ id: "7", mood: null, title: "A walk" });
    expect(sent[0]?.url).toBe("https://api.test/api/journal/7");
    expect(sent[0]?.init).toMatchObject({ method: "PUT", body: '{"mood":null,"title":"A walk"}' });
    expect(sent[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("becomes a form for a photo", async () => {
    const { nectar, sent } = server();
    await nectar.workoutWindow.createCheckIn({ photo: new Blob(["photo"]), activityType: "walk", latitude: 1.5 });
    const form = sent[0]?.init.body;
    if (!(form instanceof FormData)) throw new Error("expected a form");
    expect([...form.keys()]).toEqual(["photo", "activityType", "latitude"]);
    expect(form.get("latitude")).toBe("1.5");
    expect(form.get("photo")).toBeInstanceOf(File);
    // The platform sets it, with the boundary of the form.
    expect(sent[0]?.headers.get("content-type")).toBeNull();
  });

  test.each(["", ".", "..", undefined])("must name the object: %o does not lead to another path", async (id) => {
    const { nectar, sent } = server();
    await expect(nectar.goals.delete({ id: id as never })).rejects.toThrow(new TypeError("`id` is missing."));
    expect(sent).toEqual([]);
  });

  test.each([undefined, null])("is sent without a token while there is none: %o", async (token) => {
    const { nectar, sent } = scripted([Response.json({})], { token: () => token });
    await nectar.health.read();
    expect(sent[0]?.headers.has("authorization")).toBe(false);
  });

  test("is sent with the headers of the call", async () => {
    const { nectar, sent } = server();
    await nectar.user.readProfile({}, { headers: { "x-request-id": "mine" } });
    await nectar.goals.create({ title: "Run" }, { idempotencyKey: "goal-1" });
    await expect(nectar.goals.create({ title: "Run" }, { idempotencyKey: "a\nb" })).rejects.toThrow(TypeError);
    expect(sent[0]?.headers.get("x-request-id")).toBe("mine");
    expect(sent[0]?.headers.has("idempotency-key")).toBe(false);
    expect(sent[1]?.headers.get("idempotency-key")).toBe("goal-1");
    expect(sent).toHaveLength(2);
  });
});

describe("a list", () => {
  const pages = [
    { entries: [{ id: "1" }, { id: "2" }], next_cursor: "two" },
    { entries: [], next_cursor: "three" },
    { entries: [{ id: "3" }], next_cursor: null },
  ];
  const list = () => scripted(pages.map((page) => Response.json(page)));

  test("is its first page when it is awaited", async () => {
    const { nectar, sent } = list();
    expect(await nectar.journal.listEntries({ limit: 2 })).toEqual(pages[0]);
    expect(sent).toHaveLength(1);
  });

  test("is all its items when it is read by for await, with the same filters on each page", async () => {
    const { nectar, sent } = list();
    const ids = [];
    for await (const { id } of nectar.journal.listEntries({ scope: "own", limit: 2 })) ids.push(id);
    expect(ids).toEqual(["1", "2", "3"]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      "?scope=own&limit=2",
      "?scope=own&limit=2&cursor=two",
      "?scope=own&limit=2&cursor=three",
    ]);
  });

  test("reads no page before it is needed", async () => {
    const { nectar, sent } = list();
    for await (const _ of nectar.journal.listEntries()) break;
    expect(sent).toHaveLength(1);
  });

  test("can be read page by page, also where a page has no single list", async () => {
    const packs = [
      { own: [], shared: [], public: [], purchased: [], next_cursor: "two" },
      { own: [], shared: [], public: [], purchased: [], next_cursor: null },
    ];
    const { nectar } = scripted(packs.map((page) => Response.json(page)));
    const read = [];
    for await (const page of nectar.tonePacks.list().pages()) read.push(page);
    expect(read).toEqual(packs);
  });

  test("of the game has its cursor in camelCase", async () => {
    const weeks = [
      { weeks: [{ chipsEarned: 3 }], nextCursor: "two" },
      { weeks: [{ chipsEarned: 5 }], nextCursor: null },
    ];
    const { nectar } = scripted(weeks.map((page) => Response.json(page)));
    const chips = [];
    for await (const { chipsEarned } of nectar.workoutWindow.listWeeklyStats()) chips.push(chipsEarned);
    expect(chips).toEqual([3, 5]);
  });
});
