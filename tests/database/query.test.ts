import { describe, expect, it } from "vitest";
import { all, maybeOne, one, value } from "#database/query";
import { transactionOn } from "#database/transaction";
import { useActing } from "./support/acting.ts";

const acting = useActing();
const tx = () => transactionOn(acting.admin);

it("all rows of a query are read, also none", async () => {
  expect(await all(tx())`select n from generate_series(1, ${2}) n`).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await all(tx())`select 1 as n where false`).toEqual([]);
});

describe("a query that must have one row", () => {
  it("returns it", async () => {
    expect(await one(tx())`select ${7}::integer as n`).toEqual({ n: 7 });
  });

  it("throws the error that it names for a missing row", async () => {
    const missing = one(tx(), "goal.not_found")`select 1 as n where false`;
    await expect(missing).rejects.toMatchObject({ code: "goal.not_found" });
  });

  it("throws if it has none or several", async () => {
    await expect(one(tx())`select 1 as n where false`).rejects.toThrow("exactly one row, got 0");
    await expect(one(tx())`select n from generate_series(1, 2) n`).rejects.toThrow("exactly one row, got 2");
  });
});

describe("a query for one value", () => {
  it("returns it, also if it is null", async () => {
    expect(await value(tx())`select ${7}::integer`).toBe(7);
    expect(await value(tx())`select null`).toBeNull();
  });

  it("throws if it has several columns or rows", async () => {
    await expect(value(tx())`select 1, 2 as b`).rejects.toThrow("exactly one column, got 2");
    await expect(value(tx())`select n from generate_series(1, 2) n`).rejects.toThrow("exactly one row, got 2");
  });
});

describe("a query that may have one row", () => {
  it("returns it, or undefined", async () => {
    expect(await maybeOne(tx())`select 1 as n`).toEqual({ n: 1 });
    expect(await maybeOne(tx())`select 1 as n where false`).toBeUndefined();
  });

  it("throws if it has several", async () => {
    await expect(maybeOne(tx())`select n from generate_series(1, 2) n`).rejects.toThrow("at most one row, got 2");
  });
});
