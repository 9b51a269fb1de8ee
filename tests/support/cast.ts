import { randomUUID } from "node:crypto";
import type { TestApi } from "./api.ts";
import { asSuperuser, type Person } from "./people.ts";

/** One person for every way to stand to an organization and its team. */
export interface Cast {
  /** Owns the organization and is not in the team. */
  readonly owner: Person;
  /** Organization admin, not in the team. */
  readonly admin: Person;
  /** Organization member, not in the team. */
  readonly member: Person;
  /** Primary admin of the team. */
  readonly primary: Person;
  /** Admin of the team beside the primary one. */
  readonly coAdmin: Person;
  /** Member of the team. */
  readonly teammate: Person;
  /** Was in organization and team and was removed. */
  readonly exMember: Person;
  /** Never was in it. */
  readonly stranger: Person;
  /** Super admin of the service, in no organization. */
  readonly superAdmin: Person;
}

/** An organization with one team, staffed by a cast. */
export interface Stage {
  readonly orgId: string;
  readonly teamId: string;
}

export async function signUpCast(api: TestApi): Promise<Cast> {
  return {
    owner: await api.person(),
    admin: await api.person(),
    member: await api.person(),
    primary: await api.person(),
    coAdmin: await api.person(),
    teammate: await api.person(),
    exMember: await api.person(),
    stranger: await api.person(),
    superAdmin: await api.person({ role: "super_admin" }),
  };
}

/** Builds an organization and a team around a cast; behind the API, because tests want a fresh one all the time. */
export async function stage(api: TestApi, cast: Cast): Promise<Stage> {
  const orgId = randomUUID();
  const teamId = randomUUID();
  await asSuperuser(api.adminUrl, async (client) => {
    await client.query("begin");
    await client.query("insert into nectar.organizations (id, name, owner_id) values ($1, 'Hive', $2)", [
      orgId,
      cast.owner.id,
    ]);
    await client.query(
      `insert into nectar.organization_members (org_id, user_id, role)
       select $1, u.id, case when u.id = $2 then 'admin' else 'member' end::nectar.member_role
       from unnest($3::uuid[]) as u (id)`,
      [
        orgId,
        cast.admin.id,
        [cast.admin, cast.member, cast.primary, cast.coAdmin, cast.teammate, cast.exMember].map(({ id }) => id),
      ],
    );
    await client.query("insert into nectar.teams (id, org_id, name, admin_id) values ($1, $2, 'Comb', $3)", [
      teamId,
      orgId,
      cast.primary.id,
    ]);
    await client.query(
      `insert into nectar.team_members (team_id, org_id, user_id, role)
       values ($1, $2, $3, 'admin'), ($1, $2, $4, 'member'), ($1, $2, $5, 'member')`,
      [teamId, orgId, cast.coAdmin.id, cast.teammate.id, cast.exMember.id],
    );
    await client.query("delete from nectar.organization_members where org_id = $1 and user_id = $2", [
      orgId,
      cast.exMember.id,
    ]);
    await client.query("commit");
  });
  return { orgId, teamId };
}

/** Everything of a stage as the owner reads it: organization, members, teams, team members, with their statuses. */
export async function readAsOwner(api: TestApi, { owner }: Cast, { orgId, teamId }: Stage): Promise<unknown> {
  const paths = [
    `/api/organizations/${orgId}`,
    `/api/organizations/${orgId}/members`,
    `/api/teams?org_id=${orgId}`,
    `/api/teams/${teamId}`,
    `/api/teams/${teamId}/members`,
  ];
  return Promise.all(
    paths.map(async (path) => {
      const { status, body } = await api.get(path, owner);
      return { path, status, body };
    }),
  );
}
