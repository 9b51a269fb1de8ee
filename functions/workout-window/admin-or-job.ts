import { answer } from "@nectar/http/answer";
import type { Actor, AppContext } from "@nectar/http/context";
import { respondInPhases } from "@nectar/http/respond";

/**
 * Responds to a POST that an admin or the scheduler may send. The work opens its own transactions. An admin's
 * `Idempotency-Key` is honored; the scheduler sends none.
 */
export async function respondToAdminOrJob<Body extends object>(
  c: AppContext,
  work: () => Promise<Body>,
): Promise<Response> {
  // The guard lets the scheduler in without an actor.
  const actor: Actor | undefined = c.var.actor;
  if (actor === undefined) return answer(c, 200, await work());
  return respondInPhases(c, 200, {
    before: async () => null,
    during: work,
    after: async (_tx, _before, done) => done,
  });
}
