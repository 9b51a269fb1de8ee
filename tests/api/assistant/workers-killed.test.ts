import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "#tests/database";
import { LONG } from "#tests/long";
import { analyzeWithWorkers } from "#tests/workers";

const database = useDatabase();
const PEOPLE = LONG ? 10_000 : 40;
const KILLS = LONG ? 5 : 2;

beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => void vi.unstubAllEnvs());

it("all people are analyzed once by workers of a queue, although calls fail and workers are killed", async () => {
  const result = await analyzeWithWorkers({
    adminUrl: database.adminUrl,
    apiUrl: database.apiUrl,
    people: PEOPLE,
    workers: LONG ? 8 : 3,
    kills: KILLS,
    callMs: 100,
  });
  expect(result).toMatchObject({ analyzed: PEOPLE, doubled: 0 });
  expect(result.failedCalls).toBeGreaterThan(0);
  // A killed worker had at most five calls on their way, which are made again.
  expect(result.calls - result.failedCalls - PEOPLE).toBeLessThanOrEqual(KILLS * 5);
});
