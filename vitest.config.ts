import { defineConfig } from "vitest/config";

/** A project of tests that use the embedded stack; each file gets a database of its own from its cluster. */
function withStack(name: string) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      globalSetup: ["tests/support/global-setup.ts"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  };
}

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.ts"] } },
      { test: { name: "architecture", include: ["tests/architecture/**/*.test.ts"] } },
      withStack("api"),
      withStack("database"),
      withStack("deploy"),
      { test: { name: "local", include: ["tests/local/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 90_000 } },
      { test: { name: "browser", include: ["tests/browser/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 120_000 } },
    ],
  },
});
