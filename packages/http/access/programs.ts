import type { Enum } from "#core/enums.generated";
import { AppError } from "#core/errors";
import type { Services } from "../services/services.ts";
import type { Actor } from "../services/tokens.ts";
import { digest, newSecret } from "./secrets.ts";

/** What a personal token may be used for. */
export type Scope = Enum<"token_scope">;

/** The beginning of personal tokens, by which people and scanners of leaked secrets recognize them. */
const PREFIX = "nct_";

/** A new personal token. */
export function newPersonalToken(services: Services): string {
  return `${PREFIX}${newSecret(services)}`;
}

/** Whether a bearer token is a personal token, valid or not. */
export function isPersonalToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Whether a scope is open to who calls: all are to a person, and to a program one to write includes the one to read. */
export function hasScope({ program }: Pick<Actor, "program">, scope: Scope): boolean {
  return program?.scopes.some((own) => own === scope || own === scope.replace(":read", ":write")) ?? true;
}

/**
 * Finds the person of a personal token, in one round trip.
 * @param scopes of the endpoint, any of which opens it; without one, it is closed to personal tokens
 * @throws AppError auth.invalid_token, or auth.scope_missing, whose issues name the scopes that the token has
 */
export async function actorOfProgram({ database }: Services, token: string, scopes: readonly Scope[]): Promise<Actor> {
  const found = await database.useToken(digest(token));
  if (found === null) throw new AppError("auth.invalid_token");
  const program = { tokenId: found.id, scopes: found.scopes };
  if (scopes.some((scope) => hasScope({ program }, scope))) {
    return { userId: found.userId, email: null, issuedAt: null, program };
  }
  const issues = found.scopes.map((own) => ({ path: "scopes", message: own }));
  const [scope] = scopes;
  if (scope === undefined || scopes.length > 1) throw new AppError("auth.scope_missing", { issues });
  const sentence = `This needs a personal token with the scope ${scope}.`;
  throw new AppError("auth.scope_missing", { sentence, issues });
}
