import { configDefaults, defineConfig } from "vitest/config";
import { findChromium } from "./tests/support/chromium.ts";
import { LONG } from "./tests/support/long.ts";
import { ProjectsInOrder } from "./tests/support/projects-in-order.ts";
import { keepTemporaryFilesInMemory } from "./tests/support/temporary-files.ts";

keepTemporaryFilesInMemory();

const COUNT = "tests/support/count-made.ts";
const setupFiles = ["tests/support/seeded-properties.ts", COUNT];

/** Files take turns in a process that keeps its modules: loading all groups again takes longer than most files' tests. */
const SHARED = { isolate: false };

/** What takes long and seldom breaks alone is left out before a commit: kills, drills and whole programs of which another file tries one. */
const NIGHT = LONG ? [] : ["**/*.night.test.ts"];

/**
 * A test ends for being hung, not for being slow: on a busy machine it may take many times as long as alone. A condition that
 * a test waits for may come late as well; one that never comes still fails its test.
 */
const PATIENT = {
  testTimeout: LONG ? 86_400_000 : 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 300_000 } },
  exclude: [...configDefaults.exclude, ...NIGHT],
};

/** A project of tests whose files each take a database of their own from the cluster of the run. */
function withStack(name: string, { isolate } = SHARED) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      setupFiles,
      ...PATIENT,
      isolate,
    },
  };
}

/** The browser tests need a Chromium on the machine; where there is none, the run says so instead of failing. */
function browserProjects() {
  if (findChromium() === null) {
    console.warn("No Chromium found: the browser tests are left out (install chromium, or set CHROMIUM_PATH).");
    return [];
  }
  return [{ test: { name: "browser", include: ["tests/browser/**/*.test.ts"], setupFiles: [COUNT], ...PATIENT } }];
}

export default defineConfig({
  test: {
    globalSetup: ["tests/support/global-setup.ts", "tests/support/declared-errors.ts"],
    reporters: ["default", "./tests/support/test-times.ts"],
    pool: "forks",
    // Three more than the build server has processors: tests also wait, for the database and for timeouts.
    maxWorkers: 5,
    sequence: { sequencer: ProjectsInOrder },
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.ts"], setupFiles, ...PATIENT, ...SHARED } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"], setupFiles: [COUNT], ...PATIENT } },
      withStack("api"),
      withStack("database"),
      withStack("deploy", { isolate: true }),
      { test: { name: "local", include: ["tests/local/**/*.test.ts"], setupFiles: [COUNT], ...PATIENT } },
      ...browserProjects(),
    ],
  },
});
