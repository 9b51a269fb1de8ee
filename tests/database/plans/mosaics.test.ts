import { expect, it } from "vitest";
import { readMosaic } from "#functions/workout-window/mosaics/mosaic";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
const READER = "00000000-0000-4000-9000-000000000001";
const LIMIT = 20;

it("a page of a mosaic reads only its own sections", async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, 5000) n`);
  await admin.query(
    `insert into nectar.mosaics (date, image_key, total_participants, completed_count, digest, seen_at)
     values ('2031-01-20', 'key', 5000, 5000, 'digest', now())`,
  );
  await admin.query(
    `insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
     select '2031-01-20', n - 1, ${ID}, 'completed', 'red' from generate_series(1, 5000) n`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze");
  const walks = await explainAs(acting.adminUrl, READER, async (tx) => {
    const { mosaic } = await readMosaic(tx, "2031-01-20", { limit: LIMIT });
    expect(mosaic.sections).toHaveLength(LIMIT);
  });
  expect(walks.filter(({ rows }) => rows > LIMIT + 1)).toEqual([]);
});
