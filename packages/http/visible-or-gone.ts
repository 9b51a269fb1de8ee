import { AppError, type ErrorCode } from "@nectar/core/errors";

/**
 * The error for a row that the caller could not change: 403 when it is visible to them, 404 when it is not, so that
 * nobody learns of what is hidden.
 */
export function notYours(visible: boolean, noun: { name: string; missing: ErrorCode; foreign: ErrorCode }): AppError {
  return visible
    ? new AppError(noun.foreign, `This ${noun.name} belongs to somebody else.`)
    : new AppError(noun.missing, `There is no such ${noun.name}.`);
}
