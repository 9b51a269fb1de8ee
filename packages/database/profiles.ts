import { AppError } from "@nectar/core/errors";
import type { Tx } from "./transaction.ts";

/** Demands that a person exists. @throws AppError 404 */
export async function requireProfile(tx: Tx, userId: string): Promise<void> {
  const profile = await tx.selectFrom("profiles").select("id").where("id", "=", userId).executeTakeFirst();
  if (profile === undefined) throw new AppError("user.not_found", "There is no such user.");
}
