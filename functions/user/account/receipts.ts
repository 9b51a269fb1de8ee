import { utcDate } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { BudgetedWork } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import type { EmailProvider } from "#providers/email";

interface Receipt {
  /** Also the id of the mail. */
  readonly id: string;
  readonly address: string;
  readonly erased_at: string;
}

const SUBJECT = "Your Nectar account is erased";

/**
 * Mails the receipts of erased accounts, and deletes their addresses. A mail is tried again for 23 hours: as long as the
 * provider recognizes its id and sends it only once.
 */
export async function sendReceipts(
  { email: provider, clock }: Pick<Services, "email" | "clock">,
  { transaction, outOfTime }: Pick<BudgetedWork, "transaction" | "outOfTime">,
): Promise<{ receipts: number; receipts_failed: number }> {
  const counts = { receipts: 0, receipts_failed: 0 };
  const isProviderKnown = provider !== null;
  for (;;) {
    const receipt = await transaction((tx) => claimReceipt(tx, isProviderKnown, clock.now()));
    if (receipt === undefined || provider === null) break;
    if (await wasSent(provider, receipt)) {
      await transaction((tx) => deleteReceipt(tx, receipt));
      counts.receipts += 1;
    } else {
      counts.receipts_failed += 1;
    }
    if (outOfTime()) break;
  }
  return counts;
}

async function claimReceipt(tx: Tx, isProviderKnown: boolean, now: Date): Promise<Receipt | undefined> {
  return (await call(tx, "claim_erasure_receipt", { canSend: isProviderKnown, moment: now })).at(0);
}

async function wasSent(provider: EmailProvider, { id, address, erased_at }: Receipt): Promise<boolean> {
  const text = `Hello,

your Nectar account and everything in it were erased on ${utcDate(new Date(erased_at))} (UTC), as you asked. Your files are removed within a few hours.

This address was kept only to send you this message, and is deleted now.
`;
  try {
    await provider.send({ to: address, replyTo: null, subject: SUBJECT, html: null, text, messageId: id });
    return true;
  } catch {
    // The next run tries again. The provider's message could quote the address.
    return false;
  }
}

async function deleteReceipt(tx: Tx, { id }: Receipt): Promise<void> {
  await tx.deleteFrom("private.erasure_receipts").where("id", "=", id).execute();
}
