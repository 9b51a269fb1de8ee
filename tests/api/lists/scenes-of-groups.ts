import { randomUUID } from "node:crypto";
import { type BuildScenes, EARLIER, longest, type Stage } from "./stage.ts";

/** The paged lists of organizations and teams. */
export const GROUPS: Readonly<Record<string, BuildScenes>> = {
  "/api/organizations": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const scene = await stage.copied({ path: "/api/organizations", as }, "nectar.organizations", id);
    await stage.quietly(
      `insert into nectar.organization_members (org_id, user_id)
       select o, $2 from unnest($1::uuid[]) o on conflict do nothing`,
      [scene.keys, as.id],
    );
    return [scene];
  },
  "/api/organizations/{id}/members": async (stage) => {
    const { as, orgId, members } = await largeTeam(stage);
    return [{ path: `/api/organizations/${orgId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/users": async (stage) => {
    const { as, orgId, members } = await largeTeam(stage);
    await stage.quietly(
      `insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
       select m.org_id, m.user_id, 1, p.full_name, 'ada' from nectar.organization_members m
       join nectar.profiles p on p.id = m.user_id where m.org_id = $1 on conflict do nothing`,
      [orgId],
    );
    const keys = members.filter((id) => id !== as.id);
    return [`org_id=${orgId}`, "q=ada"].map((query) => ({ path: `/api/users?${query}`, as, keys }));
  },
  "/api/organizations/{id}/invitations": async (stage) => {
    const { owner, path, id } = await largeInvitation(stage);
    return [await stage.copied({ path, as: owner }, "nectar.invitations", id, ANOTHER_TOKEN)];
  },
  "/api/invitations": async (stage) => {
    const { as, id } = await largeInvitation(stage);
    return [await stage.copied({ path: "/api/invitations", as }, "nectar.invitations", id, ANOTHER_TOKEN)];
  },
  "/api/teams": async (stage) => {
    const as = await stage.api.person();
    const organization = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const { id } = await stage.make("/api/teams", "team", as, { ...LARGE_GROUP, org_id: organization.id });
    const scene = await stage.copied({ path: "/api/teams", as }, "nectar.teams", id);
    return [scene, { ...scene, path: `/api/teams?org_id=${organization.id}` }];
  },
  "/api/teams/{id}/members": async (stage) => {
    const { as, teamId, members } = await largeTeam(stage);
    return [{ path: `/api/teams/${teamId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/teams/{id}/messages": async (stage) => {
    const { as, teamId } = await largeTeam(stage);
    const path = `/api/teams/${teamId}/messages`;
    const { id } = await stage.make(path, "team_message", as, { content: longest(2_000) });
    return [await stage.copied({ path, as }, "nectar.team_messages", id)];
  },
};

/** The name, description and settings of an organization or a team, at their maximum size. */
const LARGE_GROUP = { name: longest(100), description: longest(1_000), settings: { text: '"'.repeat(8_000) } };

/** A team and its organization with more members than a page, all with cards of the maximum size. */
async function largeTeam(stage: Stage) {
  const as = await stage.api.person();
  const { id: orgId } = await stage.make("/api/organizations", "organization", as, { name: "O" });
  const { id: teamId } = await stage.make("/api/teams", "team", as, { name: "T", org_id: orgId });
  const people = await stage.people(505);
  const joined = "now() - (row_number() over () / 2) * interval '1 second'";
  await stage.quietly(
    `insert into nectar.organization_members (org_id, user_id, joined_at) select $1, p, ${joined} from unnest($2::uuid[]) p`,
    [orgId, people],
  );
  await stage.quietly(
    `insert into nectar.team_members (org_id, team_id, user_id, joined_at)
     select $1, $2, p, ${joined} from unnest($3::uuid[]) p`,
    [orgId, teamId, people],
  );
  return { as, orgId, teamId, members: [as.id, ...people] };
}

const ANOTHER_TOKEN = { ...EARLIER, token_hash: "sha256((r.id::text || n)::bytea)" };

/** An invitation with the longest names, texts and numbers of teams. */
async function largeInvitation(stage: Stage) {
  const as = await stage.api.person({ email: `${randomUUID()}${"a".repeat(206)}@nectar.test` });
  const owner = await stage.api.person();
  await stage.enlarge(owner.id);
  const organization = await stage.make("/api/organizations", "organization", owner, LARGE_GROUP);
  const path = `/api/organizations/${organization.id}/invitations`;
  const { id } = await stage.make(path, "invitation", owner, {});
  await stage.quietly(
    `update nectar.invitations set email = $1, email_status = 'sent', team_ids = array_fill(id, array[20]) where id = $2`,
    [as.email, id],
  );
  return { as, owner, path, id };
}
