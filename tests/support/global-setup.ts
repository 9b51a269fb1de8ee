import { startTestCluster, type TestCluster } from "@nectar/local/test-cluster";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    testCluster: TestCluster;
  }
}

/** Runs once per test run: starts the PostgreSQL cluster that every test file takes its own database from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { cluster, stop } = await startTestCluster();
  project.provide("testCluster", cluster);
  return stop;
}
