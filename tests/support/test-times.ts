import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule } from "vitest/node";

interface FileTimes {
  readonly file: string;
  readonly project: string;
  /** Imports, hooks and tests, in seconds of the clock. Files that run at the same time slow each other down. */
  readonly seconds: number;
  readonly tests: number;
  readonly databases: number;
  readonly processes: number;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TIMES = fileURLToPath(new URL("../../dist/test-times.json", import.meta.url));
const SLOWEST = 15;

/** Writes what each file of a run took, and prints the slowest ones and the sum of each project if there are that many. */
export default class TestTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(timesOf).toSorted((one, other) => other.seconds - one.seconds);
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, `${JSON.stringify(files, null, 2)}\n`);
    if (files.length <= SLOWEST) return;
    console.log(`\n${table("file", files.slice(0, SLOWEST))}\n\n${table("project", sums(files))}\n`);
  }
}

function timesOf(module: TestModule): FileTimes {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  const { databases = 0, processes = 0 } = module.meta().made ?? {};
  return {
    file: relative(ROOT, module.moduleId),
    project: module.project.name,
    seconds: Math.round((setupDuration + collectDuration + duration) / 100) / 10,
    tests: [...module.children.allTests()].length,
    databases,
    processes,
  };
}

function sums(files: readonly FileTimes[]): FileTimes[] {
  return [...Map.groupBy(files, ({ project }) => project)].map(([project, ofProject]) => {
    const sum = (field: "seconds" | "tests" | "databases" | "processes") =>
      ofProject.reduce((total, { [field]: value }) => total + value, 0);
    return {
      file: `${project} (${ofProject.length} files)`,
      project,
      seconds: Math.round(sum("seconds")),
      tests: sum("tests"),
      databases: sum("databases"),
      processes: sum("processes"),
    };
  });
}

function table(head: string, rows: readonly FileTimes[]): string {
  const line = (first: string, ...values: (string | number)[]) =>
    first.padEnd(56) + values.map((value) => String(value).padStart(11)).join("");
  return [
    line(head, "seconds", "tests", "databases", "processes"),
    ...rows.map(({ file, seconds, tests, databases, processes }) => line(file, seconds, tests, databases, processes)),
  ].join("\n");
}
