import { describe, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { RULES, type Rule } from "./rules.ts";

const acting = useActing();
const admin = () => acting.admin;

describe.each(RULES)("$name", (rule) => {
  it("holds", async () => {
    expect(await offenders(rule)).toEqual([]);
  });

  it("finds a violation", async () => {
    await admin().query("begin");
    try {
      await admin().query(rule.provocation);
      expect(await offenders(rule)).toContain(rule.caught);
    } finally {
      await admin().query("rollback");
    }
  });
});

async function offenders(rule: Rule): Promise<string[]> {
  const { rows } = await admin().query<{ offender: string }>(rule.query);
  return rows.map(({ offender }) => offender);
}
