import { z } from "zod";

/** The environment of a running function, parsed and checked. */
export interface Config {
  /** Address of the database, or null in a function that gets none because it needs none. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly supabaseUrl: string;
  readonly jwtSecret: string | null;
  /** The issuer that tokens must name, or null when none is asked for. */
  readonly jwtIssuer: string | null;
  /** Origins that browsers may call from; empty means every origin. */
  readonly appOrigins: readonly string[];
  readonly superAdminEmails: ReadonlySet<string>;
  readonly adminEmails: ReadonlySet<string>;
  readonly cronSecrets: CronSecrets;
  readonly logLevel: LogLevel;
}

/** Secrets of the scheduled jobs by group of jobs; null is not configured, and then the jobs refuse every call. */
export interface CronSecrets {
  readonly maintenance: string | null;
}

const LogLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);
type LogLevel = z.infer<typeof LogLevel>;

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
const emails = list.transform((addresses) => new Set(addresses.map((address) => address.toLowerCase())));
const optional = z
  .string()
  .default("")
  .transform((value) => (value === "" ? null : value));
const withoutTrailingSlash = (url: string) => url.replace(/\/+$/, "");

const Environment = z.object({
  DATABASE_URL: optional.refine(
    (url) => url === null || /^postgres(ql)?:\/\//.test(url),
    "must be a postgres:// address",
  ),
  // A job holds its lock on one connection while it works on another.
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(2),
  SUPABASE_URL: z.url({ protocol: /^https?$/ }).transform(withoutTrailingSlash),
  SUPABASE_JWT_SECRET: optional,
  SUPABASE_JWT_ISSUER: optional,
  APP_ORIGINS: list,
  SUPER_ADMIN_EMAILS: emails,
  ADMIN_EMAILS: emails,
  MAINTENANCE_CRON_SECRET: optional,
  LOG_LEVEL: LogLevel.default("info"),
});

/**
 * Reads the configuration from an environment.
 * @throws Error that names every missing or malformed variable, and no value of any
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${problemWithoutValue(issue)}`);
    throw new Error(`The environment is not complete. ${problems.join("; ")}. See .env.example.`);
  }
  const values = parsed.data;
  return {
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    supabaseUrl: values.SUPABASE_URL,
    jwtSecret: values.SUPABASE_JWT_SECRET,
    jwtIssuer: issuerOf(values.SUPABASE_JWT_ISSUER, values.SUPABASE_URL),
    appOrigins: values.APP_ORIGINS,
    superAdminEmails: values.SUPER_ADMIN_EMAILS,
    adminEmails: values.ADMIN_EMAILS,
    cronSecrets: { maintenance: values.MAINTENANCE_CRON_SECRET },
    logLevel: values.LOG_LEVEL,
  };
}

/** Reads the configuration from the environment of this process: the only place that looks at it. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

function issuerOf(configured: string | null, supabaseUrl: string): string | null {
  if (configured === null) return `${supabaseUrl}/auth/v1`;
  return configured === "none" ? null : configured;
}

function problemWithoutValue(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_type" ? "is missing" : issue.message;
}
