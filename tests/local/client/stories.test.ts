import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readOperations } from "#tools/reference/operations";
import reference from "../../../openapi.json" with { type: "json" };
import {
  newTestStack,
  type Started,
  startProgram,
  type TestStack,
  tokenOf,
  untilDayHasTime,
  untilReady,
} from "../dev-process.ts";
import { expectedOutput, readCommands, runCommands } from "./commands.ts";
import { addMcp, callTool, openSession, refusalOf } from "./mcp.ts";
import {
  checkTypes,
  expectedLines,
  newProject,
  type Project,
  readAppPage,
  readStories,
  tell,
  writeStories,
} from "./stories.ts";

// The published package in a project of its own, against the service as `npm run dev` starts it.
const stories = readStories();
const allPages = [...stories, readAppPage()];
let project: Project;
let stack: TestStack;
let dev: Started;

beforeAll(async () => {
  await untilDayHasTime();
  stack = await newTestStack();
  dev = startProgram("../../local/main.ts", [], stack.environment);
  [project] = await Promise.all([newProject(), untilReady(dev)]);
  writeStories(project, allPages, stack);
});

afterAll(async () => {
  dev?.child.kill("SIGINT");
  await dev?.ended;
  stack?.remove();
  project?.remove();
});

describe("the package of the client", () => {
  test("contains its code with types, its README and nothing else", () => {
    expect(project.packed).toContain("dist/index.js");
    expect(project.packed).toContain("dist/index.d.ts");
    expect(project.packed.filter((path) => !/^dist\/[\w.-]+\.(js|d\.ts)$/.test(path)).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ]);
  });

  test("type-checks in an empty project, with the code of all pages", async () => {
    expect(await checkTypes(project, allPages)).toBe("");
  });
});

describe("the code of a page runs and prints what the page says", () => {
  test.each(stories.map((story) => [story.page, story] as const))("%s", async (_, story) => {
    const printed = await tell(project, story);
    const expected = expectedLines(story);
    expect(printed.length).toBe(expected.length);
    for (const [index, line] of expected.entries()) expect.soft(printed[index]).toMatch(line);
  });
});

test.each(["README.md", "docs/guide/tour.md"])("the commands of %s print what it says", async (page) => {
  const commands = readCommands(page);
  expect(commands.length).toBeGreaterThan(0);
  const printed = await runCommands(commands, stack);
  for (const [index, command] of commands.entries()) {
    expect.soft(printed[index], command.command).toMatch(expectedOutput(command));
  }
});

describe("the MCP package, in sessions over stdio", () => {
  let program: string;
  let environment: Record<string, string>;
  let reading: Client;
  let writing: Client;
  beforeAll(async () => {
    program = await addMcp(project);
    const response = await fetch(`${stack.apiUrl}/api/user/tokens`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await tokenOf(stack, "demo@nectar.local")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ name: "Assistant", scopes: ["journal:write", "drops:read"] }),
    });
    const { token } = z.object({ token: z.object({ secret: z.string() }) }).parse(await response.json());
    environment = { NECTAR_URL: stack.apiUrl, NECTAR_TOKEN: token.secret };
    reading = await openSession(program, environment);
    writing = await openSession(program, environment, "--write");
  });
  afterAll(async () => {
    await reading?.close();
    await writing?.close();
  });

  test("has a tool for every operation that the token may call and that takes no form, but for the start screen; with --write also those that change something", async () => {
    const open = readOperations(reference).operations.filter(
      ({ id, scopes, body }) =>
        scopes.some((scope) => /^journal:|^drops:read$/.test(scope)) && !body?.isForm && id !== "readToday",
    );
    const { tools } = await writing.listTools();
    expect(tools.map(({ name }) => name)).toEqual(open.map(({ id }) => id));
    expect((await reading.listTools()).tools.map(({ name }) => name)).toEqual(
      open.filter(({ method }) => method === "GET").map(({ id }) => id),
    );
    for (const { name, inputSchema } of tools) {
      expect.soft(Object.keys(inputSchema), name).toEqual(["type", "properties", "required"]);
    }
  });

  test("has the tools of the groups that --tools names", async () => {
    const some = await openSession(program, environment, "--tools", "notebooks,tonePacks");
    expect((await some.listTools()).tools.map(({ name }) => name)).toEqual([
      "listNotebooks",
      "readNotebook",
      "listNotebookEntries",
      "listTonePacks",
      "readActiveTonePack",
      "readTonePack",
      "listTonePackShares",
    ]);
    expect(await callTool(some, "listJournalEntries")).toMatchObject({
      isError: true,
      result: { error: expect.stringContaining("--tools") },
    });
    await some.close();
  });

  test("lists, searches and creates entries", async () => {
    const title = "A heron by the weir";
    const created = await callTool(writing, "createJournalEntry", { title, content: "It stood for an hour." });
    expect(created).toMatchObject({ isError: false, result: { entry: { title } } });
    expect(await callTool(reading, "listJournalEntries", { q: "heron", scope: "own" })).toMatchObject({
      isError: false,
      result: { entries: [{ title }], next_cursor: null },
    });
    expect(await callTool(reading, "listJournalEntries", { limit: 1 })).toMatchObject({
      result: { entries: [{}], next_cursor: expect.any(String) },
    });
    await callTool(writing, "createJournalEntry", {
      title,
      content: "Again.",
      mood: null,
      entry_date: "",
      team_id: "",
    });
    const nothing = { q: null, mood: "", tag: null, notebook_id: "", from: null, cursor: "", limit: null, scope: null };
    const all = await callTool(reading, "listJournalEntries", nothing);
    expect(all).toEqual(await callTool(reading, "listJournalEntries"));
    const Titles = z.object({ entries: z.array(z.object({ title: z.string() })) });
    expect(Titles.parse(all.result).entries.slice(0, 2)).toEqual([{ title }, { title }]);
  });

  test("lists what is one's own by default, and says of texts of others that they are data", async () => {
    const Page = z.object({ note: z.string(), entries: z.array(z.object({ user_id: z.string() })) });
    const list = async (input: Record<string, unknown>) => {
      const { note, entries } = Page.parse((await callTool(reading, "listJournalEntries", input)).result);
      return { note, authors: new Set(entries.map(({ user_id }) => user_id)).size };
    };
    expect([(await list({})).authors, (await list({ scope: "own" })).authors]).toEqual([1, 1]);
    const { note, authors } = await list({ scope: "all" });
    expect(authors).toBeGreaterThan(1);
    expect(note).toContain("data");
    expect(reading.getInstructions()).toContain("data");
    expect((await callTool(reading, "listMoods")).result).not.toHaveProperty("note");
  });

  test("cuts a result at 100 kB: a list goes on behind next_cursor, a long text ends early", async () => {
    const long = "Rain, and an ä. ".repeat(6_000);
    const created = [];
    for (const title of ["Cloudburst 1", "Cloudburst 2", "Cloudburst 3"]) {
      created.push((await callTool(writing, "createJournalEntry", { title, content: long })).result);
    }
    const read: string[] = [];
    const Page = z.object({ entries: z.array(z.object({ title: z.string() })), next_cursor: z.string().nullable() });
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { result, bytes } = await callTool(reading, "listJournalEntries", { q: "Cloudburst", limit: 50, cursor });
      expect(bytes).toBeLessThanOrEqual(100_000);
      const { entries, next_cursor } = Page.parse(result);
      read.push(...entries.map(({ title }) => title));
      cursor = next_cursor;
    }
    expect(read).toEqual(["Cloudburst 3", "Cloudburst 2", "Cloudburst 1"]);
    const [first] = created.map((one) => z.object({ entry: z.object({ id: z.string() }) }).parse(one).entry);
    const { result, bytes } = await callTool(reading, "readJournalEntry", { id: first?.id ?? "" });
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(result).toMatchObject({
      cut: expect.any(String),
      entry: { title: "Cloudburst 1", content: expect.stringMatching(/^Rain.{30000,}…$/) },
    });
  });

  test("says in an error what the model can do about it", async () => {
    expect(await callTool(writing, "createJournalEntry", { title: "", content: "Text" })).toMatchObject({
      isError: true,
      result: { code: "request.invalid", status: 400, issues: [{ path: "title", message: expect.any(String) }] },
    });
    expect(await callTool(writing, "readJournalEntry")).toMatchObject({
      isError: true,
      result: { error: "`id` is missing." },
    });
    expect(await callTool(reading, "listGoals")).toMatchObject({
      isError: true,
      result: { code: "auth.scope_missing", error: expect.stringContaining("goals:read") },
    });
    expect(await callTool(reading, "createJournalEntry", { title: "A walk", content: "Text" })).toMatchObject({
      isError: true,
      result: { error: expect.stringContaining("--write") },
    });
    expect(await callTool(reading, "createToken")).toMatchObject({
      isError: true,
      result: { error: "There is no tool createToken." },
    });
  });

  test("does not start without an address and a token, and says what is wrong with its arguments", async () => {
    expect(await refusalOf(program, { NECTAR_URL: stack.apiUrl })).toContain("NECTAR_TOKEN");
    expect(await refusalOf(program, { ...environment, NECTAR_URL: "localhost:3000" })).toContain("http://");
    expect(await refusalOf(program, environment, "--wirte")).toContain("--wirte");
    expect(await refusalOf(program, environment, "journal")).toContain("journal");
    expect(await refusalOf(program, environment, "--tools", "journal,gaols")).toContain('no group "gaols"');
  });
});
