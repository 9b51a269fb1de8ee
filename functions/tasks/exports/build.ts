import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { call, type Row } from "#database/call";
import { maybeOne } from "#database/query";
import { loggedTransactionOf } from "#http/access/access";
import { withinBudget } from "#http/jobs/jobs";
import { TAKEN_OVER, whileLeased } from "#http/jobs/leases";
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
  const status = await whileLeased(services, { name: "export", key: id }, (lease) =>
    build(lease.services, id, budgetMs),
  );
  if (status === "begun again") await wake(services, { name: "export", id });
  return { status: status ?? "being built" };
}

async function build(services: Services, id: string, budgetMs: number): Promise<string> {
  const { transaction, msLeft } = withinBudget(services, budgetMs);
  const [claimed] = await transaction((tx) => call(tx, "claim_export", { id, maxAttempts: MAX_ATTEMPTS }));
  if (claimed === undefined) return "not pending";
  const files = configured(services.privateFiles);
  // Parts of an attempt whose process died.
  await files.abortUploads(claimed.key);
  const digest = createHash("sha256");
  let size = 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of exportArchive(CONTENTS, sourceOf(services, claimed))) {
      if (services.stopping.reason === TAKEN_OVER) throw new ClaimEnded();
      if (msLeft() === 0) throw new Error("The time was up.");
      digest.update(piece);
      size += piece.length;
      yield piece;
    }
    const current = await transaction(
      (tx) => maybeOne(tx)`select id from exports where id = ${id} and claim = ${claimed.claim}`,
    );
    if (current === undefined) throw new ClaimEnded();
  };
  try {
    await files.uploadStream(claimed.key, pieces(), "application/zip");
  } catch (error) {
    if (error instanceof ClaimEnded) return "begun again";
    if (error instanceof AppError && error.code === "auth.unknown_account") return "not pending";
    throw error;
  }
  const sha256 = digest.digest("hex");
  const isFinished = await transaction((tx) => call(tx, "finish_export", { id, claim: claimed.claim, size, sha256 }));
  if (!isFinished) return "begun again";
  await wakePushes(services);
  return "ready";
}

function sourceOf(services: Services, { user_id, created_at }: Row<"claim_export">): Source {
  return {
    userId: user_id,
    services,
    generatedAt: created_at,
    read: (work) => loggedTransactionOf(services.database, user_id, work, "read in the background"),
  };
}
