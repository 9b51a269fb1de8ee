import { AppError, type ErrorCode, type ErrorDetails, isErrorCode } from "#core/errors";

/** An error of PostgreSQL or of a socket. */
interface CodedError extends Error {
  readonly code: string;
  readonly constraint?: string;
  readonly column?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly routine?: string;
}

/** The SQLSTATE that our SQL raises; the error code is in `detail`. */
const RAISED_BY_US = "NX000";

/** SQLSTATEs that mean that the database cannot be reached or is shutting down. */
const UNAVAILABLE = /^(08...|57P0[123]|53300|28...|3D000)$/;
/** SQLSTATEs that mean that another transaction is in the way; the same request may succeed in a moment. */
const BUSY = /^(40001|40P01|55P03)$/;
/** The SQLSTATE of a statement that took too long; the same request would take as long again. */
const TIMED_OUT = "57014";
const SOCKET_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH"]);
/** Codes of Node if the certificate or the name of the server is not the expected one. */
const CERTIFICATE_ERROR = /^(ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;
/** Messages of pg, without a code, when a connection is lost or cannot be opened in time or with TLS. */
const LOST_CONNECTION =
  /^(Connection terminated|The server does not support SSL connections|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The role that a transaction runs as. */
export type DatabaseRole = "nectar_user" | "nectar_service";

/**
 * Translates an error of the database into an AppError if its meaning is known. Every other error is returned as it is and
 * becomes a 500.
 * @param role of the transaction; a refusal by row-level security is only the caller's 403 for a user
 */
export function translateDatabaseError(error: unknown, role: DatabaseRole = "nectar_user"): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return translateDatabaseError(error.errors[0], role);
  if (LOST_CONNECTION.test(error.message)) return unavailable(error);
  if (!isCoded(error)) return error;
  const raised = raisedCode(error);
  if (raised !== null) return new AppError(raised, { cause: error, ...raisedIssues(error) });
  // Row-level security refused what the command had found to be allowed: a permission was lost meanwhile.
  if (error.code === "42501" && role === "nectar_user") return new AppError("auth.forbidden", { cause: error });
  if (SOCKET_ERRORS.has(error.code) || CERTIFICATE_ERROR.test(error.code) || UNAVAILABLE.test(error.code)) {
    return unavailable(error);
  }
  if (error.code === TIMED_OUT) return new AppError("service.query_timeout", { cause: error });
  if (BUSY.test(error.code) || isStaleStatement(error)) {
    return new AppError("service.busy", { cause: error, retryAfterSeconds: 1 });
  }
  return error;
}

/** The error code that our SQL raised, or null if the error is of another kind. */
export function raisedCode(error: unknown): ErrorCode | null {
  if (!hasSqlState(error, RAISED_BY_US)) return null;
  const { detail = "" } = error;
  return isErrorCode(detail) ? detail : null;
}

/** The issue that our SQL raised with its code: where in `column`, and what in `hint`. */
function raisedIssues({ column, hint }: CodedError): Pick<ErrorDetails, "issues"> {
  return column === undefined || hint === undefined ? {} : { issues: [{ path: column, message: hint }] };
}

/** Whether a row refers to one that does not exist, by this foreign key or by any. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasSqlState(error, "23503") && (constraint === undefined || error.constraint === constraint);
}

/**
 * Whether a transaction failed for a reason that has passed: a deadlock, a conflicting write, or a prepared statement that
 * is no longer valid. It may succeed when run again.
 */
export function isTransient(error: unknown): boolean {
  const reported = error instanceof AppError ? error.cause : error;
  return hasSqlState(reported, "40P01") || hasSqlState(reported, "40001") || isStaleStatement(reported);
}

/** Whether a transaction was refused because it would have to write, and it or the whole server only reads. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return hasSqlState(error, "25006");
}

/** Whether a database could not be reached. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === "service.database_unavailable";
}

/** Whether a replica has not reached the position that a read requires of every replica, or was promoted. */
export function isLagging(error: unknown): boolean {
  return hasSqlState(error, "NX001");
}

/**
 * Whether the primary may have a better result than the error of a read from a replica: another one than a refusal or a
 * statement that takes too long. A row that is not found, or the account, may not have arrived yet.
 */
export function isWorthThePrimary(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  if (error.status < 500) return error.status === 404 || error.code === "auth.unknown_account";
  return error.code !== "service.query_timeout";
}

/** Whether a prepared statement is no longer valid: its session lost it, or the type of its result has changed. */
export function isStaleStatement(error: unknown): boolean {
  if (hasSqlState(error, "26000")) return true;
  return hasSqlState(error, "0A000") && error.routine === "RevalidateCachedQuery";
}

function hasSqlState(error: unknown, sqlState: string): error is CodedError {
  return isCoded(error) && error.code === sqlState;
}

function isCoded(error: unknown): error is CodedError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** The error if the database cannot be used now. */
export function unavailable(cause: unknown): AppError {
  return new AppError("service.database_unavailable", { cause, retryAfterSeconds: 5 });
}
