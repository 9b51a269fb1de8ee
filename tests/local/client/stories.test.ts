import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  newTestStack,
  type Started,
  startProgram,
  type TestStack,
  untilDayHasTime,
  untilReady,
} from "../dev-process.ts";
import { expectedOutput, readCommands, runCommands } from "./commands.ts";
import { checkTypes, expectedLines, newProject, type Project, readStories, tell, writeStories } from "./stories.ts";

// The published package in a project of its own, against the service as `npm run dev` starts it.
const stories = readStories();
let project: Project;
let stack: TestStack;
let dev: Started;

beforeAll(async () => {
  await untilDayHasTime();
  stack = await newTestStack();
  dev = startProgram("../../local/main.ts", [], stack.environment);
  [project] = await Promise.all([newProject(), untilReady(dev)]);
  writeStories(project, stories, stack);
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
    expect(await checkTypes(project, stories)).toBe("");
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
