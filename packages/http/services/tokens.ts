import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import * as z from "zod";
import { AppError } from "#core/errors";
import { textOrNull } from "#core/text/text";
import type { Program } from "#database/database";
import type { Clock } from "./clock.ts";

/** The signed-in user who calls. */
export interface Actor {
  readonly userId: string;
  readonly email: string | null;
  /** When the access token was issued; null if it does not say. */
  readonly issuedAt: Date | null;
  /** The program that calls for them. */
  readonly program?: Program;
}

/** Checks an access token. @throws AppError auth.invalid_token for every token that is not valid now */
export type TokenVerifier = (token: string) => Promise<Actor>;

/** The issuer of tokens, and how they are signed. */
export interface TokenSettings {
  /** Address of the issuer's public signing keys. */
  readonly jwksUrl: string;
  /** Shared secret for HS256; null if only the issuer's public keys count. */
  readonly jwtSecret: string | null;
  /** Issuer that a token must name; null accepts any. */
  readonly jwtIssuer: string | null;
  /** Audience that a token must name. */
  readonly jwtAudience: string;
}

const CLOCK_SKEW_SECONDS = 30;
/** All that Supabase Auth can sign with, given a key pair. */
const ASYMMETRIC = ["ES256", "ES512", "RS256", "RS512", "EdDSA"];

/** Maximum number of verified tokens in memory. */
const MAX_VERIFIED_TOKENS = 1_000;

const Claims = z.object({ sub: z.guid(), email: z.string().nullish(), exp: z.number(), iat: z.number().optional() });
/** The audience of Supabase's tokens, which also have the role of their bearer. */
const SUPABASE_AUDIENCE = "authenticated";
const SupabaseClaims = Claims.extend({ role: z.literal("authenticated") });

/** The owner of a valid token, and when it expires. */
interface Verified {
  readonly actor: Actor;
  readonly expiresAtMs: number;
}

/**
 * Verifies tokens locally: signature, expiry, not-before, issuer and audience. A token signed with the shared secret is
 * only ever checked against the secret and one signed with a key pair only against the issuer's published keys, so
 * neither can pass as the other.
 */
export function createTokenVerifier(settings: TokenSettings, clock: Clock): TokenVerifier {
  const secret = settings.jwtSecret === null ? null : new TextEncoder().encode(settings.jwtSecret);
  const claimsSchema = settings.jwtAudience === SUPABASE_AUDIENCE ? SupabaseClaims : Claims;
  let publishedKeys: JWTVerifyGetKey | undefined;
  const keysOfIssuer = () => {
    publishedKeys ??= createRemoteJWKSet(new URL(settings.jwksUrl));
    return publishedKeys;
  };

  async function verify(token: string): Promise<JWTPayload> {
    const options: JWTVerifyOptions = {
      audience: settings.jwtAudience,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: clock.now(),
      requiredClaims: ["exp", "sub"],
      ...(settings.jwtIssuer === null ? {} : { issuer: settings.jwtIssuer }),
    };
    if (secret !== null && algorithmOf(token) === "HS256") {
      return (await jwtVerify(token, secret, { ...options, algorithms: ["HS256"] })).payload;
    }
    return (await jwtVerify(token, keysOfIssuer(), { ...options, algorithms: ASYMMETRIC })).payload;
  }

  // A client sends the same token for an hour; its signature is checked once.
  const verifiedTokens = new Map<string, Verified>();

  async function verifyUncached(token: string): Promise<Verified> {
    try {
      const payload = await verify(token);
      const claims = claimsSchema.parse(payload);
      const { sub, email, iat } = claims;
      // Accounts that signed up with a phone or anonymously have an empty address.
      const person = { userId: sub.toLowerCase(), email: textOrNull(email) };
      // The scopes of such a token limit nothing, so the program is only let in where it is said. It has not signed in.
      const actor: Actor =
        "client_id" in payload
          ? { ...person, issuedAt: null, program: { tokenId: null, scopes: [] } }
          : { ...person, issuedAt: iat === undefined ? null : new Date(iat * 1000) };
      return { actor, expiresAtMs: (claims.exp + CLOCK_SKEW_SECONDS) * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError && !UNREACHABLE_KEYS.has(error.code)) throw invalidToken(error);
      if (error instanceof z.ZodError) throw invalidToken(error);
      throw new AppError("service.identity_unavailable", { cause: error });
    }
  }

  return async (token) => {
    const known = verifiedTokens.get(token);
    if (known !== undefined && clock.now().getTime() < known.expiresAtMs) return known.actor;
    verifiedTokens.delete(token);
    const verified = await verifyUncached(token);
    const [oldest] = verifiedTokens.size < MAX_VERIFIED_TOKENS ? [] : verifiedTokens.keys();
    if (oldest !== undefined) verifiedTokens.delete(oldest);
    verifiedTokens.set(token, verified);
    return verified.actor;
  };
}

/** jose's codes for "the published keys could not be fetched", which is not the fault of the token. */
const UNREACHABLE_KEYS = new Set(["ERR_JWKS_TIMEOUT", "ERR_JOSE_GENERIC"]);

function invalidToken(cause: Error): AppError {
  const expired = cause instanceof errors.JWTExpired ? { sentence: "The access token has expired." } : {};
  return new AppError("auth.invalid_token", { cause, ...expired });
}

const Header = z.object({ alg: z.string() });

function algorithmOf(token: string): string | undefined {
  const [header = ""] = token.split(".", 1);
  try {
    return Header.parse(JSON.parse(Buffer.from(header, "base64url").toString("utf8"))).alg;
  } catch {
    return undefined;
  }
}
