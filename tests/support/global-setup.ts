import type { TestProject } from "vitest/node";
import { startTestCluster, type TestCluster } from "#local/database/test-cluster";
import { startPooler } from "./pooler.ts";

declare module "vitest" {
  export interface ProvidedContext {
    testCluster: TestCluster;
    /** The port of the pooler that the API's connections go through; null without one. */
    poolerPort: number | null;
  }
}

/** The projects whose tests take a database; the others need not wait for one. */
const WITH_DATABASE = new Set(["api", "database", "deploy", "local"]);

/** Runs once per test run: starts the PostgreSQL cluster that every test file takes its own database from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!project.vitest.projects.some(({ name }) => WITH_DATABASE.has(name))) return async () => {};
  const { cluster, stop } = await startTestCluster(process.env.NECTAR_TEST_POSTGRES);
  const program = process.env.NECTAR_TEST_POOLER;
  const pooler = program === undefined ? null : await startPooler(program, cluster);
  project.provide("testCluster", cluster);
  project.provide("poolerPort", pooler?.port ?? null);
  return async () => {
    await pooler?.stop();
    await stop();
  };
}
