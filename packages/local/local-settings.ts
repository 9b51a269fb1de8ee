import { resolve } from "node:path";
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
 * Reads the settings of the local stack; empty variables count as not set.
 * @throws StartupProblem naming the variable whose value cannot be used, or two that name the same port.
 */
export function readLocalSettings(environment: Environment): LocalSettings {
  const ports = {
    apiPort: portFrom(environment, portVariables.apiPort, 3000),
    supabasePort: portFrom(environment, portVariables.supabasePort, 54321),
    databasePort: portFrom(environment, portVariables.databasePort, 54322),
    filesPort: portFrom(environment, portVariables.filesPort, 54323),
    modelPort: portFrom(environment, portVariables.modelPort, 54324),
    paymentsPort: portFrom(environment, portVariables.paymentsPort, 54325),
    mailPort: portFrom(environment, portVariables.mailPort, 54326),
    pushPort: portFrom(environment, portVariables.pushPort, 54327),
  };
  const named = Object.values(ports);
  if (new Set(named).size < named.length) {
    throw new StartupProblem(`${Object.values(portVariables).join(", ")} must all name different ports.`);
  }
  const keys: SupabaseKeys = {
    publishableKey: environment.SUPABASE_PUBLISHABLE_KEY || localSupabaseKeys.publishableKey,
    secretKey: environment.SUPABASE_SECRET_KEY || localSupabaseKeys.secretKey,
    jwtSecret: environment.SUPABASE_JWT_SECRET || localSupabaseKeys.jwtSecret,
  };
  return { ...ports, dataFolder: resolve(environment.LOCAL_DATA_DIR || ".local"), keys };
}

function portFrom(environment: Environment, name: string, fallback: number): number {
  const text = environment[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new StartupProblem(`${name} must be a port number from 1 to 65535.`);
  }
  return port;
}
