import { createECDH, createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DEMO_SECRETS } from "@nectar/config/demo-secrets";
import { addDays, weekStart } from "@nectar/core/calendar-date";
import { unsubscribeToken } from "@nectar/core/unsubscribe-token";
import { personNamed } from "@nectar/local/demo/data";
import { stableId } from "@nectar/local/demo/rows";
import { stripeSignature, svixHeaders } from "@nectar/local/stand-ins/webhooks";
import { type Person, query, tokenFor } from "../support/people.ts";
import { cameraTime, jpegWith } from "../support/photos.ts";
import { zipOf } from "../support/zip.ts";
import { type Recorder, textAt } from "./recorder.ts";

/** What the tour needs besides the API. */
interface TourOptions {
  /** Superuser connection URL of the database. */
  readonly adminUrl: string;
  readonly jwtSecret: string;
  /** Where devices subscribe. */
  readonly pushUrl: string;
  readonly paymentSecret: string;
  readonly mailSecret: string;
}

interface Stop {
  readonly call: Recorder["call"];
  readonly options: TourOptions;
  readonly person: (name: string) => Promise<Person>;
  readonly today: string;
}

/**
 * Calls every operation as the people of the demo data would. Each group is visited by itself: where a call fails, the
 * problem is printed and the next group goes on.
 */
export async function takeTour({ call }: Recorder, options: TourOptions): Promise<void> {
  const people = new Map<string, Promise<Person>>();
  const stop: Stop = {
    call,
    options,
    today: new Date().toISOString().slice(0, 10),
    person: (name) => {
      const person = people.get(name) ?? signIn(name, options);
      people.set(name, person);
      return person;
    },
  };
  const visits = [
    visitHealth,
    visitUser,
    visitUsers,
    visitOrganizations,
    visitInvitations,
    visitTeams,
    visitNotebooks,
    visitJournal,
    visitImports,
    visitPictures,
    visitGoals,
    visitNotifications,
    visitSafety,
    visitEmail,
    visitDrops,
    visitAdmin,
    visitTonePacks,
    visitPayment,
    visitEncouragement,
    visitDropTemplates,
    visitBadges,
    visitGame,
    visitCheckIns,
    visitSyntheticUsers,
    visitJobs,
    visitAssistant,
  ];
  for (const visit of visits) {
    await visit(stop).catch((error: unknown) => console.error(`${visit.name}:`, error));
  }
}

async function signIn(name: string, { adminUrl, jwtSecret }: TourOptions): Promise<Person> {
  const { email } = personNamed(name);
  const id = textAt(await query(adminUrl, "select id from auth.users where email = $1", [email]), "0.id");
  return { id, email, token: await tokenFor({ sub: id, email }, { secret: jwtSecret }) };
}

async function visitHealth({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readHealth");
  await call("readReadiness");
  await call("readJobsHealth");
  await call("verifyToken", { body: { token }, shownBody: { token: "<access token>" } });
}

async function visitUser({ call, options, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readProfile", { token });
  await call("updateProfile", {
    token,
    body: { full_name: "Robin Vale", preferences: { theme: "dark", notifications: true } },
  });
  await call("readUsage", { token });
  await call("readAccessLog", { token });
  await call("listAiUses", { token, query: { limit: "3" } });
  await call("readErasure", { token });
  await call("deleteAccount", { token, body: { confirm: "DELETE", when: "scheduled" } });
  await call("restoreAccount", { token });
  const asked = await call("createExport", { token });
  const params = { id: textAt(asked, "export.id") };
  const isPending = () => query(options.adminUrl, "select from nectar.exports where status = 'pending'");
  while ((await isPending()).length > 0) await pause(100);
  await call("listExports", { token });
  await call("readExport", { token, params });
  await call("deleteExport", { token, params });
}

async function visitUsers({ call, person }: Stop): Promise<void> {
  const [{ token }, hana] = [await person("demo"), await person("hana")];
  await call("findUsers", { token, query: { q: "her" } });
  await call("readUser", { token, params: { id: hana.id } });
}

async function visitOrganizations({ call, person }: Stop): Promise<void> {
  const [{ token }, maya, hana, jonas] = [
    await person("demo"),
    await person("maya"),
    await person("hana"),
    await person("jonas"),
  ];
  await call("listOrganizations", { token });
  const created = await call("createOrganization", {
    token,
    body: { name: "Tuesday Readers", description: "One chapter a week, read on the tram." },
  });
  const id = textAt(created, "organization.id");
  await call("readOrganization", { token, params: { id } });
  await call("updateOrganization", { token, params: { id }, body: { description: "One chapter a week." } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: hana.id, role: "member" } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: maya.id, role: "admin" } });
  await call("addOrganizationMember", { token, params: { id }, body: { user_id: jonas.id } });
  await call("acceptOrganizationMembership", { token: maya.token, params: { id } });
  await call("acceptOrganizationMembership", { token: hana.token, params: { id } });
  await call("listOrganizationMembers", { token, params: { id } });
  await call("updateOrganizationMember", { token, params: { id, userId: hana.id }, body: { role: "admin" } });
  await call("removeOrganizationMember", { token, params: { id, userId: jonas.id } });
  await call("transferOrganization", { token, params: { id }, body: { new_owner_id: maya.id } });
  await call("deleteOrganization", { token: maya.token, params: { id } });
}

async function visitInvitations({ call, person }: Stop): Promise<void> {
  const [{ token }, sam, hana] = [await person("maya"), await person("sam"), await person("hana")];
  const id = stableId("organization harbor-street");
  const invite = (email: string) =>
    call("createInvitation", { token, params: { id }, body: { email, team_ids: [stableId("team product-crew")] } });
  const created = await invite(sam.email);
  await call("listInvitations", { token, params: { id } });
  await call("listReceivedInvitations", { token: sam.token });
  await call("previewInvitation", {
    token: sam.token,
    body: { token: textAt(created, "invitation.token") },
    shownBody: { token: "<the token>" },
  });
  await call("acceptInvitation", { token: sam.token, body: { invitation_id: textAt(created, "invitation.id") } });
  const declined = await invite(hana.email);
  const invitationId = textAt(declined, "invitation.id");
  await call("declineInvitation", { token: hana.token, body: { invitation_id: invitationId } });
  await call("deleteInvitation", { token, params: { id, invitationId } });
}

async function visitTeams({ call, person }: Stop): Promise<void> {
  const [{ token }, jonas] = [await person("maya"), await person("jonas")];
  await call("listTeams", { token });
  const org_id = stableId("organization harbor-street");
  const created = await call("createTeam", {
    token,
    body: { name: "Ferry Launch", org_id, description: "Until the app is in the stores." },
  });
  const id = textAt(created, "team.id");
  await call("readTeam", { token, params: { id } });
  await call("updateTeam", { token, params: { id }, body: { name: "Ferry Launch Crew" } });
  await call("addTeamMember", { token, params: { id }, body: { user_id: jonas.id, role: "member" } });
  await call("listTeamMembers", { token, params: { id } });
  const sent = await call("sendTeamMessage", {
    token: jonas.token,
    params: { id },
    body: { content: "The stores have the build. Fingers crossed." },
  });
  await call("listTeamMessages", { token, params: { id } });
  await call("deleteTeamMessage", { token, params: { id, messageId: textAt(sent, "team_message.id") } });
  await call("updateTeamMember", { token, params: { id, userId: jonas.id }, body: { role: "admin" } });
  await call("removeTeamMember", { token, params: { id, userId: jonas.id } });
  await call("deleteTeam", { token, params: { id } });
}

async function visitNotebooks({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listNotebooks", { token });
  await call("listNotebookEntries", { token, params: { id: stableId("notebook robin-running") } });
  const created = await call("createNotebook", {
    token,
    body: { name: "Kitchen table", description: "Questions for my father.", content_visibility: "user" },
  });
  const id = textAt(created, "notebook.id");
  await call("readNotebook", { token, params: { id } });
  await call("previewNotebookAudience", {
    token,
    params: { id: stableId("notebook robin-running") },
    body: { metadata_visibility: "user" },
  });
  await call("updateNotebook", { token, params: { id }, body: { name: "At the kitchen table" } });
  await call("deleteNotebook", { token, params: { id } });
}

async function visitJournal({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listJournalEntries", { token });
  await call("listJournalTags", { token });
  await call("listJournalEntriesOnThisDay", { token });
  await call("readJournalStats", { token });
  await call("drawMoodCalendar", { token });
  await call("listMoods", { token });
  const created = await call("createJournalEntry", {
    token,
    body: {
      title: "Eleven kilometres, talking",
      content: "The calf was quiet. We were not.",
      mood: "joyful",
      tags: ["running", "friends"],
    },
  });
  const id = textAt(created, "entry.id");
  await call("readJournalEntry", { token, params: { id } });
  await call("updateJournalEntry", { token, params: { id }, body: { mood: "grateful" } });
  const sharing = {
    metadata_visibility: "org",
    content_visibility: "user",
    org_id: stableId("organization harbor-street"),
  };
  await call("previewJournalEntryAudience", { token, body: { entry_id: id, ...sharing } });
  await call("updateJournalEntry", { token, params: { id }, body: sharing });
  await call("readJournalEntryAudience", { token, params: { id } });
  await call("readJournalEntryAudienceMember", { token, params: { id, userId: (await person("maya")).id } });
  await call("deleteJournalEntry", { token, params: { id } });
  await call("listTrash", { token });
  await call("restoreJournalEntry", { token, params: { id } });
  await call("deleteJournalEntry", { token, params: { id } });
  await call("deleteTrashedEntry", { token, params: { id } });
}

async function visitImports({ call, person, options }: Stop): Promise<void> {
  const { token } = await person("demo");
  const archive = zipOf([
    { path: "2019-06-02 The lake.md", content: "---\ntags: [swimming]\nmood: calm\n---\nCold, and very clear." },
    { path: "2019-06-03.md", content: " " },
  ]);
  const created = await call("createImport", { token, body: { source: "markdown", size: archive.length } });
  const headers = { "content-type": "application/zip" };
  await fetch(textAt(created, "import.upload_url"), { method: "PUT", body: archive, headers });
  const id = textAt(created, "import.id");
  await call("startImport", { token, params: { id }, body: { dry_run: true } });
  const running = () => query(options.adminUrl, "select from nectar.journal_imports where status = 'running'");
  while ((await running()).length > 0) await pause(100);
  await call("readImport", { token, params: { id } });
}

async function visitPictures({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  const content = "The first cold morning. Tea, and the window open all the same.";
  await call("analyzeTone", { token, body: { title: "November", content } });
  await call("generateBackground", { token, body: { title: "November", content, mood: "calm" } });
  await call("listBackgrounds", { token });
}

async function visitGoals({ call, person, today }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listGoals", { token });
  const created = await call("createGoal", {
    token,
    body: { title: "Swim twice a week", description: "The indoor pool counts.", target_date: addDays(today, 60) },
  });
  const id = textAt(created, "goal.id");
  await call("createGoalCheckIn", { token, params: { id }, body: { status: "completed", notes: "Twenty lengths." } });
  await call("readGoal", { token, params: { id } });
  await call("listGoalCheckIns", { token, params: { id } });
  await call("updateGoal", { token, params: { id }, body: { status: "paused" } });
  await call("deleteGoal", { token, params: { id } });
  await call("listWellnessEntries", { token });
  await call("createWellnessEntry", { token, body: { type: "sleep", hours: 7.5, quality: 4, notes: "One dream." } });
}

async function visitNotifications({ call, person, options }: Stop): Promise<void> {
  const { token } = await person("demo");
  const listed = await call("listNotifications", { token });
  await call("markNotificationRead", { token, params: { id: textAt(listed, "notifications.0.id") } });
  await call("markAllNotificationsRead", { token });
  await call("readNotificationSettings", { token });
  await call("updateNotificationSettings", {
    token,
    body: {
      push: { badge_earned: false, team_message: true },
      quiet_hours: { start: "22:00", end: "07:00" },
      journal_reminder: { time: "20:30", weekdays: [1, 2, 3, 4, 5], only_if_not_written: true },
    },
  });
  await call("readPushKey", { token });
  // The keys of a device, the same in every recording.
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(createHash("sha256").update("device of the examples").digest());
  const endpoint = `${options.pushUrl}/push/${stableId("device of the examples")}`;
  const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: Buffer.alloc(16, "example").toString("base64url") };
  await call("createPushSubscription", { token, body: { endpoint, keys } });
  await call("deletePushSubscription", { token, body: { endpoint } });
}

async function visitSafety({ call, person }: Stop): Promise<void> {
  const [{ token }, jonas] = [await person("demo"), await person("jonas")];
  await call("createBlock", { token, body: { user_id: jonas.id } });
  await call("listBlocks", { token });
  await call("deleteBlock", { token, params: { userId: jonas.id } });
  const report = await call("createReport", {
    token,
    body: {
      target_type: "user",
      target_id: jonas.id,
      reason: "impersonation",
      details: "This is not the Jonas I know.",
    },
  });
  await call("listReports", { token });
  const { token: admin } = await person("admin");
  await call("listReceivedReports", { token: admin, query: { status: "open" } });
  const decided = await call("decideReport", {
    token: admin,
    params: { id: textAt(report, "report.id") },
    body: { decision: "warn", reason: "Please use your own name, so that others know who you are." },
  });
  const appeal = await call("createAppeal", {
    token: jonas.token,
    params: { id: textAt(decided, "decision.id") },
    body: { reason: "Jonas is my own name; there are two of us." },
  });
  await call("listReceivedAppeals", { token: admin, query: { status: "open" } });
  await call("decideAppeal", {
    token: admin,
    params: { id: textAt(appeal, "appeal.id") },
    body: { decision: "reverse", answer: "You are right, and we took the warning back." },
  });
  await call("listModerationDecisions", { token: jonas.token });
}

async function visitEmail({ call, person, options }: Stop): Promise<void> {
  const [{ token }, maya] = [await person("demo"), await person("maya")];
  const sent = await call("sendEmail", {
    token,
    body: { to: maya.email, subject: "The ferry app", text: "The new build is ready to try." },
  });
  const listed = await call("listEmailMessages", { token });
  await call("readEmailMessage", { token, params: { id: textAt(listed, "messages.0.id") } });
  const event = {
    type: "email.delivered",
    created_at: new Date().toISOString(),
    data: { email_id: textAt(sent, "message_id"), to: [maya.email], subject: "The ferry app" },
  };
  const headers = svixHeaders(JSON.stringify(event), options.mailSecret);
  await call("receiveEmailEvent", { body: event, headers });
  const query = { token: unsubscribeToken(maya.email, DEMO_SECRETS.EMAIL_UNSUBSCRIBE_SECRET) };
  await call("readUnsubscribePage", { query });
  await call("unsubscribeEmail", { query });
  await call("deleteEmailSuppression", { token: maya.token });
}

async function visitDrops({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readDropsBalance", { token });
  await call("listDropTransactions", { token });
  await call("awardMonthlyDrops", { token });
}

async function visitAdmin({ call, person }: Stop): Promise<void> {
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

async function visitTonePacks({ call, person }: Stop): Promise<void> {
  const [{ token }, hana] = [await person("demo"), await person("hana")];
  await call("listTonePacks", { token });
  await call("readActiveTonePack", { token, query: { mood: "joyful" } });
  const created = await call("createTonePack", {
    token,
    body: { name: "Tram Windows", description: "Rain, from the inside.", theme: "minimalist", price_drops: 10 },
  });
  const id = textAt(created, "tone_pack.id");
  await call("generateTonePackImages", { token, params: { id }, body: { tones: ["calm"] } });
  await call("readTonePack", { token, params: { id } });
  await call("updateTonePack", { token, params: { id }, body: { is_public: true } });
  await call("shareTonePack", { token, params: { id }, body: { user_id: hana.id } });
  await call("unshareTonePack", { token, params: { id, userId: hana.id } });
  await call("purchaseTonePack", { token: hana.token, params: { id }, body: { expected_price_drops: 10 } });
  await call("activateTonePack", { token: hana.token, params: { id } });
  await call("deleteTonePack", { token, params: { id } });
}

async function visitPayment({ call, person, options }: Stop): Promise<void> {
  const [{ token, id }, maya] = [await person("demo"), await person("maya")];
  await call("readSubscription", { token: maya.token });
  await call("createCheckoutSession", {
    token,
    body: {
      priceId: "price_premium_monthly",
      successUrl: "https://app.example.test/welcome",
      cancelUrl: "https://app.example.test/plans",
    },
  });
  await call("createPortalSession", { token: maya.token, body: { returnUrl: "https://app.example.test/settings" } });
  const event = {
    id: "evt_example",
    type: "customer.subscription.updated",
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: "sub_example", customer: "cus_example", status: "active", metadata: { user_id: id } } },
  };
  const signature = stripeSignature(JSON.stringify(event), options.paymentSecret);
  await call("receivePaymentEvent", { body: event, headers: { "stripe-signature": signature } });
}

async function visitEncouragement({ call, person }: Stop): Promise<void> {
  const [{ token }, leila] = [await person("demo"), await person("leila")];
  await call("readDropAllowance", { token });
  await call("listDropTemplates", { token });
  await call("sendEncouragementDrop", {
    token,
    body: { recipient_id: leila.id, drop_type: "encouragement", content: "One comment a day is a pace." },
  });
  const received = await call("listReceivedDrops", { token });
  await call("listSentDrops", { token });
  await call("markDropRead", { token, params: { id: textAt(received, "drops.0.id") } });
  await call("readDropConfig", { token });
}

async function visitDropTemplates({ call, person }: Stop): Promise<void> {
  const { token } = await person("admin");
  await call("listAllDropTemplates", { token });
  const created = await call("createDropTemplate", {
    token,
    body: { type: "encouragement", title: "Small steps", content: "A small step is a step.", is_approved: true },
  });
  const id = textAt(created, "template.id");
  await call("updateDropTemplate", { token, params: { id }, body: { title: "A small step" } });
  await call("deleteDropTemplate", { token, params: { id } });
  await call("readDropConfigAsAdmin", { token });
  await call("updateDropConfig", { token, body: { daily_allowance: 5 } });
  await call("processEngagement", { token });
}

async function visitBadges({ call, person }: Stop): Promise<void> {
  const [{ token }, leila, priya] = [await person("demo"), await person("leila"), await person("priya")];
  await call("updateBadge", { token });
  await call("readBadge", { token });
  await call("listBadgeMilestones", { token });
  await call("readBadgeOfUser", { token, params: { userId: leila.id } });
  await call("readBadges", { token, body: { user_ids: [leila.id, priya.id] } });
  await call("readLeaderboard", { token });
  await call("listBadgeDefinitions", { token });
}

async function visitGame({ call, person, today }: Stop): Promise<void> {
  const [{ token }, admin] = [await person("demo"), await person("admin")];
  const yesterday = addDays(today, -1);
  await call("readWorkoutWindow", { token });
  await call("readChain", { token, params: { date: yesterday } });
  await call("readSquad", { token, params: { date: yesterday } });
  const sent = await call("sendSquadMessage", {
    token,
    params: { date: yesterday },
    body: { content: "Done, in the rain. Your turn!" },
  });
  await call("listSquadMessages", { token, params: { date: yesterday } });
  await call("deleteSquadMessage", {
    token,
    params: { date: yesterday, messageId: textAt(sent, "teamMessage.id") },
  });
  await call("readTeamStats", { token, params: { date: yesterday } });
  await call("readWorkoutCheckIn", { token, params: { date: addDays(today, -2) } });
  await call("listWorkoutCheckIns", { token, params: { date: yesterday } });
  await call("readMosaic", { token, params: { date: yesterday } });
  await call("readBattleWeek", { token, params: { weekStartDate: addDays(weekStart(today), -7) } });
  await call("listBattles", { token });
  await call("listWeeklyStats", { token });
  await call("readTeamsOfDate", { token: admin.token, params: { date: yesterday } });
  await call("generateChains", { token: admin.token, body: { date: today } });
  await call("runChainGeneration", { body: { date: today } });
  await call("generateMosaic", { token: admin.token, params: { date: yesterday } });
  await call("executeBattle", { token: admin.token, params: { weekStartDate: addDays(weekStart(today), -7) } });
}

async function visitCheckIns({ call, person }: Stop): Promise<void> {
  const [{ token }, admin] = [await person("hana"), await person("admin")];
  const now = new Date();
  const hour = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
  await call("setWorkoutWindow", {
    token,
    body: {
      activityType: "walk",
      windowStartTime: hour(now.getUTCHours()),
      windowEndTime: hour(now.getUTCHours() + 2),
      timezone: "UTC",
    },
  });
  await call("updateLocation", { token, body: { city: "Prague", country: "CZ", timezone: "Europe/Prague" } });
  await call("createPhotoUpload", { token, body: { contentType: "image/jpeg", size: 734_003 } });
  const photo = await jpegWith({ taken: cameraTime(now.toISOString()), offset: "+00:00" });
  const form = new FormData();
  form.set("photo", new Blob([new Uint8Array(photo)]), "walk.jpg");
  form.set("activityType", "walk");
  await call("createWorkoutCheckIn", { token, body: form, shownBody: { activityType: "walk" } });
  await call("setPlayerActive", { token, body: { isActive: false } });
  const pending = await call("listCheckInsForReview", { token: admin.token, query: { status: "pending" } });
  await call("reviewCheckIn", {
    token: admin.token,
    params: { id: textAt(pending, "checkins.0.id") },
    body: { status: "verified", reason: "The trail is far away, and so was she." },
  });
}

async function visitSyntheticUsers({ call, person }: Stop): Promise<void> {
  const { token } = await person("admin");
  await call("generateSyntheticUsers", {
    token,
    body: { count: 2, config: { regions: { "East Coast": 0.5, "West Coast": 0.5 }, seed: "example" } },
  });
  const listed = await call("listSyntheticUsers", { token });
  const id = textAt(listed, "users.0.id");
  await call("toggleSyntheticUser", { token, params: { id }, body: { isActive: false } });
  await call("deleteSyntheticUser", { token, params: { id } });
}

async function visitJobs({ call }: Stop): Promise<void> {
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
    "runEngagement",
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

async function visitAssistant({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readAssistantSettings", { token });
  await call("updateAssistantSettings", { token, body: { read_notes_enabled: true, check_in_enabled: true } });
  await call("readNoteAnalysis", { token });
  await call("listAnalysisSources", { token });
  await call("deleteNoteAnalyses", { token });
}
