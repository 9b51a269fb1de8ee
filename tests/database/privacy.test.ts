import { readFileSync } from "node:fs";
import { LEFT } from "@nectar/core/personal-data/kinds";
import { TABLES } from "@nectar/core/personal-data/register";
import { TWO_WEEKS_IN_SECONDS } from "@nectar/deploy/infrastructure";
import { RESPONSE_KEPT_HOURS } from "@nectar/http/idempotency";
import { describe, expect, it } from "vitest";
import { RETENTIONS } from "../../functions/health/housekeeping.ts";
import { NOTICE_DAYS } from "../../functions/workout-window/days/end-of-day.ts";
import { useDatabase } from "../support/database.ts";

const database = useDatabase();

const page = readFileSync(new URL("../../docs/privacy.md", import.meta.url), "utf8");

/** The cells of the rows of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell names in code. */
const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);

/** The only period of days or hours in a function, such as `1 hour`. */
async function periodIn(name: string): Promise<string> {
  const { definition } = await database.one<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'private'::regnamespace and proname = ${name}`;
  const periods = definition.match(/(?<=')\d+ (?:day|hour)s?(?=')/g) ?? [];
  expect(periods, name).toHaveLength(1);
  return periods.join();
}

/** How long the code keeps what it deletes by its age. */
async function periods(): Promise<Record<string, string>> {
  const rows = Object.values(RETENTIONS).map(({ table, since, days }): [string, string] => [
    table,
    since === "expires_at" ? (days === 0 ? "until they end" : `${days} days after they expire`) : `${days} days`,
  ]);
  return {
    ...Object.fromEntries(rows),
    "nectar.notifications": `${RETENTIONS.notifications_read?.days} days after they were read, ${RETENTIONS.notifications_unread?.days} days unread`,
    "nectar.trashed_entries": await periodIn("trash_expires_at"),
    "private.idempotency_keys": `${RESPONSE_KEPT_HOURS} hours`,
    "private.game_notices": `${NOTICE_DAYS} days`,
    "private.stored_files_to_remove": await periodIn("expect_file"),
    imports: await periodIn("create_import"),
    "nectar.accounts": await periodIn("request_erasure"),
    "private.erasure_receipts": await periodIn("claim_erasure_receipt"),
    failedTasks: `${TWO_WEEKS_IN_SECONDS / 86_400} days`,
  };
}

describe("docs/privacy.md", () => {
  it("says how long everything is kept that the code deletes by its age, and nothing else", async () => {
    const stated = tableUnder("How long it is kept").map(([, where, kept]) => [namesIn(where)[0], kept]);
    expect(Object.fromEntries(stated)).toEqual(await periods());
  });

  it("says it of every table from which jobs delete", async () => {
    const tables = await database.query<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('nectar', 'private')
        and has_table_privilege('nectar_service', format('%I.%I', table_schema, table_name), 'delete')`;
    // Rows of a queue, which are deleted once they are done.
    const queues = ["private.players_to_match", "private.subscriptions_to_cancel", "private.unsettled_shares"];
    const stated = tableUnder("How long it is kept").flatMap(([, where]) => namesIn(where));
    expect(tables.map(({ name }) => name).filter((name) => ![...stated, ...queues].includes(name))).toEqual([]);
  });

  it("names every table that is about people once, with who sees it", () => {
    const isAboutNobody = ({ left = {}, exported }: (typeof TABLES)[string]) =>
      exported === undefined && Object.keys(left).every((reason) => reason === LEFT.noPerson);
    const expected = Object.keys(TABLES).filter((name) => TABLES[name] !== undefined && !isAboutNobody(TABLES[name]));
    const named = tableUnder("What is stored, and who sees it").flatMap(([, tables]) => namesIn(tables));
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it("names every table of which something stays after an account is erased", () => {
    const kept = Object.entries(TABLES).flatMap(([name, { erased }]) =>
      typeof erased === "object" && "kept" in erased && erased.kept !== LEFT.noPerson ? [name] : [],
    );
    const named = tableUnder("What stays after an account is erased").flatMap(([, where]) => namesIn(where));
    expect(kept.filter((name) => !named.includes(name))).toEqual([]);
  });
});
