import { beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { listPeople, readUser } from "#functions/user/people/people";
import { PeopleQuery } from "#functions/user/people/schema";
import { createCrowd } from "#tests/crowd";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
let reader: string;
let other: string;
let organization: string;

beforeAll(async () => {
  const people = await createCrowd(acting.admin, 10_000);
  [reader = "", other = ""] = people;
  await acting.query`
    update nectar.profiles p set full_name = 'Zoë ' || n.name || ' ' || n.name
    from (select id, substr(md5(id::text), 1, 4) as name from nectar.profiles) n where n.id = p.id`;
  await acting.query`update nectar.profiles set full_name = 'Ana Last' where id = ${other}`;
  ({ id: organization } = await acting.one<{ id: string }>`
    insert into nectar.organizations (name, owner_id) values ('Hive', ${reader}) returning id`);
  await acting.query`
    insert into nectar.organization_members (org_id, user_id)
    select ${organization}, unnest(${people}::uuid[]) on conflict do nothing`;
  await acting.query`
    insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id)
    select ${other}, 'Private', ${other}, ${other} from generate_series(1, 3000)`;
  await acting.query`vacuum analyze`;
});

/** The query as the API gets it. */
const list = (tx: Tx, query: Record<string, string>) => listPeople(tx, PeopleQuery.parse(query));

describe("in an organization of 10,000 people", () => {
  it.each([
    ["the first page", () => ({ org_id: organization, limit: "20" }), "member_names_in_order", 20],
    ["a rare name", () => ({ q: "ana" }), "member_names_search", 1],
    ["a rare name in the organization", () => ({ q: "last", org_id: organization }), "member_names_search", 1],
    ["a beginning that one in 256 has", () => ({ q: "ab", limit: "10" }), "member_names_search", 10],
  ] as const)("%s is found by an index, and nothing else is read", async (_, query, index, found) => {
    const walks = await explainAs(acting.adminUrl, reader, async (tx) => {
      expect((await list(tx, query())).users).toHaveLength(found);
    });
    const names = walks.filter(({ table }) => table === "member_names");
    expect(names.map((walk) => walk.index)).toEqual([index]);
    expect(Math.max(...names.map(({ rows }) => rows))).toBeLessThan(150);
    expect(
      walks.filter((walk) => walk.index === null && ["profiles", "organization_members"].includes(walk.table)),
    ).toEqual([]);
    expect(Math.max(...walks.filter(({ table }) => table === "profiles").map(({ rows }) => rows))).toBeLessThan(150);
  });

  it("the page of a person with 3,000 private entries reads none of them", async () => {
    await acting.query`delete from nectar.organization_members where user_id = ${other}`;
    const walks = await explainAs(acting.adminUrl, reader, async (tx) => {
      await expect(readUser(tx, other, { now: new Date(), assistantName: "Nectar" })).rejects.toThrow(
        "This user does not exist.",
      );
    });
    expect(walks.filter(({ table }) => table === "journal_entries")).toEqual([
      { table: "journal_entries", index: "journal_entries_public_authors", rows: 0 },
    ]);
  });
});
