import { resolve } from "node:path";
import { parseVariables } from "@nectar/config/config";
import { LocalEnvironment } from "@nectar/config/variables";
import { localSupabaseKeys } from "./local-defaults.ts";
import { StartupProblem } from "./startup-problem.ts";
import type { SupabaseKeys } from "./supabase-project.ts";

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the local stack runs and keeps its data. */
export interface LocalSettings {
  apiPort: number;
  supabasePort: number;
  databasePort: number;
  filesPort: number;
  modelPort: number;
  paymentsPort: number;
  mailPort: number;
  pushPort: number;
  /** Absolute path. */
  dataFolder: string;
  keys: SupabaseKeys;
}

/** The variable that moves each port; named in messages. */
export const portVariables = {
  apiPort: "PORT",
  supabasePort: "LOCAL_SUPABASE_PORT",
  databasePort: "LOCAL_DB_PORT",
  filesPort: "LOCAL_S3_PORT",
  modelPort: "LOCAL_AI_PORT",
  paymentsPort: "LOCAL_PAYMENTS_PORT",
  mailPort: "LOCAL_MAIL_PORT",
  pushPort: "LOCAL_PUSH_PORT",
} as const;

/**
 * Reads the settings of the local stack; blank variables count as not set.
 * @throws StartupProblem that names every malformed variable, or the variables if two ports are the same
 */
export function readLocalSettings(environment: Environment): LocalSettings {
  const values = parseLocalVariables(environment);
  const ports = {
    apiPort: values[portVariables.apiPort],
    supabasePort: values[portVariables.supabasePort],
    databasePort: values[portVariables.databasePort],
    filesPort: values[portVariables.filesPort],
    modelPort: values[portVariables.modelPort],
    paymentsPort: values[portVariables.paymentsPort],
    mailPort: values[portVariables.mailPort],
    pushPort: values[portVariables.pushPort],
  };
  const named = Object.values(ports);
  if (new Set(named).size < named.length) {
    throw new StartupProblem(`${Object.values(portVariables).join(", ")} must all name different ports.`);
  }
  const keys: SupabaseKeys = {
    publishableKey: values.SUPABASE_PUBLISHABLE_KEY,
    secretKey: environment.SUPABASE_SECRET_KEY || localSupabaseKeys.secretKey,
    jwtSecret: environment.SUPABASE_JWT_SECRET || localSupabaseKeys.jwtSecret,
  };
  return { ...ports, dataFolder: resolve(values.LOCAL_DATA_DIR), keys };
}

function parseLocalVariables(environment: Environment) {
  try {
    return parseVariables(LocalEnvironment, environment);
  } catch (error) {
    throw new StartupProblem(error instanceof Error ? error.message : String(error));
  }
}
