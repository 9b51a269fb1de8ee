import { afterAll } from "vitest";
import { startPayments } from "#local/stand-ins/payments";
import { useFileStore } from "#tests/file-store";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { useModel } from "#tests/models";
import { usePush } from "../notifications/notifying.ts";

export const PAYMENT_SECRET = "whsec_of_the_tests_of_access";

/**
 * All vendors, as stand-ins.
 * @param earlier subscriptions that the payment processor has from the start
 */
export async function useVendors(earlier: Parameters<typeof startPayments>[0]["earlier"] = []) {
  const push = await usePush();
  const model = await useModel();
  const mail = await useMail();
  const payments = await startPayments({ webhookSecret: PAYMENT_SECRET, earlier });
  afterAll(() => payments.stop());
  return {
    push,
    model,
    mail,
    environment: {
      ...(await useFileStore()),
      ...model.environment,
      ...mail.environment,
      STRIPE_SECRET_KEY: "sk_test_tests",
      STRIPE_BASE_URL: payments.url,
      STRIPE_WEBHOOK_SECRET: PAYMENT_SECRET,
      EMAIL_WEBHOOK_SECRET: MAIL_SECRET,
      EMAIL_UNSUBSCRIBE_SECRET: "a-secret-of-the-links-in-all-mails",
      PUBLIC_URL: "https://api.nectar.test",
      ...push.environment,
    },
  };
}
