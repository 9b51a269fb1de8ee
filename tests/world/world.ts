import type pg from "pg";
import { TABLES } from "#core/cards/all";
import type { Filling } from "#tests/filled-database";
import { ACCOUNTS } from "./accounts.ts";
import { DROPS } from "./drops.ts";
import { GAME } from "./game.ts";
import { GROUPS } from "./groups.ts";
import { JOURNAL } from "./journal.ts";
import { insertRows, type Topic } from "./rows.ts";

const TOPICS: Topic = { ...GROUPS, ...JOURNAL, ...ACCOUNTS, ...DROPS, ...GAME };

/** Tables that grow and that responses read: their cards say so. */
export const GROWING = Object.keys(TABLES).filter(
  (name) => !name.startsWith("auth.") && /^with (people|time)$/.test(TABLES[name]?.grows ?? ""),
);

/** 2,000 people with rows in every table that grows: 20,000 entries, 8,000 tone packs, five dates of the game. */
export const WORLD: Filling = {
  name: "world",
  fill: async (admin) => {
    await admin.query("set session_replication_role = replica");
    const { rows } = await admin.query<{ id: string }>(
      "insert into auth.users (id, email) select gen_random_uuid(), n || '@example.test' from generate_series(1, 2000) n returning id",
    );
    await fillTables(
      admin,
      rows.map(({ id }) => id),
    );
    // One change, so that there is a reason to rebuild.
    await admin.query("select private.count_leaderboard(now())");
    await admin.query("vacuum analyze");
  },
};

/**
 * Gives people rows in all tables of the topics, and in all others that grow. Triggers are off while loading.
 * @param only whether they get one row in those tables only in which they have nothing
 */
export async function fillTables(
  admin: pg.ClientBase,
  people: readonly string[],
  only?: "what is missing",
): Promise<void> {
  await admin.query("set session_replication_role = replica");
  await admin.query("create temp table people (id uuid primary key, n serial)");
  await admin.query("insert into people (id) select unnest($1::uuid[]) order by 1", [people]);
  await admin.query("analyze people");
  for (const name of new Set(["nectar.profiles", ...Object.keys(TOPICS), ...GROWING]))
    for (const rows of [TOPICS[name] ?? {}].flat()) await insertRows(admin, name, rows, only);
  await admin.query("drop table people");
  await admin.query("set session_replication_role = origin");
}

/** Chooses the first person of the world, whom no block concerns, and things that this person sees. */
export async function readWorld(admin: pg.Client) {
  const { rows } = await admin.query<
    Record<"reader" | "organization" | "team" | "notebook" | "entry" | "pack", string>
  >(
    `select m.user_id as reader, m.org_id as organization, m.team_id as team,
       (select id from nectar.notebooks where user_id = m.user_id limit 1) as notebook,
       (select id from nectar.journal_entries where user_id = m.user_id and title = 'Day 1') as entry,
       (select id from nectar.tone_packs where owner_id <> m.user_id and name = 'Pack 4' limit 1) as pack
     from nectar.team_members m where m.user_id <> private.system_user_id() order by m.user_id limit 1`,
  );
  const [world] = rows;
  if (world === undefined) throw new Error("No one is in a team.");
  return world;
}
