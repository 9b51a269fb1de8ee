import { stableId } from "#local/demo/rows";
import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

// Organizations and teams.

export async function visitOrganizations({ call, person }: Stop): Promise<void> {
  const [{ token }, maya, hana, tomas] = [
    await person("demo"),
    await person("maya"),
    await person("hana"),
    await person("tomas"),
  ];
  await call("listOrganizations", { token });
  const created = await call("createOrganization", {
    token,
    body: { name: "Tuesday Readers", description: "One chapter a week, read on the tram." },
  });
  const id = textAt(created, "organization.id");
  await call("readOrganization", { token, params: { id } });
  await call("updateOrganization", { token, params: { id }, body: { description: "One chapter a week." } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: hana.id, role: "member" } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: maya.id, role: "admin" } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: tomas.id } });
  await call("acceptOrganizationMembership", { token: maya.token, params: { id } });
  await call("acceptOrganizationMembership", { token: hana.token, params: { id } });
  await call("listOrganizationMembers", { token, params: { id } });
  await call("updateOrganizationMember", { token, params: { id, userId: hana.id }, body: { role: "admin" } });
  await call("removeOrganizationMember", { token, params: { id, userId: tomas.id } });
  await call("transferOrganization", { token, params: { id }, body: { new_owner_id: maya.id } });
  await call("declineOrganization", { token: maya.token, params: { id } });
  await call("deleteOrganization", { token, params: { id } });
}

export async function visitInvitations({ call, person }: Stop): Promise<void> {
  const [{ token }, leila, hana] = [await person("maya"), await person("leila"), await person("hana")];
  const id = stableId("organization harbor-street");
  const invite = (email: string) =>
    call("createInvitation", { token, params: { id }, body: { email, team_ids: [stableId("team product-crew")] } });
  const created = await invite(leila.email);
  await call("listInvitations", { token, params: { id } });
  await call("listReceivedInvitations", { token: leila.token });
  await call("previewInvitation", {
    token: leila.token,
    body: { token: textAt(created, "invitation.token") },
    shownBody: { token: "<the token>" },
  });
  await call("acceptInvitation", { token: leila.token, body: { invitation_id: textAt(created, "invitation.id") } });
  const declined = await invite(hana.email);
  const invitationId = textAt(declined, "invitation.id");
  await call("declineInvitation", { token: hana.token, body: { invitation_id: invitationId } });
  await call("deleteInvitation", { token, params: { id, invitationId } });
}

export async function visitTeams({ call, person }: Stop): Promise<void> {
  const [{ token }, tomas] = [await person("maya"), await person("tomas")];
  await call("listTeams", { token });
  const org_id = stableId("organization harbor-street");
  const created = await call("createTeam", {
    token,
    body: { name: "Ferry Launch", org_id, description: "Until the app is in the stores." },
  });
  const id = textAt(created, "team.id");
  await call("readTeam", { token, params: { id } });
  await call("updateTeam", { token, params: { id }, body: { name: "Ferry Launch Crew" } });
  await call("addTeamMember", { token, params: { id }, body: { user_id: tomas.id, role: "member" } });
  await call("listTeamMembers", { token, params: { id } });
  const sent = await call("sendTeamMessage", {
    token: tomas.token,
    params: { id },
    body: { content: "The stores have the build. Fingers crossed." },
  });
  await call("listTeamMessages", { token, params: { id } });
  await call("deleteTeamMessage", { token, params: { id, messageId: textAt(sent, "team_message.id") } });
  await call("updateTeamMember", { token, params: { id, userId: tomas.id }, body: { role: "admin" } });
  await call("removeTeamMember", { token, params: { id, userId: tomas.id } });
  await call("deleteTeam", { token, params: { id } });
}
