import { describe, expect, it } from "vitest";
import { named } from "../support/stage.ts";
import { type Move, useRaces } from "./race.ts";

const { acting, stage, race, inBothOrders, setAgain } = useRaces();

const NARROW = "update nectar.notebooks set metadata_visibility = 'user', team_id = null where id = :notebook";
const SHARE_WITH_TEAM = `insert into nectar.journal_entries (title, metadata_visibility, content_visibility, team_id)
  values ('Raced', 'team', 'team', :team)`;
const SHARE_WITH_ORGANIZATION = `insert into nectar.journal_entries (title, metadata_visibility, content_visibility, org_id)
  values ('Raced', 'org', 'org', :organization)`;
const SHARE_NOTEBOOK =
  "insert into nectar.notebooks (name, metadata_visibility, team_id) values ('Raced', 'team', :team)";
const SHARE_GOAL = "insert into nectar.goals (title, metadata_visibility, team_id) values ('Raced', 'team', :team)";

describe("an entry that joins a notebook while its visibility is narrowed is not visible more widely", () => {
  it.each([
    ["written", "insert into nectar.journal_entries (title, notebook_id) values ('Raced', :notebook)"],
    ["moved", "update nectar.journal_entries set notebook_id = :notebook, title = 'Raced' where id = :emptyEntry"],
    [
      "made to inherit",
      `update nectar.journal_entries set notebook_id = :notebook, inherit_visibility = true, title = 'Raced'
       where id = :emptyEntry`,
    ],
  ])("%s, in either order", async (_, arrive) => {
    await inBothOrders(owner(NARROW), owner(arrive), async (result) => {
      expect(result).toEqual({ waited: true, second: 1 });
      expect(await raced("journal_entries")).toEqual([{ metadata: "private" }]);
    });
  });

  it("is as visible as the notebook", async () => {
    await acting.run(
      stage.actors.owner,
      named(stage, "insert into nectar.journal_entries (title, notebook_id) values ('Raced', :notebook)"),
      [],
      "keep",
    );
    expect(await raced("journal_entries")).toEqual([{ metadata: "shared" }]);
  });
});

describe("a member who is removed while sharing leaves no visible share", () => {
  const removals = {
    team: "delete from nectar.team_members where team_id = :team and user_id = :teamMate",
    organization: "delete from nectar.organization_members where org_id = :organization and user_id = :teamMate",
  };
  it.each([
    ["an entry, from the team", removals.team, SHARE_WITH_TEAM, "journal_entries"],
    ["an entry, from the organization", removals.organization, SHARE_WITH_ORGANIZATION, "journal_entries"],
    ["an entry with the team, from the organization", removals.organization, SHARE_WITH_TEAM, "journal_entries"],
    ["a notebook, from the team", removals.team, SHARE_NOTEBOOK, "notebooks"],
    ["a goal, from the team", removals.team, SHARE_GOAL, "goals"],
  ] as const)("%s, in either order", async (_, removal, share, table) => {
    await inBothOrders(owner(removal), ["teamMate", share], async (result) => {
      expect(result).toEqual({ waited: true, second: 1 });
      expect(await raced(table)).toEqual([{ metadata: "private" }]);
    });
  });
});

describe("a group or notebook that is deleted while something is shared with it or added to it", () => {
  it("a team: the share is withdrawn, or refused", async () => {
    const remove = owner("delete from nectar.teams where id = :team");
    const share: Move = ["teamMate", SHARE_WITH_TEAM];
    expect(await race(share, remove)).toEqual({ waited: true, second: 1 });
    expect(await raced("journal_entries")).toEqual([{ metadata: "private" }]);
    await setAgain();
    expect(await race(remove, share)).toEqual({ waited: true, second: "team.not_found" });
    expect(await raced("journal_entries")).toEqual([]);
  });

  it("a notebook: the entry survives detached, or is refused", async () => {
    const remove = owner("delete from nectar.notebooks where id = :notebook");
    const write = owner("insert into nectar.journal_entries (title, notebook_id) values ('Raced', :notebook)");
    expect(await race(write, remove)).toEqual({ waited: true, second: 1 });
    expect(await raced("journal_entries")).toEqual([{ metadata: "private" }]);
    await setAgain();
    expect(await race(remove, write)).toEqual({ waited: true, second: "notebook.not_found" });
    expect(await raced("journal_entries")).toEqual([]);
  });
});

describe("content that is written while the visibility of its entry changes", () => {
  it("carries the audiences of its entry, in either order", async () => {
    const write = owner("insert into nectar.journal_entry_contents (entry_id, content) values (:emptyEntry, 'Raced')");
    const publish = owner(
      `update nectar.journal_entries set metadata_visibility = 'public', content_visibility = 'public'
       where id = :emptyEntry`,
    );
    await inBothOrders(write, publish, async (result) => {
      expect(result).toEqual({ waited: true, second: 1 });
      const [row] = await acting.query`
        select (e.metadata_audience_id, e.content_audience_id) = (c.metadata_audience_id, c.content_audience_id) as agree
        from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id
        where e.id = ${stage.ids.emptyEntry}`;
      expect(row).toEqual({ agree: true });
    });
  });
});

function owner(statement: string): Move {
  return ["owner", statement];
}

/** The outcome of a race: whether the shared row is visible to anyone but its author. */
async function raced(table: "journal_entries" | "notebooks" | "goals") {
  return acting.query(
    `select case when r.metadata_audience_id = r.user_id then 'private' else 'shared' end as metadata
     from nectar.${table} r where 'Raced' = ${table === "notebooks" ? "r.name" : "r.title"} and r.user_id = any ($1)`,
    [[stage.ids.owner, stage.ids.teamMate]],
  );
}
