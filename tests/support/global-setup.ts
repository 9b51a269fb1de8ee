import type { TestProject } from "vitest/node";
import { startTestCluster, type TestCluster } from "#local/database/test-cluster";

declare module "vitest" {
  export interface ProvidedContext {
    testCluster: TestCluster;
  }
}

/** The projects whose tests take a database; the others need not wait for one. */
const WITH_DATABASE = new Set(["api", "database", "deploy", "local"]);

/** Runs once per test run: starts the PostgreSQL cluster that every test file takes its own database from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!project.vitest.projects.some(({ name }) => WITH_DATABASE.has(name))) return async () => {};
  const { cluster, stop } = await startTestCluster(process.env.NECTAR_TEST_POSTGRES);
  project.provide("testCluster", cluster);
  return stop;
}
