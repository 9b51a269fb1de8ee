import { afterAll } from "vitest";
import { startPayments } from "#local/stand-ins/payments";
import { useFileStore } from "#tests/file-store";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { useModel } from "#tests/models";
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
