import { sql } from "kysely";
import type { Actor } from "./context.ts";
import type { Services } from "./services.ts";

/** People who were looked up already, by the services they were looked up with. */
const seen = new WeakMap<Services, Set<string>>();

/**
 * Gives the first admins their role: whoever signs in with an address that the environment names gets it once. Only those
 * few addresses are ever looked up, each once per process; the database checks that the address is confirmed.
 */
export async function bootstrapRole(services: Services, actor: Actor): Promise<void> {
  const role = roleByAddress(services, actor.email?.toLowerCase());
  if (role === null || actor.email === null) return;
  const known = seen.get(services) ?? new Set();
  seen.set(services, known);
  if (known.has(actor.userId)) return;
  await services.database.asService((tx) =>
    sql`select private.bootstrap_role(${actor.userId}, ${actor.email}, ${role})`.execute(tx),
  );
  known.add(actor.userId);
}

function roleByAddress({ config }: Services, address: string | undefined): "super_admin" | "admin" | null {
  if (address === undefined) return null;
  if (config.superAdminEmails.has(address)) return "super_admin";
  return config.adminEmails.has(address) ? "admin" : null;
}
