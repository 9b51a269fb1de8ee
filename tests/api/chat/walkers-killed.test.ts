import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "#tests/database";
import { LONG } from "#tests/long";
import { analyzeWithWalkers } from "#tests/walkers";

const database = useDatabase();
const PEOPLE = LONG ? 10_000 : 60;
const KILLS = 5;

beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => void vi.unstubAllEnvs());

it("all people are analyzed once by walkers of a queue, although calls fail and walkers are killed", async () => {
  const walked = await analyzeWithWalkers({
    adminUrl: database.adminUrl,
    apiUrl: database.apiUrl,
    people: PEOPLE,
    walkers: LONG ? 8 : 4,
    kills: KILLS,
    callMs: 100,
  });
  expect(walked).toMatchObject({ analyzed: PEOPLE, doubled: 0 });
  expect(walked.failedCalls).toBeGreaterThan(0);
  // A killed walker had at most five calls on their way, which are made again.
  expect(walked.calls - walked.failedCalls - PEOPLE).toBeLessThanOrEqual(KILLS * 5);
});
