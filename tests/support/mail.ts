import { afterAll, beforeEach } from "vitest";
import { type MailStandIn, startMail } from "#local/stand-ins/mail";

export const MAIL_SECRET = `whsec_${Buffer.from("mail events of the tests are signed").toString("base64")}`;
export const MAIL_FROM = "Nectar <hello@nectar.test>";

/**
 * The environment of an API that sends through the stand-in, which stops with the test file.
 * @param options how many requests of one second the stand-in answers; all of them when left out
 */
export async function useMail(
  options: { readonly requestsPerSecond?: number } = {},
): Promise<MailStandIn & { environment: Record<string, string> }> {
  const mail = await startMail({ webhookSecret: MAIL_SECRET, ...options });
  afterAll(() => mail.stop());
  beforeEach(() => {
    mail.mode("normal");
    mail.mails.length = 0;
    mail.inbound.length = 0;
  });
  return {
    ...mail,
    environment: { RESEND_API_KEY: "re_tests", RESEND_BASE_URL: mail.url, EMAIL_FROM: MAIL_FROM },
  };
}
