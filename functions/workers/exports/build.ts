import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import { loggedTransactionOf } from "#http/access/access";
import { type RenewedClaim, TAKEN_OVER, whileClaimed } from "#http/jobs/claims";
import { withinBudget } from "#http/jobs/jobs";
import { wake, wakePushes } from "#http/jobs/wake";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { exportArchive } from "./archive.ts";
import type { Source } from "./content.ts";
import { CONTENTS } from "./contents.ts";

/** An export fails after so many attempts. */
const MAX_ATTEMPTS = 5;

/** The export or its account is gone, it has to be built again, or another process builds it. */
class ClaimEnded extends Error {}

/**
 * Builds an export from its beginning to its end, unless another process does. A job tries again after a failure.
 * @throws Error if the database or a store failed, or if the time was up
 */
export async function buildExport(services: Services, id: string, budgetMs: number): Promise<{ status: string }> {
  const status = await whileClaimed(services, { kind: "export", key: id }, (claim) => build(claim, id, budgetMs));
  if (status === "begun again") await wake(services, { name: "export", id });
  return { status: status ?? "being built" };
}

async function build(claimed: RenewedClaim, id: string, budgetMs: number): Promise<string> {
  const { services, attempts, claim, renew } = claimed;
  const { transaction, msLeft } = withinBudget(services, budgetMs);
  const pending = await transaction((tx) =>
    tx
      .selectFrom("exports")
      .select(["user_id", "file_key", "created_at"])
      .where("id", "=", id)
      .where("status", "=", "pending")
      .executeTakeFirst(),
  );
  if (pending === undefined) return "not pending";
  const end = (file: { size?: number; sha256?: string }) =>
    transaction((tx) => call(tx, "end_export", { id, claim, ...file }));
  if (attempts > MAX_ATTEMPTS) return (await end({})) ? "failed" : "begun again";
  const files = configured(services.privateFiles);
  // Parts of an attempt whose process died.
  await files.abortUploads(pending.file_key);
  const digest = createHash("sha256");
  let size = 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of exportArchive(CONTENTS, sourceOf(services, pending))) {
      if (services.stopping.reason === TAKEN_OVER) throw new ClaimEnded();
      if (msLeft() === 0) throw new Error("The time was up.");
      digest.update(piece);
      size += piece.length;
      yield piece;
    }
    if (!(await renew())) throw new ClaimEnded();
  };
  try {
    await files.uploadStream(pending.file_key, pieces(), "application/zip");
  } catch (error) {
    if (error instanceof ClaimEnded) return "begun again";
    if (error instanceof AppError && error.code === "auth.unknown_account") return "not pending";
    throw error;
  }
  const sha256 = digest.digest("hex");
  if (!(await end({ size, sha256 }))) return "begun again";
  await wakePushes(services);
  return "ready";
}

function sourceOf(services: Services, { user_id, created_at }: { user_id: string; created_at: string }): Source {
  return {
    userId: user_id,
    services,
    generatedAt: created_at,
    read: (work) => loggedTransactionOf(services.database, user_id, work, "read in the background"),
  };
}
