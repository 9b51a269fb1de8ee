import { createHash } from "node:crypto";
import { AppError } from "#core/errors";
import { maybeOne, value } from "#database/query";
import { loggedTransactionOf } from "#http/access/access";
import { whileLocked, withinBudget } from "#http/jobs/jobs";
import { wake, wakePushes } from "#http/jobs/wake";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { exportArchive } from "./archive.ts";
import type { Source } from "./content.ts";
import { CONTENTS } from "./contents.ts";

/** An export fails after so many attempts. */
const MAX_ATTEMPTS = 5;

/** A pending export that is being built. */
interface Claimed {
  readonly id: string;
  readonly user_id: string;
  readonly key: string;
  readonly created_at: string;
  /** Another one after an erasure, or once another process builds the export. */
  readonly claim: string;
}

/** The export or its account is gone, it has to be built again, or another process builds it. */
class ClaimEnded extends Error {}

/**
 * Builds an export from its beginning to its end, unless another process does. A job tries again after a failure.
 * @throws Error if the database or a store failed, or if the time was up
 */
export async function buildExport(services: Services, id: string, budgetMs: number): Promise<{ status: string }> {
  const status = await whileLocked(services, { name: "export", key: id }, () => build(services, id, budgetMs));
  if (status === "begun again") await wake(services, { name: "export", id });
  return { status: status ?? "being built" };
}

async function build(services: Services, id: string, budgetMs: number): Promise<string> {
  const { transaction, msLeft } = withinBudget(services, budgetMs);
  const claimed = await transaction(
    (tx) => value<Claimed | null>(tx)`select private.claim_export(${id}, ${MAX_ATTEMPTS})`,
  );
  if (claimed === null) return "not pending";
  const files = configured(services.privateFiles);
  // Parts of an attempt whose process died.
  await files.abortUploads(claimed.key);
  const digest = createHash("sha256");
  let size = 0;
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of exportArchive(CONTENTS, sourceOf(services, claimed))) {
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
  const isFinished = await transaction(
    (tx) => value<boolean>(tx)`select private.finish_export(${id}, ${claimed.claim}, ${size}, ${digest.digest("hex")})`,
  );
  if (!isFinished) return "begun again";
  await wakePushes(services);
  return "ready";
}

function sourceOf(services: Services, { user_id, created_at }: Claimed): Source {
  return {
    userId: user_id,
    services,
    generatedAt: created_at,
    read: (work) => loggedTransactionOf(services.database, user_id, work, "read in the background"),
  };
}
