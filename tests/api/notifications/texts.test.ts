import { beforeAll, expect, test } from "vitest";
import { type NotificationData, notificationText } from "#client/notifications.generated";
import { HAND_BACK_DAYS, KEPT_DAYS } from "#core/retention";
import type { Notification } from "#functions/notifications/schema";
import { useApi } from "#tests/api";
import { callUsualJob } from "#tests/assistant";
import { exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";
import { formSquad } from "#tests/squads";
import { ROOM, sendTo, setCounts } from "../encouragement-drops/sending.ts";
import { CRON_SECRET, GAME, runGameJob } from "../game/chain-scene.ts";
import { checkInsOf } from "../game/photo-scene.ts";
import { appealing } from "../safety/appealing.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({
  environment: {
    ...(await useFileStore()),
    WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET,
    DROPS_CRON_SECRET: SECRET,
    MAINTENANCE_CRON_SECRET: SECRET,
    ASSISTANT_NAME: "Bea",
  },
});
const { checkIn, photoAt, player } = checkInsOf(api);
const moderation = appealing(api);
const ada = beforeTests(() => api.person({ fullName: "Ada Bee" }));
const ben = beforeTests(() => api.person({ fullName: "Ben Elm" }));
const admin = beforeTests(() => api.person({ role: "admin" }));
const deputy = beforeTests(() => api.person({ role: "admin" }));

/** A Wednesday. */
const DATE = "2031-05-14";

const sent: Notification[] = [];

beforeAll(async () => {
  await beReached();
  await beModerated();
  await play();
});

/** Drops, groups and messages, a badge and an export. */
async function beReached(): Promise<void> {
  await sendTo(api, ada, ben).created();
  await sendTo(api, ben, ada).created();
  await setCounts(api, ben, 100, 60);
  await api.post(`${ROOM}/badge/update`, ben).ok();
  await api.post("/api/user/tokens", ben, { name: "Phone", scopes: ["goals:read"] }).created();
  const { teamId } = await foundTeam(api, ada, [ben]);
  await api.post(`/api/teams/${teamId}/messages`, ada, { content: "Hello" }).created();
  for (const statuses of [["skipped"], ["missed", "completed"]]) {
    const shared = { title: "Run", metadata_visibility: "team", team_id: teamId };
    const { goal } = await api.post("/api/goals", ada, shared).created();
    for (const status of statuses) await api.post(`/api/goals/${goal.id}/check-ins`, ada, { status }).created();
  }
  const readable = { metadata_visibility: "team", content_visibility: "team", team_id: teamId };
  const { entry } = await api.post("/api/journal", ada, { title: "Rain", content: "All day", ...readable }).created();
  const { goal } = await api.post("/api/goals", ada, { title: "Walk", ...readable }).created();
  for (const [path, as] of [
    [`/api/journal/${entry.id}/comments`, ben],
    [`/api/journal/${entry.id}/comments`, ada],
    [`/api/goals/${goal.id}/comments`, ben],
    [`/api/goals/${goal.id}/comments`, ben],
  ] as const) {
    await api.post(path, as, { content: "Here too" }).created();
  }
  await formSquad(api, "2031-06-14", [ada, ben]);
  for (const content of ["Hello", "Hello again"]) {
    await api.post("/api/workout-window/squad/2031-06-14/messages", ada, { content }).created();
  }
  const { organization } = await api.post("/api/organizations", ada, { name: "Readers" }).created();
  await api.post(`/api/organizations/${organization.id}/invitations`, ada, { email: ben.email }).created();
  await api.post(`/api/organizations/${organization.id}/members`, ada, { user_id: ben.id }).created();
  await api.post(`/api/organizations/${organization.id}/transfer-ownership`, ada, { new_owner_id: ben.id }).ok();
  await api.post(`/api/organizations/${organization.id}/decline-ownership`, ben).ok();
  await exportOf(api, ben);
}

async function beModerated(): Promise<void> {
  const reported = await moderation.report("entry", await moderation.newEntry(ben), ada);
  const { id } = await moderation.decide(admin, reported, { decision: "warn" });
  const appeal = await moderation.appeal(ben, id);
  await moderation.answer(deputy, appeal.id, "uphold").ok();
  await moderation.decide(admin, await moderation.reportedEntry(ben), { decision: "hide" });
  const suspended = { decision: "suspend", suspend_until: new Date(Date.now() + 3_600_000).toISOString() };
  await moderation.decide(admin, await moderation.report("user", ben.id), suspended);
}

/** A day of three players, of whom the first has a name and the last does not check in, and the end of its week. */
async function play(): Promise<void> {
  const remind = { time: "05:00", weekdays: [1, 2, 3, 4, 5, 6, 7], only_if_not_written: false };
  await api.put("/api/notifications/settings", ada, { journal_reminder: remind }).ok();
  await api.put("/api/chat/settings", ada, { read_notes_enabled: true, check_in_enabled: true }).ok();
  api.at(`${DATE}T01:00:00Z`);
  const [first, second, third] = [await player(6), await player(8), await player(10)];
  await api.put("/api/user/profile", first, { full_name: "Cleo Day" }).ok();
  await api.put("/api/user/profile", second, { full_name: null }).ok();
  api.at(`${DATE}T05:40:00Z`);
  await runGameJob(api, "reminders");
  await callUsualJob(api, "/api/notifications/cron/reminders").ok();
  await callUsualJob(api, `${ROOM}/cron/generate-daily-drops`).ok();
  api.at(`${DATE}T06:20:00Z`);
  const { checkin } = await checkIn(first, await photoAt(`${DATE}T06:19:00Z`)).created();
  api.at(`${DATE}T08:40:00Z`);
  await checkIn(second, await photoAt(`${DATE}T08:39:00Z`)).created();
  for (const status of ["rejected", "verified"]) {
    const review = { status, reason: "It is not what it seemed to be." };
    await api.put(`${GAME}/admin/checkins/${checkin.id}`, admin, review).ok();
  }
  for (const date of ["2031-05-15", "2031-05-16", "2031-05-19"]) {
    api.at(`${date}T00:30:00Z`);
    await runGameJob(api, "end-of-day");
  }
  await runGameJob(api, "weekly-stats");
  await api.post(`${GAME}/battle/execute/2031-05-12`, undefined, undefined, { "x-cron-secret": CRON_SECRET }).ok();
  for (const person of [ada, ben, first, second, third]) {
    sent.push(...(await api.get("/api/notifications?limit=100", person).ok()).notifications);
  }
}

/** Title and body of every kind of notification that the scenes cause. */
const TEXTS: { readonly [Type in keyof NotificationData]: readonly string[] } = {
  baton_pass: [
    "The baton is yours: Cleo Day has checked in. You are next.",
    "The baton is yours: Your neighbor has checked in. You are next.",
  ],
  checkin_reminder: ["Your window opens soon: It opens at 06:00."],
  checkin_reviewed: [
    "Your check-in was rejected: An admin has reviewed your check-in of 2031-05-14.",
    "Your check-in was verified: An admin has reviewed your check-in of 2031-05-14.",
  ],
  chain_broken: ["Your chain broke: The person before you has no valid check-in."],
  chain_restored: ["Your chain continues: The check-in of the person before you counts after all."],
  chain_update: [
    "Your chain of 2031-05-14: Someone plays before you, no one after you.",
    "Your chain or squad of 2031-05-14 has changed: No one plays before you, someone after you.",
    "Your chain or squad of 2031-05-14 has changed: Someone plays before you, someone after you.",
  ],
  battle_update: [
    "Chips for your team: Cleo Day brought 2 for your team.",
    "Chips for your team: Your neighbor brought 2 for your team.",
  ],
  battle_progress: ["How the battle stands: The red team has 0 chips and the blue team 4."],
  battle_results: ["Your team won the battle of the week: The blue team won, 297 damage to 0."],
  weekly_stats: [
    "Your week: You completed 1 of 2 days and earned 2 chips.",
    "Your week: You completed 0 of 2 days and earned 0 chips.",
  ],
  drop_received: ["A drop for you: Ada Bee sent you a drop.", "A drop for you: Ben Elm sent you a drop."],
  badge_earned: ["A new badge: Pollinator 🐝: Your drops brought you to level 4."],
  assistant_drop: ["A drop from Bea: Your drop of the day is here."],
  member_added: [
    "You were added to an organization: You can see what its members share with it, and leave it at any time.",
    "You were added to a team: You can see what its members share with the team, and leave it at any time.",
  ],
  organization_received: [
    `You own an organization now: You can hand it back for ${HAND_BACK_DAYS} days.`,
    "An organization was handed back to you: You own it again.",
  ],
  invitation: ["You are invited to an organization: Read who invites you, and accept or decline."],
  moderation: [
    "Your report was decided: Thank you. An admin has looked at what you reported.",
    "Your appeal was decided: An admin has answered it.",
    "You received a warning: An admin decided about a report. Read the reasons, and how to appeal.",
    "Something of yours was hidden: An admin decided about a report. Read the reasons, and how to appeal.",
    "Your account is suspended: An admin decided about a report. Read the reasons, and how to appeal.",
  ],
  export_ready: [`Your export is ready: You can download your data for ${KEPT_DAYS.exportFiles} days.`],
  journal_reminder: ["Time to write: How was your day?"],
  team_message: [
    "New messages in your team: You have 1 unread message.",
    "New messages in your squad: You have 2 unread messages.",
  ],
  goal_update: [
    "News of a goal in your team: A new check-in: skipped.",
    "News of a goal in your team: 2 new check-ins, the last one: completed.",
  ],
  comment: [
    "New comments on your entry: Ben Elm commented.",
    "New comments where you commented: Ada Bee commented.",
    "New comments on your goal: There are 2 new comments.",
  ],
  token_created: ["A program may act for you: You created a personal token. If that was not you, delete it."],
};

test.each(Object.entries(TEXTS))("%s has a text that clients rebuild from its data", (type, texts) => {
  const ofType = sent.filter((notification) => notification.type === type);
  expect(new Set(ofType.map(({ title, body }) => `${title}: ${body}`))).toEqual(new Set(texts));
  for (const { type, data, title, body } of ofType) {
    expect(notificationText(type, data as NotificationData[typeof type])).toEqual({ title, body });
  }
});
