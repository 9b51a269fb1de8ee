import { filesFolder } from "../database/data-folder.ts";
import { demoAccounts, demoPhone, money } from "../demo/data.ts";
import { demoMailbox } from "../demo/mails.ts";
import { type Environment, type LocalSettings, localAppUrl } from "../settings/local-settings.ts";
import { startFileStore } from "../stand-ins/file-store.ts";
import { RESEND_REQUESTS_PER_SECOND, startMail } from "../stand-ins/mail.ts";
import { startModel } from "../stand-ins/model.ts";
import { startPayments } from "../stand-ins/payments.ts";
import { startPush } from "../stand-ins/push.ts";
import {
  isStoodIn,
  LOCAL_MAIL_SECRET,
  LOCAL_PAYMENTS_SECRET,
  LOCAL_PUSH_KEYS,
  localVendors,
} from "../stand-ins/vendors.ts";

/**
 * Starts the stand-ins, inside this process, for all vendors that are not configured from outside. Each is added to
 * `shutdown` immediately.
 * @throws StartupProblem if a port is in use
 */
export async function startStandIns(
  settings: LocalSettings,
  outside: Environment,
  shutdown: AsyncDisposableStack,
): Promise<void> {
  const vendors = localVendors(settings);
  if (isStoodIn(vendors.files, outside)) {
    const files = await startFileStore({ port: settings.ports.files, folder: filesFolder(settings.dataFolder) });
    shutdown.defer(files.stop);
  }
  if (isStoodIn(vendors.model, outside)) {
    shutdown.defer((await startModel({ port: settings.ports.model })).stop);
  }
  if (isStoodIn(vendors.payments, outside)) {
    const payments = await startPayments({
      port: settings.ports.payments,
      webhookUrl: `http://127.0.0.1:${settings.ports.api}/api/payment/webhook`,
      // The secret that the API verifies events with.
      webhookSecret: outside.STRIPE_WEBHOOK_SECRET || LOCAL_PAYMENTS_SECRET,
      // Subscribers of the demo data can open the portal, too.
      earlier: money.subscriptions.map(({ customerId, subscriptionId, canceledDaysAgo }) => ({
        customerId,
        subscriptionId,
        status: canceledDaysAgo === undefined ? "active" : "canceled",
      })),
    });
    shutdown.defer(payments.stop);
  }
  if (isStoodIn(vendors.mail, outside)) {
    const mail = await startMail({
      port: settings.ports.mail,
      webhookUrl: `http://127.0.0.1:${settings.ports.api}/api/email/webhook`,
      webhookSecret: outside.EMAIL_WEBHOOK_SECRET || LOCAL_MAIL_SECRET,
      requestsPerSecond: RESEND_REQUESTS_PER_SECOND,
    });
    shutdown.defer(mail.stop);
    const api = localAppUrl(settings);
    mail.mails.push(...demoMailbox(new Date(), { app: outside.APP_URL || api, api }));
  }
  if ([vendors.push, vendors.fcm, vendors.apns].some((vendor) => isStoodIn(vendor, outside))) {
    const push = await startPush({
      port: settings.ports.push,
      publicKey: LOCAL_PUSH_KEYS.publicKey,
      api: { url: `http://localhost:${settings.ports.api}`, email: demoAccounts[0].email },
    });
    shutdown.defer(push.stop);
    push.newPhone(demoPhone.service, demoPhone.token);
  }
}
