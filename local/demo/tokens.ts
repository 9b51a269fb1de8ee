import { randomBytes } from "node:crypto";
import { idOf, moment, type Past } from "./past.ts";

/** Robin's phone writes into the journal every evening. Nobody knows the secret of its token. */
export async function writeTokens(past: Past): Promise<void> {
  await past.client.query(
    `insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, created_at, expires_at, last_used_at)
     values ($1, 'Evening shortcut', '{journal:write}', $2, 'q7Xk', $3, $4, $5)`,
    [
      idOf(past, "demo"),
      randomBytes(32),
      moment(past, 20, "19:12"),
      moment(past, -70, "19:12"),
      moment(past, 1, "21:00"),
    ],
  );
}
