import { describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { Turns } from "#http/services/turns";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi({ turns: new Turns() });
const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));

describe("while three requests of a person are stuck in the database", () => {
  /** Does the work meanwhile. @returns the three responses, and what the work returned */
  const meanwhile = async <Result>(person: Person, work: (stuck: Promise<unknown>) => Promise<Result>) => {
    const stuck = await api.inTransaction(async (other) => {
      await other.query`lock table nectar.goals in access exclusive mode`;
      const responses = Promise.all([1, 2, 3].map(() => api.get("/api/goals", person)));
      await api.untilWaiting(3);
      return { responses, result: await work(responses) };
    });
    return { responses: await stuck.responses, result: stuck.result };
  };

  it("a fourth is refused after a while, everyone else is served, and the three end", async () => {
    const { responses } = await meanwhile(ada, async (stuck) => {
      const refused = await api.get("/api/notebooks", ada);
      expect(refused).toMatchObject({ status: 429, body: { code: "quota.too_many_at_once" } });
      expect(refused.headers.get("retry-after")).toBe("1");
      await api.post("/api/journal", ben, { title: "A walk", content: "To the lake" }).created();
      await stuck;
    });
    for (const response of responses) {
      expect(response).toMatchObject({ status: 503, body: { code: "service.query_timeout" } });
      expect(response.headers.get("retry-after")).toBeNull();
    }
    await api.get("/api/goals", ada).ok();
  });

  it("a fourth is served when one of them ends", async () => {
    // In an object, because a promise would be awaited before the lock is released.
    const { responses, result } = await meanwhile(ada, async () => ({ fourth: api.get("/api/notebooks", ada) }));
    expect([...responses, await result.fourth].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("what an admin does as the service counts as well", async () => {
    await meanwhile(root, () => api.get("/api/admin/users", root).refused(429, "quota.too_many_at_once"));
  });

  it("what the service does for the person does not count", async () => {
    const { result } = await meanwhile(ada, () => api.database.asUser(ada.id, async () => "done"));
    expect(result).toBe("done");
  });
});

it("a statement may take four seconds where a request only reads, and 15 elsewhere", async () => {
  const purposes = ["read once", "read", "write", "read in the background", "read once", "write"] as const;
  const limits: string[] = [];
  for (const purpose of purposes) {
    const limit = (tx: Tx) => value<string>(tx)`select current_setting('statement_timeout')`;
    limits.push(await api.database.asUser(ada.id, limit, purpose));
  }
  expect(limits).toEqual(["4s", "4s", "15s", "15s", "4s", "15s"]);
});
