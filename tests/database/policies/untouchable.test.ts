import { describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { PUBLIC_TEXT, ROLES, SECRETS, setStage } from "../support/stage.ts";
import { everyone, expectOutcomes, named, only, REFUSED } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/** Columns that follow from something else or that are not a person's to choose. */
const FORBIDDEN_UPDATES: readonly [table: string, assignment: string][] = [
  ["profiles", "id = :stranger"],
  ["profiles", "is_ai = true"],
  ["profiles", "created_at = now()"],
  ["accounts", "drops_balance = 1000000"],
  ["accounts", "is_premium = true"],
  ["accounts", "suspended_until = null"],
  ["accounts", "email = 'owner@example.test'"],
  ["accounts", "user_id = :stranger"],
  ["organizations", "owner_id = :stranger"],
  ["organizations", "id = gen_random_uuid()"],
  ["organization_members", "user_id = :stranger"],
  ["organization_members", "org_id = :organization"],
  ["organization_members", "joined_at = now()"],
  ["teams", "admin_id = :teamMate"],
  ["teams", "org_id = :organization"],
  ["team_members", "user_id = :orgMate"],
  ["team_members", "team_id = :team"],
  ["team_members", "joined_at = now()"],
  ["invitations", "uses = 0"],
  ["invitations", "org_id = :organization"],
  ["invitations", "email = 'owner@example.test'"],
  ["invitations", "token_hash = sha256('forged')"],
  ["notebooks", "user_id = :stranger"],
  ["notebooks", "metadata_audience_id = private.public_audience()"],
  ["notebooks", "created_at = now()"],
  ["notebooks", "hidden_at = null"],
  ["reports", "status = 'dismissed'"],
  ["moderation_decisions", "reversed_at = now()"],
  ["moderation_appeals", "status = 'reversed'"],
  ["blocks", "blocked_id = :stranger"],
  ["tone_packs", "hidden_at = null"],
  ["team_messages", "hidden_at = null"],
  ["workout_checkin_photos", "hidden_at = null"],
  ["audit_events", "changed = '{}'"],
  ["drop_templates", "usage_count = 1000"],
  ["encouragement_drops", "content = 'Forged'"],
  ["encouragement_drops", "recipient_id = :stranger"],
  ["encouragement_drops", "engagement = 'engaged'"],
  ["encouragement_drops", "hidden_at = null"],
  ["encouragement_drops", "bonus_drops_awarded = 100"],
  ["encouragement_allowances", "bonus_earned = 100"],
  ["user_badges", "engagement_increases = 1501"],
  ["user_badges", "run_days = 100"],
  ["notifications", "user_id = :stranger"],
  ["notifications", "data = '{}'"],
  ["notifications", "created_at = now()"],
  ["trashed_entries", "deleted_at = now()"],
  ["journal_entries", "user_id = :stranger"],
  ["journal_entries", "effective_metadata_visibility = 'public'"],
  ["journal_entries", "effective_content_visibility = 'public'"],
  ["journal_entries", "metadata_audience_id = private.public_audience()"],
  ["journal_entries", "content_audience_id = private.public_audience()"],
  ["journal_entries", "created_at = now()"],
  ["journal_entries", "hidden_at = null"],
  ["journal_entries", "is_imported = false"],
  ["journal_imports", "status = 'running'"],
  ["journal_imports", "path = 'imports/another.zip'"],
  ["journal_entry_contents", "user_id = :stranger"],
  ["journal_entry_contents", "entry_id = :emptyEntry"],
  ["journal_entry_contents", "metadata_audience_id = private.public_audience()"],
  ["journal_entry_contents", "content_audience_id = private.public_audience()"],
];

describe("no user can set, not even in their own row,", () => {
  it.each(FORBIDDEN_UPDATES)("%s.%s", async (table, assignment) => {
    await expectOutcomes(acting, stage, `update nectar.${table} set ${assignment}`, everyone(REFUSED));
  });
});

const FORBIDDEN_INSERTS: readonly string[] = [
  "nectar.organizations (name, owner_id) values ('Nest', :stranger)",
  "nectar.notebooks (name, user_id) values ('Diary', :stranger)",
  "nectar.notebooks (name, metadata_audience_id) values ('Diary', :team)",
  "nectar.journal_entries (title, user_id) values ('Forged', :stranger)",
  "nectar.journal_entries (title, metadata_audience_id) values ('Forged', :team)",
  "nectar.journal_entries (title, effective_content_visibility) values ('Forged', 'public')",
  "nectar.journal_entry_contents (entry_id, content, user_id) values (:emptyEntry, 'Forged', :stranger)",
  "nectar.journal_entry_contents (entry_id, content, content_audience_id) values (:emptyEntry, 'Forged', :team)",
  "nectar.entry_backgrounds (user_id, quality) values (:stranger, 'hd')",
  "nectar.token_usage (user_id, usage_type, model, cost_usd) values (:stranger, 'tone_analysis', 'm', 0)",
  "nectar.token_usage (usage_type, model, cost_usd, created_at) values ('tone_analysis', 'm', 0, now())",
  "nectar.conversion_rates (rate, created_by) values (1, :stranger)",
  "nectar.drop_templates (type, title, content, usage_count) values ('encouragement', 'T', 'C', 1000)",
  "nectar.conversion_rates (rate, effective_date) values (1, now())",
  "nectar.audit_events (action, target_type, actor_id) values ('updateUserRole', 'user', :stranger)",
  "nectar.audit_events (action, target_type, actor_role) values ('updateUserRole', 'user', 'admin')",
  "private.idempotency_keys (user_id, route, key, body_hash, status, body) values (:stranger, 'r', 'k', 'h', 200, '')",
];

describe("no user can create a row with a value that they may not choose:", () => {
  it.each(FORBIDDEN_INSERTS)("%s", async (row) => {
    await expectOutcomes(acting, stage, `insert into ${row}`, everyone(REFUSED));
  });
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

  it("shared with everyone stays hidden while its entry is private", async () => {
    await expectOutcomes(
      acting,
      stage,
      "select from nectar.journal_entry_contents where entry_id = :privateEntry",
      only({ owner: 1, superAdmin: 1 }, 0),
    );
  });
});

describe("what is shared with everyone", () => {
  it("is seen by everyone signed in, unless there is a block", async () => {
    const publish = `update nectar.notebooks set metadata_visibility = 'public' where id = :notebook`;
    const hide = `update nectar.notebooks set metadata_visibility = 'team' where id = :notebook`;
    await acting.run(stage.actors.owner, named(stage, publish), [], "keep");
    await expectOutcomes(
      acting,
      stage,
      "select from nectar.notebooks where id = :notebook",
      only({ blocked: 0, anonymous: 0 }, 1),
    );
    await acting.run(stage.actors.owner, named(stage, hide), [], "keep");
  });
});

describe("what was shared with a group that is deleted", () => {
  it.each([
    ["team", "team_id", "delete from nectar.teams where id = :team"],
    ["org", "org_id", "delete from nectar.organizations where id = :organization"],
  ])("becomes private and does not inherit from a public notebook: %s", async (level, column, remove) => {
    const group = level === "team" ? stage.ids.team : stage.ids.organization;
    await acting.admin.query("begin");
    try {
      await acting.admin.query(
        "update nectar.notebooks set metadata_visibility = 'public', content_visibility = 'public' where id = $1",
        [stage.ids.notebook],
      );
      await acting.admin.query(
        `update nectar.journal_entries set notebook_id = $1, metadata_visibility = $2, content_visibility = $2,
           inherit_visibility = true, team_id = null, org_id = null where id = $3`.replace(
          `${column} = null`,
          `${column} = '${group}'`,
        ),
        [stage.ids.notebook, level, stage.ids.sharedEntry],
      );
      await acting.admin.query(named(stage, remove));
      const { rows } = await acting.admin.query(
        `select metadata_audience_id = user_id and content_audience_id = user_id as private, ${column} as group
         from nectar.journal_entries where id = $1`,
        [stage.ids.sharedEntry],
      );
      expect(rows).toEqual([{ private: true, group: null }]);
    } finally {
      await acting.admin.query("rollback");
    }
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

  it("cannot be joined without being added", async () => {
    for (const actor of [stage.actors.stranger, stage.actors.exMember]) {
      const { person } = actor as { person: string };
      const join = "insert into nectar.organization_members (org_id, user_id) values ($1, $2)";
      expect(await acting.outcome(actor, join, [stage.ids.organization, person])).toBe(REFUSED);
    }
    const join = "insert into nectar.team_members (team_id, org_id, user_id) values (:team, :organization, :orgMate)";
    expect(await acting.outcome(stage.actors.orgMate, named(stage, join))).toBe(REFUSED);
  });

  it("include notebooks: another user's notebook accepts no entry", async () => {
    const insert = "insert into nectar.journal_entries (title, notebook_id) values ('Intruder', :notebook)";
    await expectOutcomes(acting, stage, insert, only({ owner: 1 }, "notebook.not_found"));
  });
});

describe("a refused change", () => {
  const attempts = [
    "update nectar.journal_entries set title = 'Defaced'",
    "update nectar.journal_entry_contents set content = 'Defaced'",
    "update nectar.notebooks set name = 'Defaced'",
    "delete from nectar.trashed_entries",
    "delete from nectar.notebooks",
  ];
  it("raises no error and changes no row", async () => {
    const asOwner = async () => {
      const { rows } = await acting.run(
        stage.actors.owner,
        `select e.*, c.content, n.name from nectar.journal_entries e
         left join nectar.journal_entry_contents c on c.entry_id = e.id
         left join nectar.notebooks n on n.user_id = e.user_id
         where e.user_id = $1 order by e.id`,
        [stage.ids.owner],
      );
      return rows;
    };
    const before = await asOwner();
    expect(before).toHaveLength(8);
    for (const role of ["teamMate", "orgMate", "stranger", "exMember", "blocked", "superAdmin", "anonymous"] as const) {
      for (const attempt of attempts) {
        expect((await acting.run(stage.actors[role], attempt, [], "keep")).rowCount, `${attempt} by ${role}`).toBe(0);
      }
    }
    expect(await asOwner()).toEqual(before);
  });
});

function textsByRole(named: Partial<Record<string, string[]>>) {
  return Object.fromEntries(ROLES.map((role) => [role, named[role] ?? []]));
}
