import type { FactBase } from "@supabase/pg-delta/core";
import { extract } from "@supabase/pg-delta/extract";
import { renderPlanFiles } from "@supabase/pg-delta/frontends";
import { type Plan, plan } from "@supabase/pg-delta/plan";
import type pg from "pg";
import { createHostedProject, startThrowawayPostgres } from "#local/database/test-cluster";
import { openConnections, withConnection } from "#local/support/connection";
import { readRoles, type SqlFile } from "#ops/migrate/migration-files";
import { readSchemaFiles } from "./schema-files.ts";

/** What leads from a database to supabase/schemas. */
export interface SchemaDifference {
  /** One statement each, in the order in which they run; empty if there is no difference. */
  readonly statements: readonly string[];
  /** The statements that add values to enums, as SQL; PostgreSQL uses a new value only after their commit. */
  readonly enumValues: string;
  /** All other statements, as the SQL of one transaction. */
  readonly others: string;
}

type Cluster = Awaited<ReturnType<typeof startThrowawayPostgres>>;

/** Databases of a throwaway PostgreSQL that are compared with each other. */
export class SchemaDatabases {
  readonly #cluster: Cluster;
  readonly #folder: string;
  #wanted: Promise<FactBase> | undefined;
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
   * Plans what leads from a new project with these migrations to supabase/schemas.
   * @throws Error if a file fails
   */
  async plan(migrations: readonly SqlFile[]): Promise<SchemaDifference> {
    const before = await this.#createProject();
    await run(before, migrations);
    this.#wanted ??= this.#createFromSchemas();
    // Both at once: one that fails while the other is waited for would end the process.
    const planned = planFrom(...(await Promise.all([factsOf(before), this.#wanted])));
    const addsValue = ({ sql }: Plan["actions"][number]) => /^alter type .* add value /i.test(sql);
    const render = (actions: Plan["actions"]) =>
      renderPlanFiles({ ...planned, actions }, { allowDrops: true }).files.map(({ contents }) => contents);
    const [others = "", ...more] = render(planned.actions.filter((action) => !addsValue(action)));
    if (more.length > 0) throw new Error(`A statement cannot run in one transaction with others:\n${more[0]}`);
    return {
      statements: planned.actions.map(({ sql }) => sql),
      enumValues: render(planned.actions.filter(addsValue)).join("\n"),
      others,
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

/** What would make the schema of one database that of another, as statements; empty if they are equal. */
export async function statementsBetween(from: string, to: string): Promise<string[]> {
  return planFrom(await factsOf(from), await factsOf(to)).actions.map(({ sql }) => sql);
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

async function withPool<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = openConnections(url);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
