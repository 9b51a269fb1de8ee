import { createHash } from "node:crypto";
import { invitations, personNamed } from "./data.ts";
import { organizationId } from "./groups.ts";
import { idOf, moment, type Past } from "./past.ts";
import { insertRows, stableId } from "./rows.ts";

const VALID_FOR_MS = 30 * 86_400_000;

/** Writes the pending invitations, and the notifications of the invited people. */
export async function writeInvitations(past: Past): Promise<void> {
  const { client } = past;
  const sent = invitations.map(({ organization, inviter, invited, daysAgo, at }) => {
    const email = personNamed(invited).email;
    return {
      id: stableId(`invitation ${organization} ${invited}`),
      org_id: organizationId(organization),
      invited_by: idOf(past, inviter),
      user_id: idOf(past, invited),
      email,
      token: demoToken(personNamed(inviter).email, email),
      created_at: moment(past, daysAgo, at),
    };
  });
  await insertRows(client, "nectar.invitations", sent, ({ id, org_id, invited_by, email, token, created_at }) => ({
    id,
    org_id,
    invited_by,
    token_hash: `\\x${createHash("sha256").update(token).digest("hex")}`,
    email,
    email_status: "sent",
    role: "member",
    team_ids: [],
    max_uses: 1,
    uses: 0,
    expires_at: new Date(Date.parse(created_at) + VALID_FOR_MS).toISOString(),
    created_at,
  }));
  await insertRows(client, "nectar.notifications", sent, ({ id, org_id, invited_by, user_id, created_at }) => ({
    id: stableId(`notification ${id}`),
    user_id,
    type: "invitation",
    data: { invitation_id: id, org_id, invited_by },
    caused_by: invited_by,
    created_at,
  }));
}

/** The address of the page for an invitation of the demo data. @param appUrl address of the client app */
export function demoInvitationUrl(appUrl: string, inviterEmail: string, email: string): string {
  return `${appUrl}/invitations/${demoToken(inviterEmail, email)}`;
}

/** The same on every machine, because the stand-in for the mail provider writes the mail again at each start. */
function demoToken(inviterEmail: string, email: string): string {
  return createHash("sha256").update(`demo invitation ${inviterEmail} ${email}`).digest("base64url");
}
