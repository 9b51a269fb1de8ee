import { describe, expect, it } from "vitest";
import { QUOTAS, type QuotaName } from "#database/quota";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { become, connect, useActing } from "./support/acting.ts";

const acting = useActing();
const ada = beforeTests(() => acting.person());
const ben = beforeTests(() => acting.person());

/** The seconds to wait after each of some uses, all in one statement and so in one period. */
async function use(person: string, ...uses: [quota: QuotaName, units: number][]): Promise<number[]> {
  const calls = uses.map((_, index) => `private.consume_quota($${2 * index + 1}, $${2 * index + 2})`);
  const { rows } = await acting.run({ person }, `select array[${calls}] as waits`, uses.flat(), "keep");
  return rows[0].waits;
}

describe("a quota", () => {
  it("counts what fits, and says how long to wait for what does not", async () => {
    const [first, second, third, ...others] = await use(
      ada.id,
      ["tone_analysis", 50],
      ["tone_analysis", 10],
      ["tone_analysis", 1],
      ["tone_pack_share", 31],
      ["tone_pack_share", 30],
    );
    expect([first, second]).toEqual([0, 0]);
    expect(third).toBeGreaterThan(0);
    expect(third).toBeLessThanOrEqual(3_600);
    expect(others[0]).toBeGreaterThan(0);
    expect(others[0]).toBeLessThanOrEqual(86_400);
    expect(others[1]).toBe(0);
    expect(await use(ben.id, ["tone_analysis", 60])).toEqual([0]);
  });

  it("starts again with the next period", async () => {
    const moveTo = (start: string) =>
      acting.admin.query("update private.quota_uses set period_start = $1 where name = 'window_change'", [start]);
    expect(await use(ada.id, ["window_change", 20])).toEqual([0]);
    await moveTo("2020-01-01");
    const [used, refused] = await use(ada.id, ["window_change", 18], ["window_change", 3]);
    expect([used, refused]).toEqual([0, expect.toSatisfy((wait: number) => wait > 0)]);
    // A transaction that began before the period of the row, and had to wait.
    await moveTo("2200-01-01");
    const waits = await use(ada.id, ["window_change", 3], ["window_change", 2]);
    expect(waits).toEqual([expect.toSatisfy((wait: number) => wait > 0), 0]);
  });

  it("is not exceeded by concurrent requests", async () => {
    await leaveQuota(acting.adminUrl, { id: ben.id }, "checkin_upload", 5);
    const clients = await Promise.all(Array.from({ length: 12 }, () => connect(acting.apiUrl)));
    try {
      const waits = await Promise.all(
        clients.map(async (client) => {
          await client.query("begin");
          await become(client, { person: ben.id });
          const { rows } = await client.query("select private.consume_quota('checkin_upload', 1) as wait");
          await client.query("commit");
          return rows[0].wait;
        }),
      );
      expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it.each([0, -1, -5, null])("is not lowered by consuming %s units", async (units) => {
    await leaveQuota(acting.adminUrl, { id: ada.id }, "member_add", 0);
    const backwards = "select private.consume_quota('member_add', $1)";
    expect(await acting.outcome({ person: ada.id }, backwards, [units])).toBe("service.unexpected");
    expect(await use(ada.id, ["member_add", 1])).toEqual([expect.toSatisfy((wait: number) => wait > 0)]);
  });

  it.each(["unknown", "", null])("does not exist under the name %j", async (name) => {
    expect(await acting.outcome({ person: ada.id }, "select private.consume_quota($1, 1)", [name])).toBe(
      "service.unexpected",
    );
  });

  it("belongs to a person", async () => {
    expect(await acting.outcome("anonymous", "select private.consume_quota('tone_analysis', 1)")).toBe("23502");
  });
});

it("every quota has an error code", async () => {
  const { rows } = await acting.admin.query("select name from private.quotas() order by name");
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(QUOTAS).toSorted());
});
