import type { Services } from "#http/services/services";

/**
 * Stores the configured recipient policy where the database reads it, so that no request can choose one. Once per process
 * is enough, because the policy only changes with a deployment.
 */
export function storedPolicy({ config, database }: Pick<Services, "config" | "database">): () => Promise<void> {
  const policy = config.emailRecipientPolicy;
  const store = async () => {
    await database.asService((tx) =>
      tx
        .updateTable("private.email_policy")
        .set({ recipient_policy: policy })
        .where("recipient_policy", "<>", policy)
        .execute(),
    );
  };
  let stored: Promise<void> | undefined;
  return () => {
    stored ??= store().catch((error: unknown) => {
      stored = undefined;
      throw error;
    });
    return stored;
  };
}
