import type pg from "pg";
import { describe, expect, it } from "vitest";
import { refusalOf, useActing } from "./support/acting.ts";

const check = "select private.check_moment(clock_timestamp() + $1::interval)";

async function outcome(client: pg.Client, statement: string, values: unknown[] = []): Promise<number | string> {
  try {
    return (await client.query(statement, values)).rowCount ?? 0;
  } catch (error) {
    return refusalOf(error);
  }
}

describe("the moment of a person's request", () => {
  const acting = useActing({ moments: "now" });
  it.each(["0 seconds", "-4 minutes", "5 minutes"])("may differ from the clock by %s", async (offset) => {
    expect(await outcome(acting.admin, check, [offset])).toBe(1);
  });

  it.each(["-301 seconds", "7 minutes", "-1 day", "1 month"])("may not differ from it by %s", async (offset) => {
    expect(await outcome(acting.admin, check, [offset])).toBe("service.unexpected");
  });

  it.each(["null", "'infinity'", "'-infinity'"])("may not be %s", async (moment) => {
    expect(await outcome(acting.admin, `select private.check_moment(${moment})`)).toBe("service.unexpected");
  });
});

describe("a test database for tests that set the clock", () => {
  const acting = useActing();

  it("accepts any moment", async () => {
    expect(await outcome(acting.admin, check, ["-20 years"])).toBe(1);
    expect(await outcome(acting.admin, check, ["20 years"])).toBe(1);
    expect(await outcome(acting.admin, "select private.check_moment(null)")).toBe("service.unexpected");
  });
});
