import { resolve } from "node:path";
import { parseVariables } from "#config/config";
import { LocalEnvironment } from "#config/variables";
import { messageOf, StartupProblem } from "../support/startup-problem.ts";
import { LOCAL_SUPABASE_KEYS } from "./local-defaults.ts";
import type { SupabaseKeys } from "./supabase.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that sets each port. */
export const PORT_VARIABLES = {
  api: "PORT",
  supabase: "LOCAL_SUPABASE_PORT",
  database: "LOCAL_DB_PORT",
  files: "LOCAL_S3_PORT",
  model: "LOCAL_AI_PORT",
  payments: "LOCAL_PAYMENTS_PORT",
  mail: "LOCAL_MAIL_PORT",
  push: "LOCAL_PUSH_PORT",
} as const;

/** The ports and the folder of the local stack. */
export interface LocalSettings {
  ports: Readonly<Record<keyof typeof PORT_VARIABLES, number>>;
  /** Absolute path. */
  dataFolder: string;
  keys: SupabaseKeys;
}

/** The address that links in mails lead to, in place of that of a client app. */
export function localAppUrl({ ports }: LocalSettings): string {
  return `http://localhost:${ports.api}`;
}

/**
 * Reads the settings of the local stack; blank variables count as not set.
 * @throws StartupProblem that names every malformed variable, or the variables if two ports are the same
 */
export function readLocalSettings(environment: Environment): LocalSettings {
  const values = parseLocalVariables(environment);
  const ports = {
    api: values.PORT,
    supabase: values.LOCAL_SUPABASE_PORT,
    database: values.LOCAL_DB_PORT,
    files: values.LOCAL_S3_PORT,
    model: values.LOCAL_AI_PORT,
    payments: values.LOCAL_PAYMENTS_PORT,
    mail: values.LOCAL_MAIL_PORT,
    push: values.LOCAL_PUSH_PORT,
  };
  const numbers = Object.values(ports);
  if (new Set(numbers).size < numbers.length) {
    throw new StartupProblem(`${Object.values(PORT_VARIABLES).join(", ")} must all name different ports.`);
  }
  const keys: SupabaseKeys = {
    publishableKey: values.SUPABASE_PUBLISHABLE_KEY,
    secretKey: environment.SUPABASE_SECRET_KEY || LOCAL_SUPABASE_KEYS.secretKey,
    jwtSecret: environment.SUPABASE_JWT_SECRET || LOCAL_SUPABASE_KEYS.jwtSecret,
  };
  return { ports, dataFolder: resolve(values.LOCAL_DATA_DIR), keys };
}

function parseLocalVariables(environment: Environment) {
  try {
    return parseVariables(LocalEnvironment, environment);
  } catch (error) {
    throw new StartupProblem(messageOf(error));
  }
}
