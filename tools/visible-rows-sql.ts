/** An order by the time of creation, and one by the date of entries, those of a date by the time of creation. */
const BY_CREATION = {
  columns: ["r.created_at"],
  key: "time and id",
  after: ["p_after timestamptz", "p_after_id uuid"],
  until: "p_until timestamptz",
  day: {
    ofRow: "(r.created_at at time zone 'UTC')::date",
    ofBound: (bound: string) => `(${bound} at time zone 'UTC')::date`,
  },
};
const BY_DATE = {
  columns: ["r.entry_date", "r.created_at"],
  key: "date, time and id",
  after: ["p_after_date date", "p_after timestamptz", "p_after_id uuid"],
  until: "p_until date",
  day: { ofRow: "r.entry_date", ofBound: (bound: string) => bound },
};

const STATUS = { parameter: "p_status nectar.goal_status", column: "r.status" };

const LISTS = [
  listOf("journal_entries", "newest", BY_CREATION, "desc", ">="),
  listOf("journal_entries", "oldest", BY_CREATION, "asc", "<"),
  listOf("journal_entries", "latest", BY_DATE, "desc", ">="),
  listOf("journal_entries", "earliest", BY_DATE, "asc", "<="),
  listOf("notebooks", "newest", BY_CREATION, "desc", ">="),
  listOf("goals", "newest", BY_CREATION, "desc", ">=", STATUS),
];

type List = ReturnType<typeof listOf>;

/**
 * The words of a list, as SQL about a row `r`.
 * @param until how the first column of a row compares with the bound of the list
 * @param filter a further parameter, which may be null, and the column that it filters by
 */
function listOf(
  table: string,
  first: string,
  by: typeof BY_CREATION,
  direction: "desc" | "asc",
  until: string,
  filter?: typeof STATUS,
) {
  const after = direction === "desc" ? "<" : ">";
  const parameters = [...by.after, by.until, ...(filter === undefined ? [] : [filter.parameter])];
  const wanted = filter && `(select ${nameOf(filter.parameter)})`;
  // In sub-selects, so that the plan is kept whether or not the parameter is null.
  const isWanted = filter === undefined ? "" : ` and (${wanted} is null or ${filter.column} = ${wanted})`;
  return {
    table,
    first,
    rows: table.replace("_", " "),
    key: by.key,
    parameters: parameters.join(", "),
    names: parameters.map(nameOf).join(", "),
    sortKey: by.columns.join(", "),
    inOrder: [...by.columns, "r.id"].map((column) => `${column} ${direction}`).join(", "),
    isAfter: `(${[...by.columns, "r.id"].join(", ")}) ${after} (${by.after.map(nameOf).join(", ")})`,
    isWithin: `${by.columns[0]} ${until} p_until${isWanted}`,
    day: by.day.ofRow,
    firstDay: by.day.ofBound(nameOf(by.after[0] ?? "")),
    lastDay: by.day.ofBound("p_until"),
    after,
    direction,
  };
}

function nameOf(parameter: string): string {
  return parameter.replace(/ .*/, "");
}

/**
 * The functions that find the ids of a page in supabase/schemas/search. Each list has its own, because neither a table nor
 * an order can be a parameter of a plan that is kept, and one statement for all of them takes twice as long.
 */
export function visibleRowsSql(): string {
  const functions = LISTS.flatMap((list) => [
    publicRows(list),
    visibleRows(list),
    ...(list.table === "journal_entries" ? [entriesOfNotebook(list)] : []),
  ]);
  return `-- Generated from tools/visible-rows-sql.ts by \`npm run generate\`. Do not edit.\n\n${functions.join("\n")}`;
}

function publicRows(list: List): string {
  const { first, table, rows, parameters, isAfter, isWithin, sortKey, inOrder } = list;
  const { day, firstDay, lastDay, after, direction } = list;
  return `-- Returns the ids of the ${first} public ${rows} without those of some people, after a row and up to a bound.
create function private.${first}_public_${table}(
  p_blocked uuid[], ${parameters}, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := ${firstDay};
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.${table} r
      where r.metadata_audience_id = private.public_audience()
        and ${isAfter}
        and ${isWithin}
      order by ${inOrder} limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.${table} r
    where r.metadata_audience_id = private.public_audience()
      and ${isAfter}
      and ${isWithin}
    order by ${inOrder} offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day ${after} ${lastDay} loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, ${sortKey} from nectar.${table} r
        where r.metadata_audience_id = private.public_audience()
          and ${day} = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and ${isAfter}
          and ${isWithin}
        offset 0
      ) r
      order by ${inOrder} limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select ${day} from nectar.${table} r
      where r.metadata_audience_id = private.public_audience() and ${day} ${after} v_day
      order by ${day} ${direction} limit 1
    );
  end loop;
  return v_ids;
end $$;
`;
}

function visibleRows(list: List): string {
  const { first, table, rows, key, parameters, names, isAfter, isWithin, sortKey, inOrder } = list;
  const name = `private.${first}_visible_${table}`;
  return `-- Returns the ids of the ${first} ${rows} that the caller may see, after a row (its ${key}) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function ${name}(
  p_scope text, ${parameters}, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_reader constant uuid := private.actor_id();
  v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
  v_audiences uuid[] := private.audiences_of_scope(p_scope);
  -- Null unless the reader has a block, and the list shows public rows.
  v_blocked constant uuid[] := case
    when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
      then private.blocked_users()
  end;
  v_public uuid[];
  v_ids uuid[];
begin
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.${table} r
        where ${isAfter}
          and ${isWithin}
        order by ${inOrder}
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, ${sortKey} from nectar.${table} r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and ${isAfter}
          and ${isWithin}
        order by ${inOrder} limit 1
      ) r
      order by ${inOrder} limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.${first}_public_${table}(v_blocked, ${names}, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, ${sortKey} from nectar.${table} r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and ${isAfter}
          and ${isWithin}
        order by ${inOrder} limit p_max
      )
      union
      (
        select r.id, ${sortKey} from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, ${sortKey} from nectar.${table} r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and ${isAfter}
            and ${isWithin}
          order by ${inOrder} limit p_max
        ) r
      )
      union
      (
        select r.id, ${sortKey} from unnest((select v_public)) v (id)
        cross join lateral (select r.id, ${sortKey} from nectar.${table} r where r.id = v.id limit 1) r
      )
    ) r
    order by ${inOrder} limit p_max
  );
end $$;
grant execute on function ${name} to nectar_user;
`;
}

function entriesOfNotebook({ first, parameters, isAfter, isWithin, inOrder }: List): string {
  const name = `private.${first}_entries_of_notebook`;
  return `-- Does what private.${first}_visible_journal_entries does for one notebook.
create function ${name}(
  p_notebook_id uuid, p_scope text, ${parameters}, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
begin
  return array(
    select r.id from nectar.journal_entries r
    where r.notebook_id = p_notebook_id
      and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
      and ${isAfter}
      and ${isWithin}
    order by ${inOrder} limit p_max
  );
end $$;
grant execute on function ${name} to nectar_user;
`;
}
