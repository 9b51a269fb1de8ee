import pg from "pg";
import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/**
 * A statement of a client with a token, as Supabase's data API and Realtime run it.
 * @returns how many rows it read or changed
 */
async function asClient(sub: string | null, statement: string, role = "authenticated", more = {}): Promise<number> {
  await acting.admin.query("savepoint client");
  try {
    // The helper auth.uid() reads the older setting in Supabase Lite and either of them in Supabase.
    await acting.admin.query(
      `select set_config('role', $3, true), set_config('request.jwt.claim.sub', $1, true),
              set_config('request.jwt.claims', $2, true)`,
      [sub ?? "", JSON.stringify({ ...(sub === null ? {} : { sub }), role: "authenticated", ...more }), role],
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
        "grant usage on schema auth to authenticated; create publication supabase_realtime; select private.open_tables_to_realtime()",
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
  it("only notifications and messages are published", () =>
    onSupabase(async () => {
      const { rows } = await acting.admin.query(
        "select schemaname, tablename from pg_publication_tables where pubname = 'supabase_realtime' order by tablename",
      );
      expect(rows).toEqual([
        { schemaname: "nectar", tablename: "notifications" },
        { schemaname: "nectar", tablename: "team_messages" },
      ]);
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
      expect(await state()).toEqual([{ tables: 2, policies: 7 }]);
      await acting.admin.query("select private.open_tables_to_realtime()");
      expect(await state()).toEqual([{ tables: 2, policies: 7 }]);
    }));

  it("a client reads only its own notifications, and changes none", () =>
    onSupabase(async () => {
      const { owner, superAdmin } = stage.ids;
      const all = "select id, user_id, type, data, created_at, read_at from nectar.notifications";
      expect(await asClient(owner, all)).toBe(1);
      for (const client_id of ["a program of others", "", null]) {
        expect(await asClient(owner, all, "authenticated", { client_id })).toBe(0);
        expect(await asClient(owner, "select content from nectar.team_messages", "authenticated", { client_id })).toBe(
          0,
        );
      }
      for (const other of [stage.ids.teamMate, stage.ids.stranger, superAdmin, null]) {
        expect(await asClient(other, all)).toBe(0);
      }
      for (const statement of [
        "select caused_by from nectar.notifications",
        "select room_id from nectar.notifications",
        "update nectar.notifications set read_at = now()",
        "delete from nectar.notifications",
        `insert into nectar.notifications (user_id, type) values ('${owner}', 'badge_earned')`,
      ]) {
        await expect(asClient(owner, statement), statement).rejects.toMatchObject({ code: "42501" });
      }
    }));

  it("a client reads the messages that the API lists for this user, and changes none", () =>
    onSupabase(async () => {
      const { owner, teamMate, orgMate, stranger, exMember, superAdmin, team } = stage.ids;
      await acting.admin.query(
        `insert into nectar.team_messages (team_id, sender_id, content, hidden_at)
         select $1, s, 'hidden', now() from unnest(array[$2, $3]::uuid[]) s`,
        [team, owner, teamMate],
      );
      const all = "select content from nectar.team_messages";
      const counts = async (block: readonly [by: string, of: string] | null) => {
        await acting.admin.query("delete from nectar.blocks");
        if (block !== null)
          await acting.admin.query("insert into nectar.blocks (user_id, blocked_id) values ($1, $2)", [...block]);
        const seen: Record<string, readonly [app: number, api: number]> = {};
        const people = { owner, teamMate, orgMate, stranger, exMember, superAdmin };
        for (const [name, id] of Object.entries(people)) {
          seen[name] = [await asClient(id, all), await asClient(id, all, "nectar_user")];
        }
        return seen;
      };
      // Five of the owner's: to the team, to the squad, on an entry and on a goal, and a hidden one; one of the team mate's,
      // which is hidden. What super admins read of comments has to be logged, so they get none as clients.
      const others = { orgMate: [0, 0], stranger: [0, 0], exMember: [0, 0], superAdmin: [4, 6] };
      expect(await counts(null)).toEqual({ ...others, owner: [5, 5], teamMate: [3, 3] });
      for (const block of [[owner, teamMate] as const, [teamMate, owner] as const]) {
        expect(await counts(block)).toEqual({ ...others, owner: [5, 5], teamMate: [1, 1] });
      }
      expect(await asClient(null, all)).toBe(0);
      for (const statement of [
        "select hidden_at from nectar.team_messages",
        "update nectar.team_messages set content = 'x'",
        "delete from nectar.team_messages",
        `insert into nectar.team_messages (team_id, content) values ('${team}', 'x')`,
      ]) {
        await expect(asClient(owner, statement), statement).rejects.toMatchObject({ code: "42501" });
      }
    }));

  it("a client reads the ids of entries and goals whose content this user sees, and nothing else of them", () =>
    onSupabase(async () => {
      for (const [table, id, secret] of [
        ["journal_entries", "id", "title"],
        ["journal_entry_contents", "entry_id", "content"],
        ["goal_contents", "goal_id", "description"],
      ] as const) {
        const statement = `select ${id} from nectar.${table}`;
        for (const person of [stage.ids.owner, stage.ids.teamMate, stage.ids.stranger]) {
          expect(await asClient(person, statement), table).toBe(await asClient(person, statement, "nectar_user"));
        }
        expect(await asClient(null, statement)).toBe(0);
        await expect(asClient(stage.ids.owner, `select ${secret} from nectar.${table}`)).rejects.toMatchObject({
          code: "42501",
        });
      }
    }));

  it("a client has no access to any other table", () =>
    onSupabase(async () => {
      const { rows } = await acting.admin.query<{ name: string }>(
        `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('nectar', 'private') and c.relkind in ('r', 'p')
           and c.relname not in
             ('notifications', 'team_messages', 'journal_entries', 'journal_entry_contents', 'goal_contents')`,
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
    await acting.admin.query("select private.open_tables_to_realtime()");
    const { rows: publications } = await acting.admin.query("select from pg_publication");
    expect(publications).toEqual([]);
  });
});
