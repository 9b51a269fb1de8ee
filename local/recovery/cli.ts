import type pg from "pg";
import { InvalidEnvironment, readOperatorConfig } from "#config/config";
import { withAdminConnection } from "#ops/migrate/admin-connection";
import { MigrationProblem } from "#ops/migrate/migration-problem";
import { listS3Files } from "#providers/private-files";
import { TONE_PACK_BUCKET, TONE_PACK_FOLDER } from "#providers/public-images";
import { type Files, runDrill } from "./drill.ts";

/** The images in Supabase Storage, by its own table of them; undefined where there is no Supabase Storage. */
async function listToneImages(client: pg.ClientBase): Promise<string[] | undefined> {
  const { rows: tables } = await client.query(
    "select from pg_tables where schemaname = 'storage' and tablename = 'objects'",
  );
  if (tables.length === 0) return undefined;
  const { rows } = await client.query<{ name: string }>("select name from storage.objects where bucket_id = $1", [
    TONE_PACK_BUCKET,
  ]);
  return rows.map(({ name }) => name);
}

try {
  const { admin: source, s3 } = readOperatorConfig();
  const listFiles = async (): Promise<Files> => {
    const keys = s3 === null ? undefined : await listS3Files(s3);
    return {
      private: keys?.filter((key) => !key.startsWith(TONE_PACK_FOLDER)),
      // Without Supabase Storage they are in the bucket too.
      "tone-packs":
        (await withAdminConnection(source, listToneImages)) ??
        keys?.filter((key) => key.startsWith(TONE_PACK_FOLDER)).map((key) => key.slice(TONE_PACK_FOLDER.length)),
    };
  };
  const problems = await runDrill({ source, listFiles, report: console.log });
  console.log(problems.length === 0 ? "The restored database is complete." : problems.join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof MigrationProblem || error instanceof InvalidEnvironment)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
