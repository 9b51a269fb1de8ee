import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person, Row } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { rowsOf } from "../lists/stage.ts";

const api = useApi();
/** More than a page of 100, with groups of equal times. */
const MANY = 130;

const ada = beforeTests(() => api.person());
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));
const crowded = beforeTests(() => foundTeam(api, ada));
beforeAll(async () => {
  const { orgId, teamId } = crowded;
  const time = "timestamptz '2026-01-01' + make_interval(secs => n / 7)";
  await api.query(
    `with people as (
         insert into auth.users (id, email) select gen_random_uuid(), 'crowd' || n || '@example.test'
         from generate_series(1, ${MANY}) n returning id
       ) select count(*) from people`,
  );
  await api.query(
    `insert into nectar.organization_members (org_id, user_id, joined_at)
       select $1, p.id, ${time}
       from (select id, row_number() over ()::integer as n from auth.users where email like 'crowd%') p`,
    [orgId],
  );
  await api.query`insert into nectar.team_members (team_id, org_id, user_id, joined_at)
    select ${teamId}, org_id, user_id, joined_at from nectar.organization_members where org_id = ${orgId}
      and user_id <> ${ada.id}`;
  await api.query(
    `insert into nectar.organizations (name, owner_id, created_at)
       select 'Org ' || n, $1, ${time} from generate_series(1, ${MANY}) n`,
    [ada.id],
  );
  await api.query(
    `insert into nectar.teams (org_id, name, admin_id, created_at)
       select $1, 'Team ' || n, $2, ${time} from generate_series(1, ${MANY}) n`,
    [orgId, ada.id],
  );
});

interface List {
  readonly what: string;
  readonly path: () => "/api/organizations" | "/api/teams" | `/api/${"organizations" | "teams"}/${string}/members`;
  /** Parameters that the list always has. */
  readonly query?: () => string;
  /** The field that it is sorted by. */
  readonly time: string;
  readonly id: string;
}

const LISTS: readonly List[] = [
  { what: "organizations", path: () => "/api/organizations", time: "created_at", id: "id" },
  { what: "teams", path: () => "/api/teams", time: "created_at", id: "id" },
  {
    what: "teams of one organization",
    path: () => "/api/teams",
    query: () => `org_id=${crowded.orgId}&`,
    time: "created_at",
    id: "id",
  },
  {
    what: "organization members",
    path: () => `/api/organizations/${crowded.orgId}/members`,
    time: "joined_at",
    id: "user_id",
  },
  { what: "team members", path: () => `/api/teams/${crowded.teamId}/members`, time: "joined_at", id: "user_id" },
];

describe.each(LISTS)("the list of $what", ({ path, query, time, id }) => {
  const address = (parameters = "") => `${path()}?${query?.() ?? ""}${parameters}` as const;

  async function readAll(as: Person, limit: number): Promise<Row[][]> {
    const pages: Row[][] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const body = await api.get(address(`limit=${limit}${next}`), as).ok();
      pages.push(rowsOf(body));
      cursor = body.next_cursor;
    }
    return pages;
  }

  it.each(["ada", "superAdmin"] as const)(
    "is read in pages without gaps or repeats, newest first, by %s",
    async (who) => {
      const person = who === "ada" ? ada : superAdmin;
      const whole = (await readAll(person, 500)).flat();
      expect(whole).toHaveLength(MANY + 1);
      expect(new Set(whole.map((row) => row[id])).size).toBe(MANY + 1);
      const order = whole.slice(1).map((row) => `${row[time]} ${row[id]}`);
      expect(order).toEqual([...order].sort().reverse());
      for (const limit of [1, 33, 77, 231]) {
        if (limit === 1 && who === "superAdmin") continue;
        const pages = await readAll(person, limit);
        expect(pages.flat()).toEqual(whole);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }
    },
  );

  it("has 100 rows per page by default, and at most 500", async () => {
    const byDefault = await api.get(address(), ada);
    expect(rowsOf(byDefault.body)).toHaveLength(100);
    expect(byDefault.body.next_cursor).toEqual(expect.any(String));
    const large = await api.get(address("limit=100000"), ada);
    expect(rowsOf(large.body)).toHaveLength(MANY + 1);
    expect(large.body.next_cursor).toBeNull();
  });

  it.each(["limit=0", "limit=-1", "limit=1.5", "limit=x", "limit=", "cursor=x", "cursor=", "limit=1&limit=2"])(
    "is 400 for %s",
    async (parameters) => {
      await api.get(address(parameters), ada).refused(400);
    },
  );

  it.each([
    ["with a time that does not exist", ["0000-01-01T00:00:00.000Z", randomUUID()]],
    ["whose id is none", ["2026-01-01T00:00:00.000Z", "x"]],
    ["with too much in it", ["2026-01-01T00:00:00.000Z", randomUUID(), 1]],
  ])("is 400 for a forged cursor %s", async (_, content) => {
    const cursor = Buffer.from(JSON.stringify(content)).toString("base64url");
    await api.get(address(`cursor=${cursor}`), ada).refused(400);
  });
});
