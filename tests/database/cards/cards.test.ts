import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HAND_BACK_DAYS } from "#core/retention";
import { TWO_WEEKS_IN_SECONDS } from "#ops/deploy/infrastructure";
import { useDatabase } from "#tests/database";
import { databasePage } from "#tools/database-docs";
import { problemsOfCards } from "./problems.ts";

const database = useDatabase();

it("everything that is stored has a card that agrees with the database, the exports and the lists", async () => {
  expect(await problemsOfCards(database)).toEqual([]);
});

it("all that a change of the schema lacks is said at once, with what to do", async () => {
  const problems = await database.inTransaction(async (queries) => {
    await queries.query`create table nectar.thanks (id uuid primary key, user_id uuid, text text)`;
    await queries.query`alter table nectar.goals add column color text`;
    await queries.query`grant delete on nectar.goals to nectar_service`;
    await queries.query`grant update (user_id) on nectar.goals to nectar_user`;
    await queries.query`alter table nectar.goals drop constraint goals_user_id_fkey`;
    await queries.query`grant update (title) on nectar.readable_entries to nectar_user`;
    return problemsOfCards(queries);
  });
  expect(problems).toEqual([
    expect.stringMatching(/^nectar.goal_check_in_contents: .*by cascade/),
    expect.stringMatching(/^nectar.goal_check_ins: .*by cascade/),
    expect.stringMatching(/^nectar.goal_pauses: .*by cascade/),
    expect.stringMatching(/^nectar.goals: color is not in .* run `npm run generate`/),
    expect.stringMatching(/^nectar.goals: .*by cascade/),
    expect.stringMatching(/^nectar.goals: user_id names whose a row is/),
    expect.stringMatching(/^nectar.goals: nectar_service may delete, but no policy/),
    expect.stringMatching(/^nectar.goals: say in `kept`/),
    expect.stringMatching(/^nectar.thanks has no card: add one/),
    expect.stringMatching(/^nectar.readable_entries: users write tables/),
  ]);
});

it("docs/database.md says what each role may read and write: run `npm run generate`, and look at what changed", async () => {
  const page = readFileSync(new URL("../../../docs/database.md", import.meta.url), "utf8");
  expect(await databasePage(database.adminUrl)).toBe(page);
});

it("docs/privacy.md says how long the queue keeps tasks that failed", () => {
  const page = readFileSync(new URL("../../../docs/privacy.md", import.meta.url), "utf8");
  expect(page).toContain(`in the queue \`failedTasks\` for ${TWO_WEEKS_IN_SECONDS / 86_400} days`);
});

it("the database lets an organization be handed back for as long as the reference says", async () => {
  const definitions = await database.query<{ text: string }>`
    select prosrc as text from pg_proc
    where oid in ('private.give_organization(uuid,uuid,uuid)'::regprocedure, 'private.decline_organization(uuid)'::regprocedure)`;
  for (const { text } of definitions) expect(text).toContain(`interval '${HAND_BACK_DAYS} days'`);
});
