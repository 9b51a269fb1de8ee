import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useActing } from "../support/acting.ts";

const page = readFileSync(new URL("../../../docs/breach.md", import.meta.url), "utf8");
/** The account that the page names as an example. */
const EXAMPLE = "11111111-2222-4333-8444-555555555555";
const acting = useActing();

/** Runs the statements of a section of the page about an account. @returns the rows of each */
async function run(section: string, account: string): Promise<Record<string, unknown>[][]> {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [own = ""] = text.split("\n## ");
  const statements = [...own.matchAll(/```sql\n(.*?)```/gs)].flatMap(([, sql = ""]) =>
    sql
      .replaceAll(EXAMPLE, account)
      .split(";\n")
      .filter((statement) => statement.trim() !== ""),
  );
  const results: Record<string, unknown>[][] = [];
  for (const statement of statements) results.push((await acting.admin.query(statement)).rows);
  return results;
}

it("the page about a leak finds what an account reached, whom to tell, and ends its access", async () => {
  const { id: intruder } = await acting.person({ role: "super_admin" });
  const { id: author } = await acting.person();
  const { admin } = acting;
  await admin.query(
    "insert into nectar.audit_events (actor_id, actor_role, action, target_type) values ($1, 'super_admin', 'updateUserRole', 'user')",
    [intruder],
  );
  await admin.query(
    "insert into private.logged_reads (reader_id, user_id, entry_id, date) values ($1, $2, $3, current_date)",
    [intruder, author, randomUUID()],
  );
  await admin.query(
    `insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at, last_used_at)
     values ($1, 'Shortcut', '{journal:read}', sha256($2::bytea), 'abcd', now() + interval '1 day', now())`,
    [intruder, intruder],
  );
  await admin.query(
    "insert into auth.sessions (id, user_id, ip, created_at) values (gen_random_uuid(), $1, '192.0.2.7', now())",
    [intruder],
  );
  await admin.query("insert into nectar.exports (user_id) values ($1)", [author]);

  expect(await run("What was reached", intruder)).toEqual([
    [expect.objectContaining({ actor_id: intruder, action: "updateUserRole" })],
    [expect.objectContaining({ reader_id: intruder, user_id: author, entries: "1", goals: "0" })],
    [expect.objectContaining({ user_id: intruder, hint: "abcd" })],
    [expect.objectContaining({ address: "192.0.2.7", accounts: "1" })],
    [expect.objectContaining({ user_id: author })],
    [expect.objectContaining({ user_id: intruder, role: "super_admin" })],
  ]);
  expect(await run("Tell people", intruder)).toEqual([[expect.objectContaining({ id: author })]]);

  await run("End access", intruder);
  const [, , tokens, sessions, , admins] = await run("What was reached", intruder);
  expect([tokens, sessions, admins]).toEqual([[], [], []]);
});
