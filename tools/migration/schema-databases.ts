import type { FactBase } from "@supabase/pg-delta/core";
import { extract } from "@supabase/pg-delta/extract";
import { renderPlanFiles } from "@supabase/pg-delta/frontends";
import { type Plan, plan } from "@supabase/pg-delta/plan";
import { provePlan } from "@supabase/pg-delta/proof";
import pg from "pg";
import { createHostedProject, startThrowawayPostgres } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { readMigrationFiles, readRoles, type SqlFile } from "#ops/migrate/migration-files";
import { readSchemaFiles } from "./schema-files.ts";

/** The difference between what a database has and what supabase/schemas say. */
export interface SchemaDifference {
  /** One statement each, in the order in which they run; empty if there is no difference. */
  readonly statements: readonly string[];
  /** The same as text of migration files; several if a statement needs the commit of one before, as new enum values do. */
  readonly files: readonly string[];
}

type Cluster = Awaited<ReturnType<typeof startThrowawayPostgres>>;

/** Databases of a throwaway PostgreSQL that are compared with each other. */
export class SchemaDatabases {
  readonly #cluster: Cluster;
  readonly #folder: string;
  #count = 0;

  private constructor(cluster: Cluster, folder: string) {
    this.#cluster = cluster;
    this.#folder = folder;
  }

  /** @param folder absolute path of a folder like `supabase` */
  static async start(folder: string): Promise<SchemaDatabases> {
    return new SchemaDatabases(await startThrowawayPostgres(), folder);
  }

  async stop(): Promise<void> {
    await this.#cluster.stop();
  }

  /**
   * Plans what leads from an empty project, or from one with all migrations, to supabase/schemas.
   * @throws Error if a file fails, or if the planned statements do not lead there
   */
  async plan(start: "from nothing" | "from migrations"): Promise<SchemaDifference> {
    const before = await this.#createProject();
    if (start === "from migrations") await run(before, await readMigrationFiles(this.#folder));
    const wanted = await this.#createFromSchemas();
    const planned = planFrom(await factsOf(before), wanted);
    await prove(planned, before, wanted);
    return {
      statements: planned.actions.map(({ sql }) => sql),
      files: renderPlanFiles(planned, { allowDrops: true }).files.map(({ contents }) => contents),
    };
  }

  /**
   * The facts of a database with supabase/schemas. They are read from a copy that was created from PostgreSQL's own text of
   * them, because it writes some conditions otherwise than it reads them: `a and b between 1 and 2` loses its inner
   * brackets. So the same facts come from the schemas and from migrations, which consist of that text.
   */
  async #createFromSchemas(): Promise<FactBase> {
    const written = await this.#createProject();
    await run(written, readSchemaFiles(this.#folder));
    const copy = await this.#createProject();
    const { files } = renderPlanFiles(planFrom(await factsOf(copy), await factsOf(written)), { allowDrops: false });
    await run(
      copy,
      files.map(({ contents }, index) => ({ file: `copy ${index}`, sql: contents })),
    );
    return factsOf(copy);
  }

  /** Creates a database like that of a new Supabase project, with our roles. */
  async #createProject(): Promise<string> {
    this.#count += 1;
    const url = await createHostedProject(this.#cluster, `schemas_${this.#count}`);
    await run(url, await readRoles(this.#folder));
    return url;
  }
}

/** Runs each file in one transaction. */
async function run(url: string, files: readonly SqlFile[]): Promise<void> {
  await withConnection(url, async (client) => {
    for (const { file, sql } of files) {
      await client.query(`begin; ${sql}; commit`).catch((error: unknown) => {
        throw new Error(`supabase/${file} failed.`, { cause: error });
      });
    }
  });
}

async function factsOf(url: string): Promise<FactBase> {
  return withPool(url, async (pool) => (await extract(pool)).factBase);
}

/**
 * Roles are those of the server, so they are not compared. The role that migrates owns everything without a word, because
 * it has another name in each installation.
 */
function planFrom(before: FactBase, wanted: FactBase): Plan {
  const owner = "hosted_postgres";
  return plan(before, wanted, {
    scope: "database",
    defaultOwner: owner,
    policy: {
      id: "nectar",
      assumedRoles: [owner, "nectar_api", "nectar_user", "nectar_service"],
      filter: [
        { match: { all: [{ kind: "acl" }, { idField: { field: "grantee", glob: owner } }] }, action: "exclude" },
      ],
    },
  });
}

async function prove(planned: Plan, url: string, wanted: FactBase): Promise<void> {
  const { ok, applyError, driftDeltas } = await withPool(url, (pool) => provePlan(planned, pool, wanted));
  if (!ok)
    throw new Error(`The migration does not lead to the schemas: ${JSON.stringify({ applyError, driftDeltas })}`);
}

async function withPool<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
