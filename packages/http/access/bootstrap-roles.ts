import { call } from "#database/call";
import type { Services } from "../services/services.ts";
import type { Actor } from "../services/tokens.ts";

/** The users whose role needs no look-up any more. */
const settled = new WeakMap<Services, Set<string>>();

/**
 * Gives the first admins their role, once: users who sign in with an address that the environment names. The database
 * checks that the address is confirmed.
 */
export async function bootstrapRole(services: Services, actor: Actor): Promise<void> {
  const { email } = actor;
  const role = roleByAddress(services, email?.toLowerCase());
  if (role === null || email === null) return;
  const known = settled.get(services) ?? new Set();
  settled.set(services, known);
  if (known.has(actor.userId)) return;
  const isConfirmed = await services.database.asService((tx) =>
    call(tx, "bootstrap_role", { userId: actor.userId, address: email, role }),
  );
  // An address that is not confirmed yet is looked up again at the next request.
  if (isConfirmed) known.add(actor.userId);
}

function roleByAddress({ config }: Services, address: string | undefined): "super_admin" | "admin" | null {
  if (address === undefined) return null;
  if (config.superAdminEmails.has(address)) return "super_admin";
  return config.adminEmails.has(address) ? "admin" : null;
}
