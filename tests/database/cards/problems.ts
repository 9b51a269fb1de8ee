import { readdirSync, readFileSync } from "node:fs";
import { columnsOf, periodsOf, TABLES } from "#core/tables/all";
import type { Card, Command, Kept } from "#core/tables/card";
import { FILES } from "#core/tables/files";
import { GROUPS } from "#functions/groups";
import { listsOfReference } from "#tests/lists-of-reference";
import type { Queries } from "#tests/sql";
import { PAGED } from "../../api/lists/scenes.ts";
import { FEW_ROWS, OWN_PAGES, WITHOUT_PAGES } from "../../api/lists/scenes-without-pages.ts";

interface CatalogTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly is_protected: boolean;
  /** The commands for which nectar_user has a privilege. */
  readonly users: readonly Command[];
  /** The columns for which nectar_user has a privilege, by command. */
  readonly chosen: Readonly<Partial<Record<Command, string>>>;
  /** The columns for which nectar_service has a privilege, by command; `*` for all of them. */
  readonly service: Readonly<Partial<Record<Command, string>>>;
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
const inCard = (table: string, what: string) => `${table}: ${what} (its card in packages/core/tables)`;

/** Everything in which the cards, the catalog, the files and the reference differ. */
export async function problemsOfCards(database: Queries): Promise<string[]> {
  const catalog = new Map((await readCatalog(database)).map((table) => [table.name, table]));
  const references = await readReferences(database);
  const functions = await readFunctions(database);
  const cascading = cascadesFrom("auth.users", references);
  const ofTables = [...catalog.values()].flatMap((table) => {
    const card = TABLES[table.name];
    if (card === undefined) return [`${table.name} has no card: add one to a file in packages/core/tables`];
    return [
      ...problemsOfColumns(table, card),
      ...problemsOfErasure(table, card, references, cascading),
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
  const [shown, hidden] = [exported, left].map((lists) =>
    Object.values(lists).flatMap((list) => columnsOf(list).map(({ column }) => column)),
  );
  const named = new Set([...(shown ?? []), ...(hidden ?? [])]);
  const twice = (hidden ?? []).filter((column, index, all) => shown?.includes(column) || all.indexOf(column) !== index);
  return [
    ...columns
      .filter((column) => !named.has(column))
      .map((column) => inCard(name, `say of ${column} where it is \`exported\`, or in \`left\` why not`)),
    ...[...named].filter((column) => !columns.includes(column)).map((column) => inCard(name, `there is no ${column}`)),
    ...twice.map((column) => inCard(name, `${column} is in \`left\` and somewhere else`)),
  ];
}

function problemsOfErasure(
  { name }: CatalogTable,
  { about, erased, stays, cleared = "" }: Card,
  references: readonly Reference[],
  cascading: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  if ((erased === "by cascade") !== (cascading.has(name) && name !== "auth.users")) {
    problems.push(inCard(name, `\`erased\` must be "by cascade" exactly if foreign keys lead from it to auth.users`));
  }
  if (about !== null && erased === "kept" && stays === undefined) {
    problems.push(inCard(name, "say in `stays` what stays of a person"));
  }
  const nulled = references
    .filter(({ from, to, action }) => from === name && to === "nectar.profiles" && action === "set null")
    .flatMap(({ columns }) => columns);
  if (nulled.toSorted().join(" ") !== cleared.split(" ").toSorted().join(" ")) {
    problems.push(inCard(name, `\`cleared\` must be "${nulled.join(" ")}"`));
  }
  return problems;
}

function problemsOfAccess(table: CatalogTable, { users = {}, chosen = {}, service = {} }: Card): string[] {
  const { name, is_protected, policies } = table;
  const problems = is_protected ? [] : [`${name}: enable row-level security (supabase)`];
  for (const command of ["insert", "update"] as const) {
    if (sorted(chosen[command]) !== table.chosen[command]) {
      problems.push(
        inCard(name, `\`chosen.${command}\` is ${sorted(chosen[command])}, but granted is ${table.chosen[command]}`),
      );
    }
  }
  for (const command of COMMANDS) {
    if ((users[command] === undefined) === table.users.includes(command)) {
      problems.push(inCard(name, `\`users.${command}\` is ${users[command] ?? "missing"}, unlike the grants`));
    }
    if (sorted(service[command]) !== table.service[command]) {
      problems.push(
        inCard(name, `\`service.${command}\` is ${sorted(service[command])}, but granted is ${table.service[command]}`),
      );
    }
    for (const [role, granted] of [
      ["nectar_user", table.users.includes(command)],
      ["nectar_service", table.service[command] !== undefined],
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

const sorted = (columns: string | undefined) => columns?.split(" ").toSorted().join(" ");

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

const SUPPORT = ["tests/database/support/stage.ts", "tests/support/growing-tables.ts", "tests/support/crowd.ts"];
const statements = SUPPORT.map((path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")).join("\n");

/** A table that jobs empty needs a period, and one that grows needs rows in the tests. */
function problemsOfRows({ name, service }: CatalogTable, { kept, grows, sample }: Card): string[] {
  const problems: string[] = [];
  if (service.delete !== undefined && kept === undefined) {
    problems.push(inCard(name, "say in `kept` how long rows are kept, because jobs may delete them"));
  }
  const isMade = sample !== undefined || statements.includes(`into ${name}`) || MADE_BY_TRIGGERS.has(name);
  if ((grows === "with people" || grows === "with time") && !name.startsWith("auth.") && !isMade) {
    problems.push(inCard(name, `give it a \`sample\`, or insert rows in ${SUPPORT.join(" and ")}`));
  }
  return problems;
}

/** Tables whose rows triggers make. */
const MADE_BY_TRIGGERS: ReadonlySet<string> = new Set([
  "nectar.profiles",
  "nectar.accounts",
  "nectar.notebook_contents",
]);

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
    ...kinds.filter((kind) => !(kind in FILES)).map((kind) => `${kind}: add the kind to packages/core/tables/files.ts`),
    ...Object.keys(FILES)
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${kind}: there is no such kind of file (packages/core/tables/files.ts)`),
  ];
}

const contents = readFileSync(new URL("../../../functions/tasks/exports/contents.ts", import.meta.url), "utf8");

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
        `data/${noun}.json: say \`exportedAs: "rows"\` on its card, or add a step to functions/tasks/exports/contents.ts`,
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
          ? `GET ${path} is a list: name it as \`list\` on the card of its table, or add it to PAGED in tests/api/lists/scenes.ts`
          : `GET ${path} is a list without pages: add it to tests/api/lists/scenes-without-pages.ts`,
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
    ), commands as (
      select unnest(array['select', 'insert', 'update']) as command
    ), grants as (
      select t.oid, c.command, r.role,
        array(
          select a.attname::text from pg_attribute a
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(r.role, t.oid, a.attnum, c.command)
          order by a.attname
        ) as columns
      from tables t, commands c, unnest(array['nectar_user', 'nectar_service']) r (role)
      where t.name not like 'auth.%'
    )
    select t.name, t.is_protected, a.columns,
      array(
        select c.command from commands c where has_any_column_privilege('nectar_user', t.oid, c.command)
        union all select 'delete' where has_table_privilege('nectar_user', t.oid, 'delete')
      ) as users,
      coalesce((
        select jsonb_object_agg(g.command, array_to_string(g.columns, ' ')) from grants g
        where g.oid = t.oid and g.role = 'nectar_user' and g.columns <> '{}'
      ), '{}') as chosen,
      coalesce((
        select jsonb_object_agg(g.command, case when g.columns = a.columns then '*' else array_to_string(g.columns, ' ') end)
        from grants g where g.oid = t.oid and g.role = 'nectar_service' and g.columns <> '{}'
      ), '{}') || case when has_table_privilege('nectar_service', t.oid, 'delete') then '{"delete": "*"}' else '{}' end::jsonb
        as service,
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
