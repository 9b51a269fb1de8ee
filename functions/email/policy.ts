import type { Services } from "@nectar/http/services";

/**
 * Stores the configured recipient policy where the database reads it, so that a person's request cannot choose one. Once
 * for each process is enough: a policy changes with a deployment.
 */
export function storedPolicy({ config, database }: Pick<Services, "config" | "database">): () => Promise<void> {
  let stored: Promise<void> | undefined;
  return () => {
    stored ??= store(database, config.emailRecipientPolicy).catch((error: unknown) => {
      stored = undefined;
      throw error;
    });
    return stored;
  };
}

async function store(
  database: Services["database"],
  policy: Services["config"]["emailRecipientPolicy"],
): Promise<void> {
  await database.asService((tx) =>
    tx
      .updateTable("private.email_policy")
      .set({ recipient_policy: policy })
      .where("recipient_policy", "<>", policy)
      .execute(),
  );
}
