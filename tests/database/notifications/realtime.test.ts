import pg from "pg";
import { describe, expect, it } from "vitest";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/** A statement of a client with a token, as Supabase's data API and Realtime run it. */
async function asClient(sub: string | null, statement: string): Promise<number> {
  await acting.admin.query("savepoint client");
  try {
    // The helper auth.uid() reads the older setting in Supabase Lite and either of them in Supabase.
    await acting.admin.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', $1, true),
              set_config('request.jwt.claims', $2, true)`,
      [sub ?? "", JSON.stringify({ ...(sub === null ? {} : { sub }), role: "authenticated" })],
    );
    return (await acting.admin.query(statement)).rowCount ?? 0;
  } finally {
    await acting.admin.query("rollback to savepoint client");
  }
}

/**
 * Runs work in a transaction in which the database looks like a hosted one, and undoes it all. Roles belong to the whole
 * cluster, so another test may be making this one at the same moment; then it is there in the next try.
 */
async function onSupabase(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await acting.admin.query("begin");
    try {
      const { rows } = await acting.admin.query("select from pg_roles where rolname = 'authenticated'");
      if (rows.length === 0) await acting.admin.query("create role authenticated nologin noinherit");
      await acting.admin.query(
        "grant usage on schema auth to authenticated; create publication supabase_realtime; select private.open_notifications_to_realtime()",
      );
      await work();
      return;
    } catch (error) {
      const madeElsewhere = error instanceof pg.DatabaseError && /^(23505|42710)$/.test(error.code ?? "");
      if (!madeElsewhere || attempt === 3) throw error;
    } finally {
      await acting.admin.query("rollback");
    }
  }
}

describe("with Supabase Realtime", () => {
  it("only the table of notifications is published", () =>
    onSupabase(async () => {
      const { rows } = await acting.admin.query(
        "select schemaname, tablename from pg_publication_tables where pubname = 'supabase_realtime'",
      );
      expect(rows).toEqual([{ schemaname: "nectar", tablename: "notifications" }]);
    }));

  it("opening it again changes nothing", () =>
    onSupabase(async () => {
      const state = async () =>
        (
          await acting.admin.query(
            `select (select count(*)::int from pg_publication_tables where pubname = 'supabase_realtime') as tables,
                    (select count(*)::int from pg_policies where 'authenticated' = any (roles)) as policies`,
          )
        ).rows;
      expect(await state()).toEqual([{ tables: 1, policies: 1 }]);
      await acting.admin.query("select private.open_notifications_to_realtime()");
      expect(await state()).toEqual([{ tables: 1, policies: 1 }]);
    }));

  it("a client reads only its own notifications, and changes none", () =>
    onSupabase(async () => {
      const { owner, superAdmin } = stage.ids;
      expect(await asClient(owner, "select * from nectar.notifications")).toBe(1);
      for (const other of [stage.ids.teamMate, stage.ids.stranger, superAdmin, null]) {
        expect(await asClient(other, "select * from nectar.notifications")).toBe(0);
      }
      for (const statement of [
        "update nectar.notifications set read_at = now()",
        "delete from nectar.notifications",
        `insert into nectar.notifications (user_id, type, title, body) values ('${owner}', 'badge_earned', 'x', '')`,
      ]) {
        await expect(asClient(owner, statement), statement).rejects.toMatchObject({ code: "42501" });
      }
    }));

  it("a client has no access to any other table", () =>
    onSupabase(async () => {
      const { rows } = await acting.admin.query<{ name: string }>(
        `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('nectar', 'private') and c.relkind in ('r', 'p') and c.relname <> 'notifications'`,
      );
      expect(rows.length).toBeGreaterThan(20);
      for (const { name } of rows) {
        await expect(asClient(stage.ids.owner, `select from ${name}`), name).rejects.toMatchObject({ code: "42501" });
      }
    }));
});

describe("without Supabase Realtime", () => {
  it("no role has access", async () => {
    const { rows } = await acting.admin.query(
      "select policyname from pg_policies where schemaname = 'nectar' and not roles <@ array['nectar_user', 'nectar_service']::name[]",
    );
    expect(rows).toEqual([]);
    await acting.admin.query("select private.open_notifications_to_realtime()");
    const { rows: publications } = await acting.admin.query("select from pg_publication");
    expect(publications).toEqual([]);
  });
});
