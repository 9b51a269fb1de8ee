import pg from "pg";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";

const api = useApi();

describe("check-ins of a running battle", () => {
  it("do not wait for each other, and the battle does not end before they are committed", async () => {
    const week = "2026-11-02";
    await api.query("select private.join_battle($1)", [week]);
    const [one, other, ending] = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new pg.Client({ connectionString: api.adminUrl });
        await client.connect();
        await client.query("begin");
        await client.query("set local lock_timeout = '300ms'");
        return client;
      }),
    );
    try {
      const join = (client: pg.Client | undefined) =>
        client?.query("select private.join_battle($1)::text as week", [week]).then(({ rows }) => rows[0]?.week);
      expect(await join(one)).toBe(week);
      expect(await join(other)).toBe(week);
      await expect(
        ending?.query("select from nectar.battles where week_start_date = $1 for update", [week]),
      ).rejects.toMatchObject({ code: "55P03" });
    } finally {
      await Promise.all([one, other, ending].map((client) => client?.end()));
    }
  });
});
