import { beforeAll, expect, test } from "vitest";
import type { Notification } from "../../../functions/notifications/schema.ts";
import { type NotificationData, notificationText } from "../../../packages/client/notifications.ts";
import { useApi } from "../../support/api.ts";
import { callUsualJob } from "../../support/assistant.ts";
import { exportOf } from "../../support/exports.ts";
import { useFileStore } from "../../support/file-store.ts";
import { foundTeam } from "../../support/groups.ts";
import { beforeTests } from "../../support/prepare.ts";
import { formSquad } from "../../support/squads.ts";
import { ROOM, sendTo, setCounts } from "../encouragement-drops/sending.ts";
import { appealing } from "../safety/appealing.ts";
import { CRON_SECRET, GAME, runGameJob } from "../workout-window/chain-scene.ts";
import { checkInsOf } from "../workout-window/photo-scene.ts";

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
const ben = beforeTests(() => api.person());
const admin = beforeTests(() => api.person({ role: "admin" }));
const deputy = beforeTests(() => api.person({ role: "admin" }));

/** A Wednesday, and the date after it. */
const DATE = "2031-05-14";
const TOMORROW = "2031-05-15";
const MONDAY = "2031-05-12";

type NotificationType = keyof NotificationData;
type Notice<Type extends NotificationType> = readonly [data: NotificationData[Type], title: string, body: string];
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
  const { teamId } = await foundTeam(api, ada, [ben]);
  await api.post(`/api/teams/${teamId}/messages`, ada, { content: "Hello" }).created();
  await formSquad(api, "2031-06-14", [ada, ben]);
  for (const content of ["Hello", "Hello again"]) {
    await api.post("/api/workout-window/squad/2031-06-14/messages", ada, { content }).created();
  }
  const { organization } = await api.post("/api/organizations", ada, { name: "Readers" }).created();
  await api.post(`/api/organizations/${organization.id}/invitations`, ada, { email: ben.email }).created();
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
  for (const date of [TOMORROW, "2031-05-16", "2031-05-19"]) {
    api.at(`${date}T00:30:00Z`);
    await runGameJob(api, "end-of-day");
  }
  await runGameJob(api, "weekly-stats");
  await api.post(`${GAME}/battle/execute/${MONDAY}`, undefined, undefined, { "x-cron-secret": CRON_SECRET }).ok();
  for (const person of [ada, ben, first, second, third]) {
    sent.push(...(await api.get("/api/notifications?limit=100", person).ok()).notifications);
  }
}

const ID: string = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NAME: string = expect.stringMatching(/^Person \w{4}$/);
const REASONS = "An admin decided about a report. Read the reasons, and how to appeal.";

/** Every kind of notification that the scenes cause, with the text that clients get. */
const NOTICES: { readonly [Type in NotificationType]: readonly Notice<Type>[] } = {
  baton_pass: [
    [
      { checkin_id: ID, date: DATE, full_name: "Cleo Day" },
      "The baton is yours",
      "Cleo Day has checked in. You are next.",
    ],
    [
      { checkin_id: ID, date: DATE, full_name: null },
      "The baton is yours",
      "Your neighbor has checked in. You are next.",
    ],
  ],
  checkin_reminder: [[{ date: DATE, window_start_time: "06:00" }, "Your window opens soon", "It opens at 06:00."]],
  checkin_reviewed: (["rejected", "verified"] as const).map((status) => [
    { checkin_id: ID, date: DATE, status },
    `Your check-in was ${status}`,
    "An admin has reviewed your check-in of 2031-05-14.",
  ]),
  chain_broken: [DATE, TOMORROW].map((date) => [
    { date },
    "Your chain broke",
    "The person before you has no valid check-in.",
  ]),
  chain_restored: [[{ date: DATE }, "Your chain continues", "The check-in of the person before you counts after all."]],
  chain_update: [
    ...[DATE, TOMORROW].flatMap((date): Notice<"chain_update">[] => [
      [
        { date, has_before: false, has_after: true, is_changed: false },
        `Your chain of ${date}`,
        "Nobody plays before you, somebody after you.",
      ],
      [
        { date, has_before: true, has_after: false, is_changed: false },
        `Your chain of ${date}`,
        "Somebody plays before you, nobody after you.",
      ],
    ]),
    [
      { date: DATE, has_before: true, has_after: true, is_changed: true },
      "Your chain of 2031-05-14 has changed",
      "Somebody plays before you, somebody after you.",
    ],
  ],
  battle_update: [
    [
      { checkin_id: ID, date: DATE, week_start_date: MONDAY, chips: 2, full_name: "Cleo Day" },
      "Chips for your team",
      "Cleo Day brought 2 for your team.",
    ],
    [
      { checkin_id: ID, date: DATE, week_start_date: MONDAY, chips: 2, full_name: null },
      "Chips for your team",
      "Your neighbor brought 2 for your team.",
    ],
  ],
  battle_progress: [
    [
      { date: DATE, week_start_date: MONDAY, team_color: "blue", red_team_chips: 0, blue_team_chips: 4 },
      "How the battle stands",
      "The red team has 0 chips and the blue team 4.",
    ],
  ],
  battle_results: [
    [
      { week_start_date: MONDAY, winner: "blue", team_color: "blue", red_damage: 0, blue_damage: 297 },
      "Your team won the battle of the week",
      "The blue team won, 297 damage to 0.",
    ],
  ],
  weekly_stats: [
    [
      { week_start_date: MONDAY, days_planned: 2, completed_count: 1, chips_earned: 2 },
      "Your week",
      "You completed 1 of 2 days and earned 2 chips.",
    ],
    [
      { week_start_date: MONDAY, days_planned: 2, completed_count: 0, chips_earned: 0 },
      "Your week",
      "You completed 0 of 2 days and earned 0 chips.",
    ],
  ],
  drop_received: [
    [
      { drop_id: ID, sender_id: ID, drop_type: "encouragement", full_name: "Ada Bee" },
      "A drop for you",
      "Ada Bee sent you a drop.",
    ],
    [
      { drop_id: ID, sender_id: ID, drop_type: "encouragement", full_name: NAME },
      "A drop for you",
      expect.stringMatching(/^Person \w{4} sent you a drop\.$/),
    ],
  ],
  badge_earned: [
    [
      { level: 4, badge_name: "Pollinator", emoji: "🐝" },
      "A new badge: Pollinator 🐝",
      "Your drops brought you to level 4.",
    ],
  ],
  assistant_drop: [[{ drop_id: ID, assistant_name: "Bea" }, "A drop from Bea", "Your drop of the day is here."]],
  member_added: [
    [
      { org_id: ID, added_by: ID },
      "You were added to an organization",
      "You can see what its members share with it, and leave it at any time.",
    ],
    [
      { org_id: ID, team_id: ID, added_by: ID },
      "You were added to a team",
      "You can see what its members share with the team, and leave it at any time.",
    ],
  ],
  invitation: [
    [
      { invitation_id: ID, org_id: ID, invited_by: ID },
      "You are invited to an organization",
      "Read who invites you, and accept or decline.",
    ],
  ],
  moderation: [
    [{ report_id: ID }, "Your report was decided", "Thank you. An admin has looked at what you reported."],
    [{ decision_id: ID, appeal_id: ID }, "Your appeal was decided", "An admin has answered it."],
    [{ decision_id: ID, target_type: "entry", target_id: ID, decision: "warn" }, "You received a warning", REASONS],
    [
      { decision_id: ID, target_type: "entry", target_id: ID, decision: "hide" },
      "Something of yours was hidden",
      REASONS,
    ],
    [
      { decision_id: ID, target_type: "user", target_id: ID, decision: "suspend" },
      "Your account is suspended",
      REASONS,
    ],
  ],
  export_ready: [[{ export_id: ID }, "Your export is ready", "You can download your data for 7 days."]],
  journal_reminder: [[{ date: DATE }, "Time to write", "How was your day?"]],
  team_message: [
    [{ team_id: ID, count: 1 }, "New messages in your team", "You have 1 unread message."],
    [{ squad_id: ID, date: "2031-06-14", count: 2 }, "New messages in your squad", "You have 2 unread messages."],
  ],
};

test.each(Object.entries(NOTICES))("%s says what its data says, to clients as well", (type, notices) => {
  const ofType = sent.filter((notice) => notice.type === type);
  const found = ofType.map(({ data, title, body }) => [data, title, body]);
  expect(found).toEqual(expect.arrayContaining([...notices]));
  for (const notice of found) expect(notices).toContainEqual(notice);
  for (const { data, title, body } of ofType) {
    expect(notificationText(type as NotificationType, data as NotificationData[NotificationType])).toEqual({
      title,
      body,
    });
  }
});
