import { expect, it } from "vitest";
import { StatementNames } from "#database/statement-names";

it("a statement gets a name when it is sent for the second time, and keeps it", () => {
  const names = new StatementNames();
  expect(names.nameOf("select 1")).toBeUndefined();
  const name = names.nameOf("select 1");
  expect(name).toMatch(/^[\w-]{1,63}$/);
  expect(names.nameOf("select 1")).toBe(name);
  expect(names.nameOf("select 2")).toBeUndefined();
  expect(names.nameOf("select 2")).not.toBe(name);
});

it("a statement has the same name in every process", () => {
  const [one, other] = [new StatementNames(), new StatementNames()].map((names) => {
    names.nameOf("select 1");
    return names.nameOf("select 1");
  });
  expect(one).toBe(other);
});

it("500 statements get a name, however many there are", () => {
  const names = new StatementNames();
  const given = new Set<string | undefined>();
  for (let n = 0; n < 2_000; n += 1) for (let times = 0; times < 3; times += 1) given.add(names.nameOf(`select ${n}`));
  given.delete(undefined);
  expect(given.size).toBe(500);
});

it("after all names were forgotten, a statement is sent without one", () => {
  const names = new StatementNames();
  names.nameOf("select 1");
  names.nameOf("select 1");
  names.forget();
  expect(names.nameOf("select 1")).toBeUndefined();
});
