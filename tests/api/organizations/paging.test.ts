import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person, Row } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { rowsOf } from "../lists/lists.ts";

const api = useApi();
/** More than a page of 100, with groups of equal times. */
const MANY = 130;

const ada = beforeTests(() => api.person());
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));
const crowded = beforeTests(async () => {
  const { orgId, teamId } = await foundTeam(api, ada);
  const time = "timestamptz '2026-01-01' + make_interval(secs => n / 7)";
  await api.query(
    `insert into auth.users (id, email)
     select gen_random_uuid(), 'crowd' || n || '@example.test' from generate_series(1, ${MANY}) n`,
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
  return { orgId, teamId };
});

type Path = "/api/organizations" | "/api/teams" | `/api/${"organizations" | "teams"}/${string}/members`;

// Invalid limits and cursors of all lists are refused in tests/api/lists and tests/api/kit.
describe.each<[name: string, path: () => Path, query: () => string, time: string, id: string]>([
  ["organizations", () => "/api/organizations", () => "", "created_at", "id"],
  ["teams", () => "/api/teams", () => "", "created_at", "id"],
  ["teams of one organization", () => "/api/teams", () => `org_id=${crowded.orgId}&`, "created_at", "id"],
  ["organization members", () => `/api/organizations/${crowded.orgId}/members`, () => "", "joined_at", "user_id"],
  ["team members", () => `/api/teams/${crowded.teamId}/members`, () => "", "joined_at", "user_id"],
])("the list of %s", (_, path, query, time, id) => {
  const read = (parameters = "", as = ada) => api.get(`${path()}?${query()}${parameters}` as const, as).ok();

  async function readAll(as: Person, limit: number): Promise<Row[][]> {
    const pages: Row[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const body = await read(`limit=${limit}${next}`, as);
      pages.push(rowsOf(body));
      cursor = body.next_cursor;
    }
    return pages;
  }

  it("is read in pages without gaps or repeats, newest first, by its people and by super admins", async () => {
    for (const [person, limits] of [
      [ada, [1, 33, 77, 231]],
      [superAdmin, [33, 77, 231]],
    ] as const) {
      const whole = (await readAll(person, 500)).flat();
      expect(whole).toHaveLength(MANY + 1);
      expect(new Set(whole.map((row) => row[id])).size).toBe(MANY + 1);
      const order = whole.slice(1).map((row) => `${row[time]} ${row[id]}`);
      expect(order).toEqual([...order].sort().reverse());
      for (const limit of limits) {
        const pages = await readAll(person, limit);
        expect(pages.flat()).toEqual(whole);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }
    }
  });

  it("has 100 rows per page by default, and at most 500", async () => {
    const byDefault = await read();
    expect([rowsOf(byDefault).length, byDefault.next_cursor]).toEqual([100, expect.any(String)]);
    const large = await read("limit=100000");
    expect([rowsOf(large).length, large.next_cursor]).toEqual([MANY + 1, null]);
  });
});
