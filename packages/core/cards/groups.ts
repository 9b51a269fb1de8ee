import { KEPT_DAYS } from "../retention.ts";
import { type Cards, LEFT } from "./card.ts";

const GROUPS = {
  what: "Organizations, teams, their members, invitations",
  seenBy: "their members; invited people see name and size; owners see invitations",
};

const HANDED_OVER =
  "Organizations and teams that others run now, with the names that they gave them, and pending invitations to them";

/** Organizations and teams, their members, invitations and messages. */
export const GROUP_TABLES = {
  "nectar.organizations": {
    about: GROUPS,
    person: "owner_id",
    users: {
      select: "members and super admins",
      insert: "signed in",
      update: "owner and super admins",
      delete: "owner and super admins",
    },
    exported: { organizations: "all" },
    left: { [LEFT.internal]: ["received_at", "received_from", "is_used"] },
    erased: { by: "private.hand_over_organizations, which gives it to another member, or deletes it without one" },
    stays: HANDED_OVER,
    grows: "with people",
  },
  "nectar.organization_members": {
    about: GROUPS,
    users: {
      select: "members and super admins",
      insert: "owner and super admins",
      update: "owner and super admins",
      delete: "admins and the member",
    },
    exported: { organizations: { as: { org_id: "id", role: "my_role" } } },
    left: { [LEFT.derived]: ["user_id"], [LEFT.internal]: ["acted_at"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.member_names": {
    about: GROUPS,
    users: { select: "members and super admins" },
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.teams": {
    about: GROUPS,
    person: "admin_id",
    users: {
      select: "members and super admins",
      insert: "members and super admins",
      update: "owner and super admins",
      delete: "owner and super admins",
    },
    exported: { teams: "all" },
    erased: { by: "the triggers that give it to another member, or its organization's deletion" },
    stays: HANDED_OVER,
    grows: "with people",
  },
  "nectar.team_members": {
    about: GROUPS,
    users: {
      select: "members and super admins",
      insert: "owner and super admins",
      update: "owner and super admins",
      delete: "admins and the member",
    },
    exported: { teams: { as: { team_id: "id", role: "my_role" } } },
    left: { [LEFT.derived]: ["user_id"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.invitations": {
    about: GROUPS,
    person: "invited_by",
    users: { select: "owner and super admins", update: "owner and super admins" },
    exported: { invitations: { as: { revoked_at: "status" } } },
    left: { [LEFT.secret]: ["token_hash"] },
    erased: "by cascade",
    stays: HANDED_OVER,
    kept: [{ what: "Invitations", days: KEPT_DAYS.invitations, since: "expires_at" }],
    grows: "with time",
  },
  "nectar.team_messages": {
    about: {
      what: "Messages to a team or squad, comments on entries and goals",
      seenBy:
        "members of the team or squad, or all who see the content of the entry or goal; super admins, and what they read of comments that are not shared with them is logged",
    },
    person: "sender_id",
    users: { select: "members and super admins", insert: "members" },
    exported: {
      messages: { as: { sender_id: "sender" } },
      "entries.comments": { as: { sender_id: "author" }, without: ["team_id", "squad_id", "goal_id"] },
      "goals.comments": { as: { sender_id: "author" }, without: ["team_id", "squad_id", "entry_id"] },
    },
    left: { [LEFT.derived]: ["room_id"], [LEFT.internal]: ["hidden_at"] },
    erased: "by cascade",
    kept: [
      {
        what: "Messages of squads; those of teams and comments stay",
        days: KEPT_DAYS.squadMessages,
        since: "created_at",
      },
    ],
    grows: "with time",
  },
} as const satisfies Cards;
