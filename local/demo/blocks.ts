import { idOf, moment, type Past } from "./past.ts";

/** Robin has blocked Viktor, so that his public entries are missing for Robin. */
export async function writeBlocks(past: Past): Promise<void> {
  await past.client.query(
    "insert into nectar.blocks (user_id, blocked_id, is_named, created_at) values ($1, $2, true, $3)",
    [idOf(past, "demo"), idOf(past, "viktor"), moment(past, 10, "08:05")],
  );
}
