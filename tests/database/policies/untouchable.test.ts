import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, PUBLIC_TEXT, ROLES, SECRETS, setStage } from "../support/stage.ts";
import { expectOutcomes, only } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

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
