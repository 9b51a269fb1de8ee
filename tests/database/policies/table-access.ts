import type { Command } from "#core/cards/card";
import { type Expected, only, REFUSED, signedIn } from "./matrix.ts";

export const COMMANDS: readonly Command[] = ["select", "insert", "update", "delete"];

/** A statement and what each role gets for it, for the commands on a table or view that users have a privilege for. */
type TableAccess = Readonly<Partial<Record<Command, readonly [statement: string, expected: Expected]>>>;

const ownerAlone = only({ owner: 1 }, 0);
const membersAndSuperAdmin = only({ owner: 1, teamMate: 1, orgMate: 1, blocked: 1, superAdmin: 1 }, 0);
/** Of something that a team sees and something public. */
const teamAndPublic = only({ owner: 2, teamMate: 2, superAdmin: 2, blocked: 0, anonymous: 0 }, 1);
/** Of something that an organization sees and something public. */
const organizationAndPublic = only({ owner: 2, teamMate: 2, orgMate: 2, superAdmin: 2, blocked: 1, anonymous: 0 }, 1);
/** Of a tone pack that a teamMate was given and an orgMate bought, and a public one. */
const receivedAndPublic = only({ owner: 2, teamMate: 2, orgMate: 2, blocked: 0, anonymous: 0 }, 1);

/**
 * The access that no card can say: to views, to rows of several people, and to rows that need others. Everything else follows
 * from the cards.
 */
export const ACCESS: Readonly<Record<string, TableAccess>> = {
  "nectar.blocks": {
    insert: [
      "insert into nectar.blocks (blocked_id) values (:stranger)",
      only({ stranger: "23514", anonymous: REFUSED }, 1),
    ],
  },
  "nectar.reports": {
    select: ["select id, details from nectar.reports where reporter_id = :teamMate", only({ teamMate: 1 }, 0)],
  },
  "nectar.moderation_decisions": {
    select: ["select id, reason from nectar.moderation_decisions where owner_id = :owner", ownerAlone],
  },
  "nectar.user_roles": {
    select: ["select from nectar.user_roles where user_id = :superAdmin", only({ superAdmin: 1 }, 0)],
  },
  "nectar.audit_events": {
    insert: [
      "insert into nectar.audit_events (action, target_type) values ('updateUserRole', 'user')",
      only({ superAdmin: 1 }, REFUSED),
    ],
  },
  "nectar.organizations": {
    select: ["select from nectar.organizations where id = :organization", membersAndSuperAdmin],
    insert: ["insert into nectar.organizations (name) values ('Nest')", signedIn(1, REFUSED)],
  },
  "nectar.organization_members": {
    select: [
      "select from nectar.organization_members where org_id = :organization and user_id = :orgMate",
      membersAndSuperAdmin,
    ],
    insert: [
      "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)",
      only({ owner: 1, superAdmin: 1 }, REFUSED),
    ],
    delete: [
      "delete from nectar.organization_members where user_id = :orgMate",
      only({ owner: 1, superAdmin: 1, orgMate: 1 }, 0),
    ],
  },
  "nectar.member_names": {
    select: ["select from nectar.member_names where user_id = :orgMate and word_number = 1", membersAndSuperAdmin],
  },
  "nectar.teams": {
    select: ["select from nectar.teams where id = :team", membersAndSuperAdmin],
    insert: [
      "insert into nectar.teams (org_id, name, admin_id) values (:organization, 'Swarm', :orgMate)",
      only({ owner: 1, teamMate: 1, orgMate: 1, blocked: 1, superAdmin: 1 }, REFUSED),
    ],
  },
  "nectar.team_members": {
    select: ["select from nectar.team_members where user_id = :teamMate", membersAndSuperAdmin],
    insert: [
      "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)",
      only({ owner: 1, superAdmin: 1 }, REFUSED),
    ],
    delete: [
      "delete from nectar.team_members where user_id = :teamMate",
      only({ owner: 1, superAdmin: 1, teamMate: 1 }, 0),
    ],
  },
  "nectar.notebooks": {
    select: ["select from nectar.notebooks where id in (:notebook, :publicNotebook)", teamAndPublic],
    insert: ["insert into nectar.notebooks (name) values ('Mine')", signedIn(1, REFUSED)],
  },
  "nectar.journal_entries": {
    select: ["select from nectar.journal_entries where id in (:sharedEntry, :publicEntry)", organizationAndPublic],
    insert: ["insert into nectar.journal_entries (title) values ('Mine')", signedIn(1, REFUSED)],
  },
  "nectar.readable_entries": {
    select: ["select from nectar.readable_entries where id in (:sharedEntry, :publicEntry)", organizationAndPublic],
  },
  "nectar.readable_notebooks": {
    select: ["select from nectar.readable_notebooks where id in (:notebook, :publicNotebook)", teamAndPublic],
  },
  "nectar.journal_entry_contents": {
    select: ["select from nectar.journal_entry_contents where entry_id in (:sharedEntry, :publicEntry)", teamAndPublic],
    insert: [
      "insert into nectar.journal_entry_contents (entry_id, content) values (:emptyEntry, 'smuggled')",
      only({ owner: 1 }, REFUSED),
    ],
  },
  "nectar.entry_backgrounds": {
    select: ["select from nectar.entry_backgrounds where entry_id in (:sharedEntry, :publicEntry)", teamAndPublic],
    insert: [
      "insert into nectar.entry_backgrounds (entry_id, quality) values (:emptyEntry, 'hd')",
      only({ owner: 1 }, REFUSED),
    ],
  },
  "nectar.entry_pictures": {
    select: ["select from nectar.entry_pictures where entry_id in (:sharedEntry, :publicEntry)", teamAndPublic],
    insert: [
      `insert into nectar.entry_pictures (id, thumbnail_id, entry_id, position, width, height, size_bytes)
       values (gen_random_uuid(), gen_random_uuid(), :emptyEntry, 0, 1, 1, 1)`,
      only({ owner: 1 }, REFUSED),
    ],
  },
  "nectar.conversion_rates": {
    insert: ["insert into nectar.conversion_rates (rate) values (1)", only({ superAdmin: 1 }, REFUSED)],
  },
  "nectar.tone_packs": {
    select: ["select from nectar.tone_packs where id in (:tonePack, :publicTonePack)", receivedAndPublic],
    insert: ["insert into nectar.tone_packs (name, theme) values ('Mine', 'icons')", signedIn(1, REFUSED)],
  },
  "nectar.tone_pack_images": {
    select: ["select from nectar.tone_pack_images where pack_id in (:tonePack, :publicTonePack)", receivedAndPublic],
    insert: [
      "insert into nectar.tone_pack_images (pack_id, tone, file_path) values (:tonePack, 'sad', private.actor_id() || '/' || :tonePack || '/sad.png')",
      only({ owner: 1, anonymous: REFUSED }, "23503"),
    ],
  },
  "nectar.tone_pack_shares": {
    select: ["select from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
    insert: [
      "insert into nectar.tone_pack_shares (pack_id, user_id) values (:tonePack, :exMember)",
      only({ owner: 1, exMember: "23514", anonymous: REFUSED }, "23503"),
    ],
    delete: ["delete from nectar.tone_pack_shares where pack_id = :tonePack", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.tone_pack_purchases": {
    select: ["select from nectar.tone_pack_purchases where pack_id = :tonePack", only({ orgMate: 1 }, 0)],
  },
  "nectar.goals": {
    select: ["select from nectar.goals where id in (:goal, :publicGoal)", teamAndPublic],
    insert: ["insert into nectar.goals (title) values ('Mine')", signedIn(1, REFUSED)],
  },
  "nectar.goal_contents": {
    select: ["select from nectar.goal_contents where goal_id in (:goal, :publicGoal)", teamAndPublic],
  },
  "nectar.readable_locations": {
    select: ["select from nectar.readable_locations where user_id = :owner", only({ owner: 1 }, 0)],
  },
  "nectar.readable_goals": {
    select: ["select from nectar.readable_goals where id in (:goal, :publicGoal)", teamAndPublic],
  },
  "nectar.readable_goal_check_ins": {
    select: ["select from nectar.readable_goal_check_ins where goal_id in (:goal, :publicGoal)", teamAndPublic],
  },
  "nectar.goal_check_ins": {
    select: ["select from nectar.goal_check_ins where goal_id in (:goal, :publicGoal)", teamAndPublic],
    insert: [
      "insert into nectar.goal_check_ins (goal_id, status, check_in_date) values (:goal, 'missed', '2026-11-21')",
      only({ owner: 1, anonymous: REFUSED }, "23503"),
    ],
  },
  "nectar.goal_check_in_contents": {
    select: ["select from nectar.goal_check_in_contents where goal_id in (:goal, :publicGoal)", teamAndPublic],
    insert: [
      `insert into nectar.goal_check_in_contents (check_in_id, goal_id, notes)
       select id, goal_id, 'Mine' from nectar.goal_check_ins where goal_id = :privateGoal`,
      only({ owner: 1, superAdmin: "23503" }, 0),
    ],
  },
  "nectar.workout_windows": {
    insert: [
      `insert into nectar.workout_windows (activity_type, window_start_time, window_end_time, timezone, effective_from)
       values ('walk', '23:00', '01:00', 'UTC', '2026-11-21')`,
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
  },
  "nectar.user_locations": {
    insert: [
      "insert into nectar.user_locations (city) values ('Bern')",
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
  },
  "nectar.team_messages": {
    select: [
      "select content from nectar.team_messages where team_id = :team",
      only({ owner: 1, teamMate: 1, superAdmin: 1 }, 0),
    ],
    insert: [
      "insert into nectar.team_messages (team_id, content) values (:team, 'Hello')",
      only({ owner: 1, teamMate: 1 }, REFUSED),
    ],
  },
  "nectar.notification_settings": {
    insert: [
      "insert into nectar.notification_settings (quiet_start, quiet_end) values ('22:00', '07:00')",
      only({ owner: "23505", anonymous: REFUSED }, 1),
    ],
  },
  "nectar.drop_templates": {
    select: ["select from nectar.drop_templates where id = :draft", only({ superAdmin: 1 }, 0)],
    insert: [
      "insert into nectar.drop_templates (type, title, content) values ('encouragement', 'Mine', 'Buy this')",
      only({ superAdmin: 1 }, REFUSED),
    ],
  },
  "nectar.encouragement_drops": {
    select: ["select content from nectar.encouragement_drops", only({ owner: 1, teamMate: 1 }, 0)],
    update: ["update nectar.encouragement_drops set read_at = now()", only({ teamMate: 1 }, 0)],
  },
  "nectar.drop_objects": {
    select: ["select drop from nectar.drop_objects", only({ owner: 1, teamMate: 1 }, 0)],
  },
  "nectar.own_profiles": { select: ["select email from nectar.own_profiles", only({ anonymous: 0 }, 1)] },
  "nectar.chosen_settings": { select: ["select push from nectar.chosen_settings", only({ anonymous: 0 }, 1)] },
  "nectar.readable_badges": {
    select: ["select level from nectar.readable_badges where user_id = :owner", only({ anonymous: 0 }, 1)],
  },
  "nectar.readable_drops": {
    select: ["select content from nectar.readable_drops", only({ owner: 1, teamMate: 1 }, 0)],
  },
};
