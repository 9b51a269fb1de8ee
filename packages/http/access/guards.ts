import type { CronSecretName } from "#config/config";
import { AppError, type ErrorCode } from "#core/errors";
import type { AppContext } from "../services/context.ts";
import type { Actor } from "../services/tokens.ts";
import { transactionsFor } from "./access.ts";
import { bootstrapRole } from "./bootstrap-roles.ts";
import { actorOfProgram, isPersonalToken, type Scope } from "./programs.ts";
import { secretCheck } from "./secrets.ts";

const TOKEN_ERRORS = [
  "auth.missing_token",
  "auth.invalid_token",
  "auth.unknown_account",
  "auth.scope_missing",
  "service.identity_unavailable",
] as const satisfies readonly ErrorCode[];

/** The signed-in admin or super admin who calls. */
export interface AdminActor extends Actor {
  readonly role: "admin" | "super_admin";
}

/** Whether a guard of admins let the caller in. */
export function isAdminActor(actor: Actor | null): actor is AdminActor {
  return actor !== null && "role" in actor;
}

/** Who may call an endpoint, and how that is checked. */
export interface Guard<Caller extends Actor | null> {
  /** As in OpenAPI: alternatives of security schemes; none when anyone may call. */
  readonly security: readonly Readonly<Record<string, readonly []>>[];
  readonly errors: readonly ErrorCode[];
  /** The scopes, any of which lets personal tokens in, for the reference. */
  readonly scopes?: readonly Scope[];
  /** Finds out who is calling; null for the scheduler and for anyone. */
  readonly identify: (c: AppContext) => Promise<Caller>;
}

/** Anyone may call, without a token. */
export const anyone: Guard<null> = { security: [], errors: [], identify: async () => null };

/** Signed-in users, but no programs. */
export const user: Guard<Actor> = {
  security: [{ bearer: [] }],
  errors: TOKEN_ERRORS,
  identify: (c) => signIn(c),
};

/** Signed-in users, and their programs with a personal token that has the scope. */
export function userOrProgram(scope: Scope): Guard<Actor> {
  return userOrProgramOf([scope]);
}

/** Lets people in, and programs with any of several scopes. The handler asks for each scope by `hasScope`. */
export function userOrProgramOf(scopes: readonly Scope[]): Guard<Actor> {
  return { ...user, scopes, identify: (c) => signIn(c, scopes) };
}

/** As `userOrProgram`, and also programs of others, which have an access token with a `client_id`. */
export function userOrAnyProgram(scope: Scope): Guard<Actor> {
  return { ...user, scopes: [scope], identify: (c) => signIn(c, [scope], true) };
}

/** Admins and super admins. */
export const admin = roleGuard("admin", "super_admin");

/** Super admins. */
export const superAdmin = roleGuard("super_admin");

/**
 * The scheduler, which sends the job's secret in `x-cron-secret`.
 * @param secrets variables that may contain it; only the first one that is set counts
 */
export function cron(...secrets: readonly CronSecretName[]): Guard<null> {
  return {
    security: [{ cron: [] }],
    errors: ["auth.invalid_cron_secret"],
    identify: async (c) => {
      if (!hasSecret(c, secrets)) throw new AppError("auth.invalid_cron_secret");
      return null;
    },
  };
}

/** The scheduler with its secret, as `cron` does, or an admin with a token. */
export function adminOrCron(...secrets: readonly CronSecretName[]): Guard<AdminActor | null> {
  return {
    security: [{ cron: [] }, { bearer: [] }],
    errors: ["auth.invalid_cron_secret", ...admin.errors],
    identify: async (c) => {
      if (hasSecret(c, secrets)) return null;
      if (c.req.header("authorization") !== undefined) return admin.identify(c);
      throw new AppError("auth.invalid_cron_secret");
    },
  };
}

function roleGuard(...accepted: readonly AdminActor["role"][]): Guard<AdminActor> {
  return {
    security: [{ bearer: [] }],
    errors: [...TOKEN_ERRORS, "auth.forbidden"],
    identify: async (c) => {
      const actor = await signIn(c);
      // The check only reads, so it takes no lock, and its commit does not wait for the disk.
      const row = await transactionsFor(
        c,
        actor,
        "read once",
      )((tx) => tx.selectFrom("user_roles").select("role").where("user_id", "=", actor.userId).executeTakeFirst());
      const role = accepted.find((one) => one === row?.role);
      if (role === undefined) throw new AppError("auth.forbidden");
      return { ...actor, role };
    },
  };
}

async function signIn(
  { req, services }: AppContext,
  scopes: readonly Scope[] = [],
  opensToOthers = false,
): Promise<Actor> {
  const token = /^Bearer +([^\s]+) *$/i.exec(req.header("authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError("auth.missing_token");
  if (isPersonalToken(token)) return actorOfProgram(services, token, scopes);
  const actor = await services.verifyToken(token);
  if (actor.program === undefined) await bootstrapRole(services, actor);
  else if (!opensToOthers) throw new AppError("auth.scope_missing");
  return actor;
}

function hasSecret({ req, services }: AppContext, names: readonly CronSecretName[]): boolean {
  const secret = names.map((name) => services.config.cronSecrets[name]).find((value) => value !== null);
  const offered = req.header("x-cron-secret");
  return secret !== undefined && offered !== undefined && secretCheck([secret])(offered);
}
