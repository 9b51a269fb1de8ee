import { defineConfig } from "vitest/config";
import { findChromium } from "./tests/support/chromium.ts";

const setupFiles = ["tests/support/seeded-properties.ts"];

/** A condition that a test waits for may come late on a busy machine; one that never comes still fails its test. */
const expectations = { poll: { timeout: 20_000 } };

/** A project of tests whose files each take a database of their own from the cluster of the run. */
function withStack(name: string) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      setupFiles: [...setupFiles, "tests/support/one-day-per-test.ts"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      expect: expectations,
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
    maxWorkers: 2,
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.ts"], setupFiles } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"] } },
      withStack("api"),
      withStack("database"),
      withStack("deploy"),
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
