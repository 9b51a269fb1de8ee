import { asSuperuser } from "#tests/people";
import { insertSample, sampledTables } from "../../world/samples.ts";
import { type BuildScenes, longest } from "./stage.ts";

/** The lists of the cards: copies of the sample, whose texts are as long as the constraints allow. */
export function listsOfCards(): Record<string, BuildScenes> {
  const lists = sampledTables().flatMap(([table, card]) => {
    const { list } = card;
    if (list === undefined) return [];
    const build: BuildScenes = async (stage) => {
      const as = await stage.api.person();
      const id = await asSuperuser(stage.api.adminUrl, (client) => insertSample(client, table, as.id));
      for (const [column, length] of await textsOf(stage, table)) {
        // A constraint may want another column to be null with this one.
        await stage
          .quietly(`update ${table} set ${column} = $1 where id = $2`, [longest(length), id])
          .catch(() => undefined);
      }
      return [await stage.copied({ path: list, as }, table, id)];
    };
    return [[list, build] as const];
  });
  return Object.fromEntries(lists);
}

/** The columns whose length a check constraint limits, with the limit in code points. */
async function textsOf({ quietly }: Parameters<BuildScenes>[0], table: string): Promise<[string, number][]> {
  const rows = await quietly<{ name: string; length: string }>(
    `select a.attname as name,
       (regexp_match(pg_get_constraintdef(k.oid), 'char_length\\(' || a.attname || '\\)[^;]*?<= (\\d+)'))[1] as length
     from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
     where k.contype = 'c' and k.conrelid = $1::regclass`,
    [table],
  );
  return rows.filter(({ length }) => length !== null).map(({ name, length }) => [name, Number(length)]);
}
