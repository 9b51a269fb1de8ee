import { ANOTHER, type Topic } from "./rows.ts";

/**
 * Everyone has an organization with two teams, and is in three others and in the first team of each. Everyone blocked others
 * but the first person.
 */
export const GROUPS: Topic = {
  "nectar.organizations": { values: { name: "'Hive ' || p.n", created_at: "now() - p.n * interval '1 hour'" } },
  "nectar.organization_members": {
    each: 4,
    joined:
      "join people x on x.n = case k when 1 then p.n else 1 + (p.n * 7 + k * 31) % (select count(*) from people) end",
    values: { user_id: "x.id", role: "case k when 1 then 'admin' else 'member' end::nectar.member_role" },
  },
  "nectar.member_names": {
    values: { full_name: "'Person ' || p.n", search_text: "'person ' || p.n" },
  },
  "nectar.teams": {
    of: "nectar.organizations",
    each: 2,
    values: { name: "'Comb ' || k", created_at: "o.created_at", org_id: "o.id" },
  },
  "nectar.team_members": {
    of: "nectar.teams",
    joined: "join nectar.organization_members m on m.org_id = o.org_id where m.user_id = p.id or o.name = 'Comb 1'",
    values: { team_id: "o.id", org_id: "o.org_id", user_id: "m.user_id", role: "m.role" },
  },
  "nectar.invitations": {
    each: 2,
    values: {
      email: "p.n || '@example.test'",
      email_status: "'sent'",
      token_hash: "sha256((o.id || '/' || k)::bytea)",
      expires_at: "now() + interval '1 week'",
    },
  },
  "nectar.blocks": { each: 3, joined: `${ANOTHER} where 1 not in (p.n, x.n)`, values: { blocked_id: "x.id" } },
};
