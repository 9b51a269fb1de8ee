import { describe, expect, it } from "vitest";
import type { EndedSpan } from "#core/work/ended-span";
import { recentWork } from "#local/pages/recent-work";
import { workParts } from "#local/pages/work-view";

/** A span that started at a second of a minute. */
function span(traceId: string, name: string, more: Partial<EndedSpan> = {}): EndedSpan {
  const startedAt = new Date("2026-11-22T10:00:05Z");
  return { traceId, parentId: null, name, attributes: {}, startedAt, durationMs: 12.34, hasFailed: false, ...more };
}

describe("the latest work", () => {
  it("has the latest request of each endpoint with its parts, the newest first", () => {
    const work = recentWork();
    for (const traceId of ["a", "b"]) {
      work.add(span(traceId, "transaction nectar_user", { parentId: "x" }));
      work.add(span(traceId, "GET /api/goals"));
    }
    work.add(span("c", "GET /api/moods"));
    expect(work.traces().map(({ first, parts }) => [first.traceId, first.name, parts.length])).toEqual([
      ["c", "GET /api/moods", 0],
      ["b", "GET /api/goals", 1],
    ]);
  });

  it("has the latest run of each job", () => {
    const work = recentWork();
    const job = { parentId: "x", attributes: { "nectar.job": "housekeeping" } };
    work.add(span("a", "job housekeeping", job));
    work.add(span("b", "job housekeeping", { ...job, hasFailed: true }));
    expect(work.jobs()).toMatchObject([{ traceId: "b", hasFailed: true }]);
  });

  it("stays small, however much happens and however many requests are interrupted", () => {
    const work = recentWork();
    for (let trace = 0; trace < 1_000; trace += 1) {
      work.add(span(`interrupted ${trace}`, "transaction", { parentId: "x" }));
      work.add(span(`ended ${trace}`, `GET /api/${trace}`));
    }
    expect(work.traces()).toHaveLength(16);
    expect(work.traces()[0]?.first.name).toBe("GET /api/999");
  });
});

describe("the page of the latest work", () => {
  it("shows status, duration and parts, and escapes all of it", async () => {
    const work = recentWork();
    work.add(span("a", "transaction nectar_user", { parentId: "x", durationMs: 2 }));
    work.add(span("a", "transaction nectar_user", { parentId: "x", durationMs: 4 }));
    work.add(span("a", "GET /api/<b>", { attributes: { "http.response.status_code": 500 }, hasFailed: true }));
    const page = String(await workParts(work));
    expect(page).toContain("GET /api/&lt;b&gt;");
    expect(page).toContain("transaction nectar_user 2 × 3.0 ms");
    expect(page).toContain('<td class="failed">500</td><td>12 ms</td>');
  });
});
