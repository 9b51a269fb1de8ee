import { createHash, timingSafeEqual } from "node:crypto";
import type { CronSecretName } from "@nectar/config/config";
import { AppError } from "@nectar/core/errors";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { bootstrapRole } from "./bootstrap-roles.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { documented, errorResponse } from "./describe.ts";
import { transactionOf } from "./user-transaction.ts";

/** Lets in whoever brings a good access token; the handler then works as that person. */
export const user = documented(
  { security: [{ bearer: [] }], responses: { 401: errorResponse("No token, or one that is not good.") } },
  createMiddleware<AppEnv>(async (c, next) => {
    await signIn(c);
    await next();
  }),
);

/** Lets in admins and super admins. */
export const admin = roleGuard("an admin", (role) => role === "admin" || role === "super_admin");

/** Lets in super admins. */
export const superAdmin = roleGuard("a super admin", (role) => role === "super_admin");

/**
 * Lets in the scheduler, which sends the job's secret in `x-cron-secret`.
 * @param secrets variables that may hold it; only the first one that is set is accepted
 */
export function cron(...secrets: readonly CronSecretName[]): MiddlewareHandler<AppEnv> {
  return documented(
    { security: [{ cron: [] }], responses: { 401: errorResponse("The cron secret is missing or wrong.") } },
    createMiddleware<AppEnv>(async (c, next) => {
      if (!hasSecret(c, secrets)) {
        throw new AppError("auth.invalid_cron_secret");
      }
      await next();
    }),
  );
}

/** Lets in the scheduler with its secret, as `cron` does, or an admin with a token. */
export function adminOrCron(...secrets: readonly CronSecretName[]): MiddlewareHandler<AppEnv> {
  return documented(
    {
      security: [{ cron: [] }, { bearer: [] }],
      responses: { 401: errorResponse("Neither secret nor token."), 403: errorResponse("Only for admins.") },
    },
    createMiddleware<AppEnv>(async (c, next) => {
      if (hasSecret(c, secrets)) return next();
      if (c.req.header("authorization") !== undefined) return admin(c, next);
      throw new AppError("auth.invalid_cron_secret");
    }),
  );
}

function roleGuard(who: string, accepts: (role: string) => boolean): MiddlewareHandler<AppEnv> {
  return documented(
    {
      security: [{ bearer: [] }],
      responses: { 401: errorResponse("No token, or one that is not good."), 403: errorResponse(`Only for ${who}.`) },
    },
    createMiddleware<AppEnv>(async (c, next) => {
      await signIn(c);
      const { actor, services } = c.var;
      // The check only reads, also before a request that writes, so it takes no lock and its commit waits for no disk.
      const row = await transactionOf(
        services.database,
        actor.userId,
        (tx) => tx.selectFrom("user_roles").select("role").where("user_id", "=", actor.userId).executeTakeFirst(),
        "read",
      );
      if (!accepts(row?.role ?? "user")) throw new AppError("auth.forbidden");
      await next();
    }),
  );
}

async function signIn(c: AppContext): Promise<void> {
  const { services } = c.var;
  const token = /^Bearer +([^\s]+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError("auth.missing_token");
  const actor = await services.verifyToken(token);
  await bootstrapRole(services, actor);
  c.set("actor", actor);
  const purpose = c.req.method === "GET" ? "read" : "write";
  c.set("asUser", (work) => transactionOf(services.database, actor.userId, work, purpose));
}

function hasSecret(c: AppContext, names: readonly CronSecretName[]): boolean {
  const { cronSecrets } = c.var.services.config;
  const secret = names.map((name) => cronSecrets[name]).find((value) => value !== null);
  const offered = c.req.header("x-cron-secret");
  if (secret === undefined || offered === undefined) return false;
  // Digests have one length whatever was sent, so the comparison tells nothing by its time.
  return timingSafeEqual(digest(offered), digest(secret));
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
