import { useFileStore } from "../../support/file-store.ts";
import { useMail } from "../../support/mail.ts";
import { useModel } from "../../support/models.ts";
import { usePush } from "../notifications/notifying.ts";

/** All vendors, as stand-ins. A call to the payment processor would end with 500: nothing listens there. */
export async function useVendors() {
  const push = await usePush();
  return {
    push,
    environment: {
      ...(await useFileStore()),
      ...(await useModel()).environment,
      ...(await useMail()).environment,
      STRIPE_SECRET_KEY: "sk_test_tests",
      STRIPE_BASE_URL: "http://127.0.0.1:9",
      ...push.environment,
    },
  };
}
