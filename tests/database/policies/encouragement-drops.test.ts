import { beforeAll, describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { type Actor, useActing } from "../support/acting.ts";
import { named, setStage } from "../support/stage.ts";

const acting = useActing();
let plainAdmin: Actor;
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));
beforeAll(async () => {
  plainAdmin = { person: (await acting.person({ role: "admin" })).id };
});

const outcome = (actor: Actor, statement: string) => acting.outcome(actor, named(stage, statement));
/** A call of the function that sends, with what differs from a plain message of one's own words. */
function send(to: string, { kind = "null", words = "'Hi'", link = "null", entry = "null" } = {}) {
  return `select private.send_encouragement_drop(
    jsonb_build_object(
      'recipient_id', ${to}::uuid, 'type', ${kind}, 'entry_id', ${entry}::uuid, 'content', ${words},
      'media_type', ${link === "null" ? "null" : "'vimeo'"}, 'media_url', ${link}
    ),
    now())`;
}

describe("an admin who is not a super admin", () => {
  it.each([
    ["sees drafts", "select from nectar.drop_templates where id = :draft", 1],
    ["approves", "update nectar.drop_templates set is_approved = true where id = :draft", 1],
    ["writes", "insert into nectar.drop_templates (type, title, content) values ('encouragement', 'T', 'C')", 1],
    ["deletes", "delete from nectar.drop_templates where id = :draft", 1],
    ["changes the rules", "update nectar.encouragement_config set daily_allowance = 7", 1],
    ["sees no drops of others", "select from nectar.encouragement_drops", 0],
    ["sees no allowance of others", "select from nectar.encouragement_allowances", 0],
  ])("%s", async (_, statement, rows) => {
    expect(await outcome(plainAdmin, statement)).toBe(rows);
  });
});

describe("the function that sends a drop", () => {
  it.each([
    ["no words", send(":stranger", { words: "null" }), "23502"],
    ["too many words", send(":stranger", { words: "repeat('x', 501)" }), "23514"],
    ["media without a link", send(":stranger", { kind: "'media'" }), "23514"],
    ["a link without media", send(":stranger", { link: "'https://vimeo.com/1'" }), "23514"],
    ["a link without https", send(":stranger", { kind: "'media'", link: "'http://vimeo.com/1'" }), "23514"],
  ])("sends no drop with %s", async (_, statement, expected) => {
    expect(await outcome(stage.actors.owner, statement)).toBe(expected);
  });

  it("finds an entry only for senders who may see it", async () => {
    const outcomes: Record<string, unknown> = {};
    for (const role of ["owner", "teamMate", "orgMate", "exMember", "superAdmin"] as const) {
      const shared = await outcome(stage.actors[role], send(":stranger", { entry: ":sharedEntry" }));
      const hidden = await outcome(stage.actors[role], send(":stranger", { entry: ":privateEntry" }));
      outcomes[role] = [shared, hidden];
    }
    expect(outcomes).toEqual({
      owner: [1, 1],
      teamMate: [1, "journal.not_found"],
      orgMate: [1, "journal.not_found"],
      exMember: ["journal.not_found", "journal.not_found"],
      superAdmin: [1, 1],
    });
  });

  it("cannot be called without a user", async () => {
    expect(await outcome("anonymous", send(":stranger"))).toBe("23502");
  });
});
