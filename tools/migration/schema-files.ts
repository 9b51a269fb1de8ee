import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import pg from "pg";
import { parse } from "smol-toml";
import * as z from "zod";
import type { SqlFile } from "#ops/migrate/migration-files";

const Settings = z.object({ db: z.object({ migrations: z.object({ schema_paths: z.array(z.string()) }) }) });

/**
 * The files of supabase/schemas in the order of config.toml, as Supabase's CLI has it: the files of a pattern in the order of
 * their names, and each file once, where it is named first. The first sentence above a function
 * becomes its comment in the database.
 */
export function readSchemaFiles(folder: string): SqlFile[] {
  const settings = Settings.parse(parse(readFileSync(join(folder, "config.toml"), "utf8")));
  const files = settings.db.migrations.schema_paths.flatMap((pattern) => {
    const found = globSync(normalize(pattern), { cwd: folder }).toSorted();
    if (found.length === 0) throw new Error(`No file is ${pattern}, which supabase/config.toml names.`);
    return found;
  });
  return [...new Set(files)].map((file) => ({
    file,
    sql: withFunctionComments(readFileSync(join(folder, file), "utf8")),
  }));
}

function withFunctionComments(sql: string): string {
  const functions = sql.matchAll(/^((?:--.*\n)+)create (function|procedure) ([\w.]+)\(/gm);
  const comments = [...functions].map(([, lines = "", kind, name]) => {
    const text = lines.replaceAll(/^-- ?/gm, "").trim().replaceAll("\n", " ");
    const [sentence = ""] = text.split(/(?<=\.) +/);
    return `comment on ${kind} ${name} is ${pg.escapeLiteral(sentence)};\n`;
  });
  return `${sql}\n${comments.join("")}`;
}
