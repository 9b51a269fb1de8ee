import { readdirSync, readFileSync } from "node:fs";
import { exportedColumns, periodsOf, TABLES } from "#core/cards/all";
import type { Card, Command, Kept } from "#core/cards/card";
import { COLUMNS } from "#core/cards/columns.generated";
import { FILES } from "#core/cards/files";
import { GROUPS } from "#functions/groups";
import { listsOfReference } from "#tests/lists-of-reference";
import type { Queries } from "#tests/sql";
import { FEW_ROWS, OWN_PAGES, PAGED, WITHOUT_PAGES } from "../../api/lists/lists.ts";

interface CatalogTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly is_protected: boolean;
  /** The commands for which a role has a privilege, at least for some columns. */
  readonly users: readonly Command[];
  readonly service: readonly Command[];
  /** The columns that users may write, although they name whose a row is. */
  readonly owners: readonly string[];
  /** The commands of the policies of both roles; `all` stands for each. */
  readonly policies: Readonly<Partial<Record<"nectar_user" | "nectar_service", readonly (Command | "all")[]>>>;
  /** The condition under which jobs may delete a row, if it has a period. */
  readonly deletable: string | null;
}

interface Reference {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly action: "cascade" | "set null" | "other";
}

const COMMANDS: readonly Command[] = ["select", "insert", "update", "delete"];

/** Where something is missing, and what to do about it. */
const inCard = (table: string, what: string) => `${table}: ${what} (its card in packages/core/cards)`;

/** Everything in which the cards, the catalog, the files and the reference differ. */
export async function problemsOfCards(database: Queries): Promise<string[]> {
  const catalog = new Map((await readCatalog(database)).map((table) => [table.name, table]));
  const references = await readReferences(database);
  const functions = await readFunctions(database);
  const cascading = cascadesFrom("auth.users", references);
  const ofTables = [...catalog.values()].flatMap((table) => {
    const card = TABLES[table.name];
    if (card === undefined) return [`${table.name} has no card: add one to a file in packages/core/cards`];
    return [
      ...problemsOfColumns(table, card),
      ...problemsOfErasure(table, card, cascading),
      ...(table.name.startsWith("auth.") ? [] : problemsOfAccess(table, card)),
      ...periodsOf(card.kept).flatMap((kept) => problemsOfPeriod(table, kept, functions)),
      ...problemsOfRows(table, card),
    ];
  });
  const ofFiles = Object.values(FILES).flatMap(({ kept }) =>
    kept === undefined ? [] : problemsOfPeriod({ name: "files", deletable: null }, kept, functions),
  );
  const withoutTable = Object.keys(TABLES).filter((name) => !catalog.has(name));
  return [
    ...ofTables,
    ...ofFiles,
    ...withoutTable.map((name) => inCard(name, "there is no such table")),
    ...(await problemsOfViews(database)),
    ...(await problemsOfFileKinds(database)),
    ...problemsOfExports(),
    ...problemsOfLists(),
    ...problemsOfGroups(),
  ];
}

function problemsOfColumns({ name, columns }: CatalogTable, { exported = {}, left = {} }: Card): string[] {
  const known: readonly string[] = new Map(Object.entries(COLUMNS)).get(name) ?? [];
  const exceptions = Object.values(exported).flatMap((how) => (how === "all" ? [] : [how]));
  const reasons = typeof left === "string" ? ["the rest"] : Object.values(left);
  const leftOut = reasons.flatMap((some) => (some === "the rest" ? [] : some));
  const isExported = Object.keys(exported).length > 0;
  const isInPlace = new Set(exportedColumns(name).map(({ column }) => column));
  const named = new Set([
    ...leftOut,
    ...exceptions.flatMap(({ as = {}, without = [] }) => [...Object.keys(as), ...without]),
  ]);
  return [
    ...columns
      .filter((column) => !known.includes(column))
      .map(
        (column) => `${name}: ${column} is not in packages/core/cards/columns.generated.ts: run \`npm run generate\``,
      ),
    ...(isExported === reasons.includes("the rest")
      ? [inCard(name, "say where it is `exported`, or in `left` why nothing is")]
      : known
          .filter((column) => isExported && !leftOut.includes(column) && !isInPlace.has(column))
          .map((column) => inCard(name, `${column} is in no place of the export: say in \`left\` why`))),
    ...[...named].filter((column) => !columns.includes(column)).map((column) => inCard(name, `there is no ${column}`)),
    ...leftOut
      .filter((column, index) => leftOut.indexOf(column) !== index)
      .map((column) => inCard(name, `${column} is in \`left\` twice`)),
  ];
}

function problemsOfErasure(
  { name }: CatalogTable,
  { about, erased, stays }: Card,
  cascading: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  if ((erased === "by cascade") !== (cascading.has(name) && name !== "auth.users")) {
    problems.push(inCard(name, `\`erased\` must be "by cascade" exactly if foreign keys lead from it to auth.users`));
  }
  if (about !== null && erased === "kept" && stays === undefined) {
    problems.push(inCard(name, "say in `stays` what stays of a person"));
  }
  return problems;
}

function problemsOfAccess(table: CatalogTable, { users = {} }: Card): string[] {
  const { name, is_protected, policies, owners } = table;
  const problems = is_protected ? [] : [`${name}: enable row-level security (supabase)`];
  for (const column of owners)
    problems.push(`${name}: ${column} names whose a row is, so no user may write it (supabase)`);
  for (const command of COMMANDS) {
    if ((users[command] === undefined) === table.users.includes(command)) {
      problems.push(inCard(name, `\`users.${command}\` is ${users[command] ?? "missing"}, unlike the grants`));
    }
    for (const [role, granted] of [
      ["nectar_user", table.users.includes(command)],
      ["nectar_service", table.service.includes(command)],
    ] as const) {
      const commands = policies[role] ?? [];
      if (commands.includes("all")) continue;
      if (granted && !commands.includes(command)) {
        problems.push(`${name}: ${role} may ${command}, but no policy says which rows (supabase)`);
      }
      if (!granted && commands.includes(command)) {
        problems.push(`${name}: a policy lets ${role} ${command}, but no privilege does (supabase)`);
      }
    }
  }
  return problems;
}

async function problemsOfViews(database: Queries): Promise<string[]> {
  const writable = await database.query<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace in ('nectar'::regnamespace, 'private'::regnamespace) and c.relkind = 'v'
      and has_any_column_privilege('nectar_user', c.oid, 'insert, update')`;
  return writable.map(({ name }) => `${name}: users write tables, never a view (supabase)`);
}

/** Compares a period with the number that the database has of it: in a policy of the service, or in a function. */
function problemsOfPeriod(
  { name, deletable }: Pick<CatalogTable, "name" | "deletable">,
  kept: Kept,
  functions: ReadonlyMap<string, string>,
): string[] {
  const { days, hours, in: inFunction } = kept;
  const text = inFunction === undefined ? deletable : functions.get(inFunction);
  if (text === undefined) return [inCard(name, `there is no function private.${inFunction}`)];
  const found = text?.match(/(?<=')(?:\d+ (?:days?|hours?)|\d\d:00:00)(?=')/g) ?? [];
  const period = days === undefined ? hoursText(hours ?? 0) : [`${days} day${days === 1 ? "" : "s"}`];
  if (found.length === 0 && inFunction === undefined) return [];
  if (found.some((one) => period.includes(one)) && (inFunction === undefined || found.length === 1)) return [];
  return [
    inCard(name, `\`kept\` says ${period[0]}, but ${inFunction ?? "the policy of the service"} ${found.join(", ")}`),
  ];
}

const hoursText = (hours: number) => [`${hours} hour${hours === 1 ? "" : "s"}`, `${hours}:00:00`.padStart(8, "0")];

/** A table that jobs empty needs a period. */
function problemsOfRows({ name, service }: CatalogTable, { kept }: Card): string[] {
  if (!service.includes("delete") || kept !== undefined) return [];
  return [inCard(name, "say in `kept` how long rows are kept, because jobs may delete them")];
}

/** Every kind of stored file has a card, and nothing else has. */
async function problemsOfFileKinds(database: Queries): Promise<string[]> {
  const found = await database.query<{ kind: string }>`
    select unnest(regexp_matches(pg_get_constraintdef(oid), '''([a-z-]+)''', 'g')) as kind
    from pg_constraint where conname = 'stored_files_to_remove_store'
    union
    select unnest(found)
    from pg_proc p, regexp_matches(
      prosrc, case proname when 'expect_new_file' then 'when ''([a-z-]+)''' else '''([a-z-]+)/''' end, 'g'
    ) as found
    where p.pronamespace = 'private'::regnamespace and prosrc ~ 'expect_file|p_kind'
    union
    select (regexp_match(pg_get_expr(adbin, adrelid), '^[(]*''([a-z-]+)/'''))[1] from pg_attrdef
    where pg_get_expr(adbin, adrelid) ~ '^[(]*''[a-z-]+/'''`;
  const kinds = found.map(({ kind }) => kind).filter((kind) => kind !== "private");
  return [
    ...kinds.filter((kind) => !(kind in FILES)).map((kind) => `${kind}: add the kind to packages/core/cards/files.ts`),
    ...Object.keys(FILES)
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${kind}: there is no such kind of file (packages/core/cards/files.ts)`),
  ];
}

const contents = readFileSync(new URL("../../../functions/workers/exports/contents.ts", import.meta.url), "utf8");

/** Every list that a card exports is written by an export. */
function problemsOfExports(): string[] {
  const nouns = new Set(
    Object.values(TABLES)
      .filter(({ exportedAs }) => exportedAs === undefined)
      .flatMap(({ exported = {} }) => Object.keys(exported).map((place) => place.split(".")[0] ?? "")),
  );
  return [...nouns]
    .filter((noun) => !contents.includes(`"${noun}"`))
    .map(
      (noun) =>
        `data/${noun}.json: say \`exportedAs: "rows"\` on its card, or add a step to functions/workers/exports/contents.ts`,
    );
}

/** Every list of the reference has a scene with rows of the maximum size. */
function problemsOfLists(): string[] {
  const ofCards = Object.values(TABLES).flatMap(({ list }) => list ?? []);
  const withScene = [PAGED, OWN_PAGES, WITHOUT_PAGES, FEW_ROWS]
    .flatMap((scenes) => Object.keys(scenes))
    .concat(ofCards);
  const lists = listsOfReference();
  return [
    ...lists
      .filter(({ path }) => !withScene.includes(path))
      .map(({ path, isPaged }) =>
        isPaged
          ? `GET ${path} is a list: name it as \`list\` on the card of its table, or add it to PAGED in tests/api/lists/lists.ts`
          : `GET ${path} is a list without pages: add it to WITHOUT_PAGES in tests/api/lists/lists.ts`,
      ),
    ...withScene
      .filter((path) => !lists.some((list) => list.path === path))
      .map((path) => `GET ${path} has a scene, but is no list of the reference: run \`npm run generate\``),
  ];
}

/** Every folder of endpoints is a group. */
function problemsOfGroups(): string[] {
  const folders = readdirSync(new URL("../../../functions", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/app.ts"))
    .map((path) => path.replace("/app.ts", ""));
  return folders
    .filter((folder) => !GROUPS.some((group) => group.folder === folder))
    .map((folder) => `functions/${folder} is no group: add a row to functions/groups.ts`);
}

/** The tables whose rows foreign keys delete together with a row of a table. */
function cascadesFrom(table: string, references: readonly Reference[]): ReadonlySet<string> {
  const found = new Set([table]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { from, to, action } of references) if (action === "cascade" && found.has(to)) found.add(from);
  }
  return found;
}

function readCatalog(database: Queries): Promise<CatalogTable[]> {
  return database.query<CatalogTable>`
    with tables as (
      select c.oid, n.nspname || '.' || c.relname as name, c.relrowsecurity as is_protected
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('nectar', 'private', 'auth') and c.relkind in ('r', 'p')
    )
    select t.name, t.is_protected, a.columns, coalesce(p.users, '{}') as users, coalesce(p.service, '{}') as service,
      array(
        select d.attname::text from pg_attribute d join pg_attrdef e on e.adrelid = d.attrelid and e.adnum = d.attnum
        where d.attrelid = t.oid and pg_get_expr(e.adbin, e.adrelid) = 'private.actor_id()'
          and has_column_privilege('nectar_user', t.oid, d.attnum, 'insert, update')
          -- Whoever creates a team may name another admin.
          and (t.name, d.attname) <> ('nectar.teams', 'admin_id')
      ) as owners,
      coalesce((
        select jsonb_object_agg(p.role, p.commands) from (
          select r.rolname as role, array_agg(
            case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
          ) as commands
          from pg_policy p join pg_roles r on r.oid = any (p.polroles)
          where p.polrelid = t.oid and pg_get_expr(p.polqual, p.polrelid) is distinct from 'false'
          group by r.rolname
        ) p
      ), '{}') as policies,
      (
        select pg_get_expr(p.polqual, p.polrelid) from pg_policy p
        where p.polrelid = t.oid and p.polcmd = 'd' and 'nectar_service'::regrole = any (p.polroles)
      ) as deletable
    from tables t
    cross join lateral (
      select array_agg(a.attname::text order by a.attname) as columns from pg_attribute a
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    ) a
    cross join lateral (
      select array_agg(c.command) filter (where c.role = 'nectar_user') as users,
        array_agg(c.command) filter (where c.role = 'nectar_service') as service
      from (
        select r.role, c.command from unnest(array['nectar_user', 'nectar_service']) r (role),
          unnest(array['select', 'insert', 'update', 'delete']) c (command)
        where case c.command when 'delete' then has_table_privilege(r.role, t.oid, 'delete')
          else has_any_column_privilege(r.role, t.oid, c.command) end
      ) c
    ) p
    order by t.name`;
}

function readReferences(database: Queries): Promise<Reference[]> {
  return database.query<Reference>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to,
      case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'other' end as action,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
    from pg_constraint where contype = 'f'`;
}

async function readFunctions(database: Queries): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ name: string; text: string }>`
    select proname::text as name, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'private'::regnamespace and prokind = 'f'`;
  return new Map(rows.map(({ name, text }) => [name, text]));
}
