import { defineConfig } from "vitest/config";
import { findChromium } from "./tests/support/chromium.ts";

const setupFiles = ["tests/support/seeded-properties.ts"];

/** Files take turns in a process that keeps its modules: loading all groups again takes longer than most files' tests. */
const SHARED = { isolate: false };

/** A condition that a test waits for may come late on a busy machine; one that never comes still fails its test. */
const expectations = { poll: { timeout: 20_000 } };

/** A project of tests whose files each take a database of their own from the cluster of the run. */
function withStack(name: string, { isolate } = SHARED) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      setupFiles: [...setupFiles, "tests/support/one-day-per-test.ts"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      expect: expectations,
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
  return [
    { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 120_000 } },
  ];
}

export default defineConfig({
  test: {
    globalSetup: ["tests/support/global-setup.ts"],
    pool: "forks",
    // One more than the build server has processors: tests also wait, for the database and for time-outs.
    maxWorkers: 3,
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.ts"], setupFiles, testTimeout: 30_000, ...SHARED } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"] } },
      withStack("api"),
      withStack("database"),
      withStack("deploy", { isolate: true }),
      {
        test: {
          name: "local",
          include: ["tests/local/**/*.test.ts"],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          expect: expectations,
        },
      },
      ...browserProjects(),
    ],
  },
});
