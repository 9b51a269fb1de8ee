import { one } from "@nectar/database/query";
import type { Actor } from "./context.ts";
import type { Services } from "./services.ts";

/** People whose role is settled, by the services they were looked up with. */
const seen = new WeakMap<Services, Set<string>>();

/**
 * Gives the first admins their role: whoever signs in with an address that the environment names gets it once. Only those
 * few addresses are ever looked up, each until it is confirmed; the database checks that the address is confirmed.
 */
export async function bootstrapRole(services: Services, actor: Actor): Promise<void> {
  const role = roleByAddress(services, actor.email?.toLowerCase());
  if (role === null || actor.email === null) return;
  const known = seen.get(services) ?? new Set();
  seen.set(services, known);
  if (known.has(actor.userId)) return;
  const { confirmed } = await services.database.asService(
    (tx) =>
      one<{ confirmed: boolean }>(tx)`
      select private.bootstrap_role(${actor.userId}, ${actor.email}, ${role}) as confirmed
    `,
  );
  // Who has not confirmed their address yet gets the role when they have.
  if (confirmed) known.add(actor.userId);
}

function roleByAddress({ config }: Services, address: string | undefined): "super_admin" | "admin" | null {
  if (address === undefined) return null;
  if (config.superAdminEmails.has(address)) return "super_admin";
  return config.adminEmails.has(address) ? "admin" : null;
}
