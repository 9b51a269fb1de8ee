import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

export async function visitHealth({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readHealth");
  await call("readReadiness");
  await call("readJobsHealth");
  await call("verifyToken", { body: { token }, shownBody: { token: "<access token>" } });
}

export async function visitAdmin({ call, person }: Stop): Promise<void> {
  const [admin, demo, hana] = [await person("admin"), await person("demo"), await person("hana")];
  const { token } = admin;
  await call("listConversionRates", { token });
  await call("createConversionRate", { token, body: { rate: 1000 } });
  await call("listUsers", { token, query: { is_ai: "false" } });
  await call("listReceivedEmails", { token });
  await call("updateUserRole", { token, params: { id: hana.id }, body: { role: "admin" } });
  await call("adjustDrops", {
    token,
    body: { user_id: demo.id, amount: 20, description: "Thanks for the report about the tram" },
  });
  const { token: buyer } = demo;
  const purchases = await call("listDropTransactions", { token: buyer, query: { type: "purchase" } });
  await call("refundPurchase", {
    token,
    body: { transaction_id: textAt(purchases, "transactions.1.id"), description: "Bought by mistake" },
  });
  await call("reconcileDrops", { token });
  await call("listJobs", { token });
  await call("listAuditEvents", { token, query: { actor_id: admin.id } });
}

export async function visitJobs({ call }: Stop): Promise<void> {
  for (const id of [
    "runHousekeeping",
    "resumeExports",
    "runMonthlyDrops",
    "runDropsReconciliation",
    "runPushDelivery",
    "runJournalReminders",
    "runErasures",
    "fetchReceivedEmails",
    "continueImports",
    "runShares",
    "runEngagement",
    "runLeaderboardCount",
    "runDailyAssistantDrops",
    "runRematch",
    "runSyntheticCheckIns",
    "runEndOfDay",
    "runCheckInReminders",
    "runMosaics",
    "runBattle",
    "runWeeklyStats",
    "runNoteAnalysis",
  ]) {
    await call(id);
  }
}
