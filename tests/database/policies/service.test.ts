import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, setStage } from "../support/stage.ts";
import { REFUSED } from "./matrix.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

describe("the service", () => {
  // The stage has a row in each of them, and none is so old.
  it.each([
    "nectar.notifications",
    "private.email_messages",
    "private.email_events",
    "private.email_received",
    "nectar.team_messages",
    "nectar.trashed_entries",
  ])("deletes from %s only what is kept no longer", async (table) => {
    expect(await acting.outcome("service", `delete from ${table}`)).toBe(0);
  });

  // The cards say which columns it may read and write.
  it.each([
    "select private.change_user_role(:owner, 'admin')",
    "select private.discard_file('private', 'mosaics/new.png')",
  ])("may not %s", async (statement) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe(REFUSED);
  });
});
