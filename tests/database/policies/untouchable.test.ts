import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, PUBLIC_TEXT, ROLES, SECRETS, setStage } from "../support/stage.ts";
import { expectOutcomes, only } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/**
 * The columns that users may choose in a new row, and those that they may change. All others follow from something else or are
 * not a person's to choose, not even in their own row.
 */
const WRITABLE = `
  nectar.accounts update: check_in_enabled leaderboard_visible preferences read_notes_enabled timezone
  nectar.audit_events insert: action changed request_id target_id target_type
  nectar.blocks insert: blocked_id is_named
  nectar.conversion_rates insert: rate
  nectar.drop_templates insert: content is_approved media_type media_url thumbnail_url title type
  nectar.drop_templates update: content is_approved media_type media_url thumbnail_url title type updated_at
  nectar.encouragement_config update: bonus_drops_per_engagement daily_allowance engagement_window_hours
  nectar.encouragement_config update: max_custom_drops_per_day updated_at
  nectar.encouragement_drops update: read_at
  nectar.entry_backgrounds insert: entry_id id quality
  nectar.goal_check_ins insert: check_in_date goal_id notes status
  nectar.goal_check_ins update: notes status
  nectar.goals insert: description target_date title
  nectar.goals update: description status target_date title
  nectar.invitations update: email_status revoked_at
  nectar.journal_entries insert: ai_excluded content_visibility entry_date inherit_visibility metadata_visibility mood
  nectar.journal_entries insert: notebook_id org_id tags team_id title
  nectar.journal_entries update: ai_excluded content_visibility entry_date inherit_visibility metadata_visibility mood
  nectar.journal_entries update: notebook_id org_id tags team_id title updated_at
  nectar.journal_entry_contents insert: content entry_id
  nectar.journal_entry_contents update: content found_mood
  nectar.notebook_contents update: template
  nectar.notebooks insert: ai_excluded_default content_visibility description metadata_visibility name org_id team_id
  nectar.notebooks update: ai_excluded_default content_visibility description metadata_visibility name org_id team_id
  nectar.notification_settings insert: push quiet_end quiet_start reminder_only_if_not_written reminder_time
  nectar.notification_settings insert: reminder_weekdays
  nectar.notification_settings update: push quiet_end quiet_start reminder_only_if_not_written reminder_time
  nectar.notification_settings update: reminder_weekdays
  nectar.notifications update: read_at
  nectar.organization_members insert: org_id role user_id
  nectar.organization_members update: role
  nectar.organizations insert: description name settings
  nectar.organizations update: description name settings
  nectar.profiles update: avatar_url full_name updated_at
  nectar.team_members insert: org_id role team_id user_id
  nectar.team_members update: role
  nectar.team_messages insert: content squad_id team_id
  nectar.teams insert: admin_id description name org_id settings
  nectar.teams update: description name settings updated_at
  nectar.token_usage insert: cost_usd has_reply image_count image_quality input_tokens model output_tokens reference_id
  nectar.token_usage insert: reference_type usage_type
  nectar.tone_pack_images insert: file_path pack_id tone
  nectar.tone_pack_images update: created_at file_path
  nectar.tone_pack_shares insert: by_address pack_id user_id
  nectar.tone_packs insert: description is_public name price_drops theme
  nectar.tone_packs update: description is_public name price_drops theme
  nectar.user_locations insert: city country ip_address latitude longitude region timezone
  nectar.user_locations update: city country ip_address latitude longitude region timezone updated_at
  nectar.wellness_entries insert: content hours notes quality rating type
  nectar.wellness_entries update: content hours notes quality rating type
  nectar.workout_windows insert: activity_type custom_activity effective_from timezone window_end_time window_start_time
  nectar.workout_windows update: activity_type away custom_activity effective_from previous_activity_type
  nectar.workout_windows update: previous_custom_activity previous_timezone previous_window_end_time
  nectar.workout_windows update: previous_window_start_time timezone window_end_time window_start_time
  private.idempotency_keys insert: body body_hash is_final key resource_id route status
  private.idempotency_keys update: body is_final resource_id status
`;

it("users may write these columns and no others", async () => {
  const rows = await acting.query<{ column: string }>`
    select format('%s.%s %s: %s', n.nspname, c.relname, command, a.attname) as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    cross join unnest(array['insert', 'update']) command
    where n.nspname in ('nectar', 'private') and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
      and has_column_privilege('nectar_user', c.oid, a.attnum, command)`;
  const expected = WRITABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [target = "", columns = ""] = line.trim().split(": ");
      return columns.split(" ").map((column) => `${target}: ${column}`);
    });
  expect(rows.map(({ column }) => column).toSorted()).toEqual(expected.toSorted());
});

describe("hidden content", () => {
  it("is read only by users who may read it, with any query", async () => {
    const found: Record<string, string[]> = {};
    for (const role of ROLES) {
      const { rows } = await acting.run(
        stage.actors[role],
        `select c.content from nectar.journal_entry_contents c
         union select c.content from nectar.journal_entries e
           join nectar.journal_entry_contents c on c.entry_id = e.id where c.content like '%reads'
         order by content`,
      );
      found[role] = rows.map(({ content }) => content);
    }
    const all = [PUBLIC_TEXT, SECRETS.private, SECRETS.shared];
    const [orgMate, stranger, exMember] = [[PUBLIC_TEXT], [PUBLIC_TEXT], [PUBLIC_TEXT]];
    const teamMate = [PUBLIC_TEXT, SECRETS.shared];
    expect(found).toEqual(textsByRole({ owner: all, superAdmin: all, teamMate, orgMate, stranger, exMember }));
  });
});

describe("foreign groups", () => {
  it("cannot be written into: a share by a user who is not in the team has no readers", async () => {
    const share = `insert into nectar.journal_entries (title, metadata_visibility, content_visibility, team_id)
      values ('Intruder', 'team', 'team', :team)`;
    const intruder = stage.actors.orgMate;
    await acting.run(intruder, named(stage, share), [], "keep");
    const reach = "select from nectar.journal_entries where title = 'Intruder'";
    await expectOutcomes(acting, stage, reach, only({ orgMate: 1, superAdmin: 1 }, 0));
    await acting.admin.query("delete from nectar.journal_entries where title = 'Intruder'");
  });

  it("include notebooks: another user's notebook accepts no entry", async () => {
    const insert = "insert into nectar.journal_entries (title, notebook_id) values ('Intruder', :notebook)";
    await expectOutcomes(acting, stage, insert, only({ owner: 1 }, "notebook.not_found"));
  });
});

function textsByRole(named: Partial<Record<string, string[]>>) {
  return Object.fromEntries(ROLES.map((role) => [role, named[role] ?? []]));
}
