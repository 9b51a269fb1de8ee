import { type Connection, withConnection } from "#local/support/connection";
import { SUPABASE_FOLDER } from "#ops/migrate/migration-files";
import { readSchemaFiles } from "./migration/schema-files.ts";

interface Table {
  readonly name: string;
  readonly comment: string;
  /** One for each command that a role has a privilege and a policy for. */
  readonly access: readonly Access[];
}

interface Access {
  readonly command: string;
  /** The names of the policies, which are sentences. */
  readonly policies: readonly string[];
  /** Null for all of them. */
  readonly columns: readonly string[] | null;
}

interface Trigger {
  readonly name: string;
  readonly runs: string;
  readonly calls: string;
  readonly comment: string;
}

interface DatabaseFunction {
  readonly name: string;
  readonly parameters: string;
  readonly result: string | null;
  readonly callers: readonly string[];
  readonly is_definer: boolean;
  readonly comment: string;
}

const HEADER = `# The database

What is where, by topic: a topic is a folder of [supabase/schemas](../supabase/schemas), which has the text, and
[supabase/CONVENTIONS.md](../supabase/CONVENTIONS.md) says how it is written. Tables are in the schema \`nectar\` and
functions in \`private\` where no schema is named.

- **Access**: each command with the sentences of its policies, and the columns that it may read or write unless it may
  all of them. A command that is missing is allowed to no role. "The service" is \`nectar_service\`, everyone else
  \`nectar_user\`.
- **Triggers** of a table run in the order of the list if they run at the same time.
- **Functions** may be called by a request of a \`user\`, by the \`service\` or by the \`login\` role, else only by other
  functions; \`definer\` ones run with the rights of the owner.

This page is generated from the migrated database.`;

/** The text of `docs/database.md`: access, triggers and functions of a migrated database by the folders of their SQL. */
export async function databasePage(url: string): Promise<string> {
  const creations = readCreations();
  return await withConnection(url, async (client) => {
    await client.query("set search_path = nectar, private, pg_catalog");
    const tables = byTopic("table", await rowsOf<Table>(client, READ_TABLES), creations);
    const triggers = byTopic("trigger", await rowsOf<Trigger>(client, READ_TRIGGERS), creations);
    const functions = byTopic("function", await rowsOf<DatabaseFunction>(client, READ_FUNCTIONS), creations);
    const topics = [...new Set(creations.values())].sort();
    const sections = topics.map((topic) =>
      section(topic, tables.get(topic), triggers.get(topic), functions.get(topic)),
    );
    return `${HEADER}\n\n${sections.join("\n\n")}\n`;
  });
}

async function rowsOf<Row extends object>(client: Connection, query: string): Promise<Row[]> {
  return (await client.query<Row>(query)).rows;
}

/** The topics of the objects that the folders create: `table goals`. */
function readCreations(): Map<string, string> {
  const creations = readSchemaFiles(SUPABASE_FOLDER).flatMap(({ file, sql }) => {
    const topic = file.replace("schemas/", "").replace(/\/[^/]+$/, "");
    const created = sql.matchAll(
      /^create (table|trigger|function|procedure) (?:nectar\.)?((?:private\.|public\.)?\w+)/gm,
    );
    return [...created].map(([, kind, name = ""]): [string, string] => [
      kind === "table" || kind === "trigger" ? `${kind} ${name}` : `function ${name.replace("private.", "")}`,
      topic,
    ]);
  });
  return new Map(creations);
}

function byTopic<Thing extends { readonly name: string }>(
  kind: "table" | "trigger" | "function",
  things: readonly Thing[],
  creations: ReadonlyMap<string, string>,
): Map<string, Thing[]> {
  return Map.groupBy(things, ({ name }) => {
    const topic = creations.get(`${kind} ${name}`);
    if (topic === undefined) throw new Error(`supabase/schemas does not create the ${kind} ${name}.`);
    return topic;
  });
}

function section(
  topic: string,
  tables: readonly Table[] = [],
  triggers: readonly Trigger[] = [],
  functions: readonly DatabaseFunction[] = [],
): string {
  const parts = [
    markdownTable(
      ["Table", "Access"],
      tables.map(({ name, comment, access }) => [`**${name}**<br>${comment}`, access.map(accessLine).join("<br>")]),
    ),
    markdownTable(
      ["Trigger", "Runs", "Calls"],
      triggers.map(({ name, runs, calls, comment }) => [`\`${name}\``, runs, `\`${calls}\`: ${comment}`]),
    ),
    markdownTable(
      ["Function", "Called by", ""],
      functions.map(({ name, parameters, result, callers, is_definer, comment }) => [
        `\`${name}(${shortTypes(parameters)})${result === null ? "" : `: ${shortTypes(result)}`}\``,
        [...callers, ...(is_definer ? ["definer"] : [])].join(", "),
        comment,
      ]),
    ),
  ];
  return [`## ${topic}`, ...parts.filter((part) => part !== "")].join("\n\n");
}

function accessLine({ command, columns, policies }: Access): string {
  return `\`${command}${columns === null ? "" : ` (${columns.join(", ")})`}\`: ${policies.join("; ")}`;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function shortTypes(text: string): string {
  return text
    .replaceAll(/\bIN (?=p_)/g, "")
    .replace(/(?:, )?\bOUT .*$/, "")
    .replaceAll("timestamp with time zone", "timestamptz")
    .replaceAll("time without time zone", "time")
    .replaceAll("double precision", "float8");
}

const READ_TABLES = `
  with privileges as (
    select c.oid, a.grantee, lower(a.privilege_type) as command, null::name[] as columns
    from pg_class c, aclexplode(c.relacl) a
    union all
    select t.attrelid, a.grantee, lower(a.privilege_type), array_agg(t.attname order by t.attnum)
    from pg_attribute t, aclexplode(t.attacl) a
    where t.attnum > 0 and not t.attisdropped
    group by 1, 2, 3
  ), access as (
    select p.oid, p.command, p.columns,
      (
        select array_agg(y.polname::text order by y.polname)
        from pg_policy y
        where y.polrelid = p.oid and p.grantee = any (y.polroles)
          and y.polcmd in ('*', case p.command when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' else 'd' end)
      ) as policies
    from privileges p
    where p.grantee in ('nectar_user'::regrole, 'nectar_service'::regrole)
  )
  select case c.relnamespace when 'private'::regnamespace then 'private.' else '' end || c.relname as name, obj_description(c.oid, 'pg_class') as comment,
    (
      select coalesce(
        json_agg(
          json_build_object('command', a.command, 'columns', a.columns, 'policies', a.policies)
          order by array_position('{select,insert,update,delete}', a.command), a.policies
        ), '[]'
      )
      from access a where a.oid = c.oid and a.policies is not null
    ) as access
  from pg_class c
  where c.relnamespace in ('nectar'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'p')
  order by c.relname collate "C"`;

const READ_TRIGGERS = `
  select t.tgname as name, p.proname as calls,
    obj_description(p.oid, 'pg_proc') as comment,
    lower(substring(pg_get_triggerdef(t.oid) from '^CREATE TRIGGER \\S+ (.*?) ON ')) || case when t.tgtype & 1 = 1 then '' else ', once per statement' end as runs
  from pg_trigger t
  join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and p.pronamespace = 'private'::regnamespace
  order by t.tgname collate "C"`;

const READ_FUNCTIONS = `
  select case p.pronamespace when 'public'::regnamespace then 'public.' else '' end || p.proname as name,
    pg_get_function_identity_arguments(p.oid) as parameters,
    pg_get_function_result(p.oid) as result, p.prosecdef as is_definer, obj_description(p.oid, 'pg_proc') as comment,
    array_remove(
      array[
        case when has_function_privilege('nectar_api', p.oid, 'execute') then 'login' end,
        case when has_function_privilege('nectar_user', p.oid, 'execute') then 'user' end,
        case when has_function_privilege('nectar_service', p.oid, 'execute') then 'service' end
      ], null
    ) as callers
  from pg_proc p
  where p.pronamespace in ('private'::regnamespace, 'public'::regnamespace) and p.prorettype <> 'trigger'::regtype
  order by p.proname collate "C"`;
