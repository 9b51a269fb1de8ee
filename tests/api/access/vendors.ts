import { startPayments } from "@nectar/local/stand-ins/payments";
import { afterAll } from "vitest";
import { useFileStore } from "../../support/file-store.ts";
import { MAIL_SECRET, useMail } from "../../support/mail.ts";
import { useModel } from "../../support/models.ts";
import { usePush } from "../notifications/notifying.ts";

const PAYMENT_SECRET = "whsec_of_the_tests_of_access";

/** All vendors, as stand-ins. */
export async function useVendors() {
  const push = await usePush();
  const payments = await startPayments({ webhookSecret: PAYMENT_SECRET });
  afterAll(() => payments.stop());
  return {
    push,
    environment: {
      ...(await useFileStore()),
      ...(await useModel()).environment,
      ...(await useMail()).environment,
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
