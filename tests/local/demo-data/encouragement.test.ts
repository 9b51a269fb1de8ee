import { describe, expect, test } from "vitest";
import { NoteAnalysis } from "#core/assistant/note-analysis";
import { AnalysisResponse } from "#functions/assistant/schema";
import { LeaderboardResponse } from "#functions/encouragement-drops/badges/schema";
import { Allowance, ReceivedResponse } from "#functions/encouragement-drops/drops/schema";
import { GoalsResponse } from "#functions/goals/schema";
import { NotificationsResponse } from "#functions/notifications/schema";
import { TeamMessagesResponse } from "#functions/teams/schema";
import { demoAccounts, encouragement, personNamed } from "#local/demo/data";
import { demoMailbox } from "#local/demo/mails";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

describe("the demo data of encouragement", () => {
  const drops = "nectar.encouragement_drops";

  test("has goals and check-ins of every status, and wellness entries of every type", async () => {
    expect(await demo.kinds("status", "nectar.goals")).toEqual(["abandoned", "active", "completed", "paused"]);
    expect(await demo.kinds("status", "nectar.goal_check_ins")).toEqual(["completed", "missed", "partial", "skipped"]);
    expect(await demo.kinds("type", "nectar.wellness_entries")).toEqual(["action_note", "satisfaction", "sleep"]);
    const { goals } = await demo.get("/api/goals", await demo.demoToken(), GoalsResponse);
    expect(new Set(goals.map(({ status }) => status)).size).toBe(4);
  });

  test("has drops of every kind and status, each with its notification", async () => {
    expect(await demo.kinds("engagement", drops)).toEqual(["engaged", "expired", "never", "open"]);
    expect(await demo.kinds("drop_type", drops)).toEqual(["encouragement", "media", "science_tidbit"]);
    for (const some of [
      "is_custom",
      "template_id is not null",
      "is_custom and drop_type = 'media'",
      "entry_id is not null",
      "read_at is null",
      "read_at is not null",
      "sender_id = private.system_user_id()",
    ]) {
      expect(await demo.count(`${drops} where ${some}`), some).toBeGreaterThan(0);
    }
    expect(await demo.count(`${drops} where sender_id <> private.system_user_id()`)).toBe(encouragement.drops.length);
  });

  test("does not contradict itself", async () => {
    const contradictions = [
      `${drops} d where not exists (
         select from nectar.notifications n
         where n.user_id = d.recipient_id and n.data ->> 'drop_id' = d.id::text and n.created_at = d.created_at
           and n.read_at is not distinct from d.read_at)`,
      `(
         select sender_id, date_sent, count(*) as sent, count(*) filter (where is_custom) as custom
         from ${drops} where sender_id <> private.system_user_id() group by 1, 2
       ) d left join nectar.encouragement_allowances a on a.user_id = d.sender_id and a.date = d.date_sent
       where (a.drops_used, a.custom_drops_used) is distinct from (d.sent::int, d.custom::int)`,
      `nectar.encouragement_allowances
       where drops_used > daily_allowance + bonus_carried + bonus_earned or custom_drops_used > 3`,
      `(select sum(bonus_drops_awarded) as awarded from ${drops}) d
       cross join (select sum(bonus_earned) as earned from nectar.encouragement_allowances) a where awarded <> earned`,
      "nectar.user_badges where bonus_drops_earned <> 2 * engagement_increases",
      `nectar.user_badges b where b.level <> (
         select max(d.level) from nectar.badge_definitions d where d.min_engagement_increases <= b.engagement_increases)`,
      "nectar.user_badges b where b.level <> (select count(*) from nectar.badge_milestones m where m.user_id = b.user_id)",
      "nectar.note_analyses n join nectar.accounts a using (user_id) where not a.read_notes_enabled",
      `${drops} d join nectar.accounts a on a.user_id = d.recipient_id
       where d.sender_id = private.system_user_id() and not (a.read_notes_enabled and a.check_in_enabled)`,
    ];
    for (const rows of contradictions) expect.soft(await demo.count(rows), rows).toBe(0);
  });

  test("leaves the first demo account its allowance and a bonus", async () => {
    const allowance = await demo.get("/api/encouragement-drops/my-drops", await demo.demoToken(), Allowance);
    expect(allowance).toMatchObject({ drops_used: 0, bonus_drops_earned: 4, total_available: 9 });
  });

  test("has badges that count all drops, those before the stored ones included", async () => {
    const rows = await demo.rows<{ email: string; sent: number; engaged: number }>(
      `select a.email, b.total_drops_sent - count(d.id)::int as sent,
         b.engagement_increases - (count(d.id) filter (where d.engagement = 'engaged'))::int as engaged
       from nectar.user_badges b
       join nectar.accounts a using (user_id)
       left join ${drops} d on d.sender_id = b.user_id
       where not b.is_ai
       group by a.email, b.user_id`,
    );
    for (const { email, sent, engaged } of rows) {
      const before = encouragement.past.filter(({ person }) => personNamed(person).email === email);
      expect({ email, sent, engaged }).toEqual({
        email,
        sent: before.reduce((sum, stretch) => sum + stretch.sent, 0),
        engaged: before.reduce((sum, stretch) => sum + stretch.engaged, 0),
      });
    }
    expect(await demo.count("(select distinct level from nectar.user_badges) l")).toBeGreaterThanOrEqual(6);
  });

  test("has a leaderboard with the first demo account on it", async () => {
    const { leaderboard, my_rank } = await demo.get(
      "/api/encouragement-drops/leaderboard",
      await demo.demoToken(),
      LeaderboardResponse,
    );
    expect(leaderboard.slice(0, 3).map(({ full_name }) => full_name)).toEqual([
      personNamed("priya").fullName,
      personNamed("grace").fullName,
      personNamed("maya").fullName,
    ]);
    expect(leaderboard[(my_rank ?? 0) - 1]?.full_name).toBe(personNamed("demo").fullName);
    expect(leaderboard.length).toBeGreaterThan(5);
  });

  test("has read and unread notifications for the first demo account, and unread drops by people and the assistant", async () => {
    const { drops: received, unread_count } = await demo.get(
      "/api/encouragement-drops/received",
      await demo.demoToken(),
      ReceivedResponse,
    );
    expect(unread_count).toBe(received.filter(({ read_at }) => read_at === null).length);
    const unread = received.filter(({ read_at }) => read_at === null);
    expect(new Set(unread.map(({ sender }) => sender?.is_assistant))).toEqual(new Set([true, false]));
    const { notifications } = await demo.get("/api/notifications", await demo.demoToken(), NotificationsResponse);
    expect(new Set(notifications.map(({ read_at }) => read_at === null))).toEqual(new Set([true, false]));
    expect(new Set(notifications.map(({ type }) => type))).toEqual(
      new Set([
        "drop_received",
        "assistant_drop",
        "badge_earned",
        "invitation",
        "moderation",
        "team_message",
        "comment",
      ]),
    );
  });

  test("has messages to a team, with one unread notification of the last two for the first demo account", async () => {
    const [unread, ...others] = await demo.rows<{ data: { team_id: string; count: number } }>(
      `select n.data from nectar.notifications n
       join nectar.accounts a on a.user_id = n.user_id and a.email = '${demoAccounts[0].email}'
       where n.type = 'team_message' and n.read_at is null`,
    );
    expect(others).toEqual([]);
    expect(unread?.data.count).toBe(2);
    const path = `/api/teams/${unread?.data.team_id}/messages`;
    const { team_messages } = await demo.get(path, await demo.demoToken(), TeamMessagesResponse);
    expect(team_messages.length).toBeGreaterThan(4);
    expect(team_messages[0]?.content).toContain("Robin");
  });

  test("has analyses of existing notes, and assistant drops only for users who allow them", async () => {
    const { analysis } = await demo.get("/api/chat/analysis", await demo.demoToken(), AnalysisResponse);
    expect(NoteAnalysis.parse(analysis)).toMatchObject({ topics: expect.arrayContaining(["running", "family"]) });
    const rows = await demo.rows<{ entry_count: number }>("select * from nectar.note_analyses");
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) {
      const { mood_trends } = NoteAnalysis.parse(row);
      expect(mood_trends.moods.reduce((sum, { entries }) => sum + entries, 0)).toBe(row.entry_count);
    }
    expect(await demo.count("nectar.accounts where read_notes_enabled and not check_in_enabled")).toBe(1);
    expect(
      await demo.count("nectar.token_usage where usage_type in ('note_analysis', 'assistant_drop') and cost_usd > 0"),
    ).toBe(rows.length + (await demo.count(`${drops} where sender_id = private.system_user_id()`)));
  });

  test("has the same mails and results in the mailbox as in the database", async () => {
    const rows = await demo.rows<{ id: string; delivery: string }>(
      "select provider_id as id, delivery from private.email_messages order by created_at",
    );
    expect(
      demoMailbox(new Date(), { app: "http://localhost:3000", api: "http://localhost:3000" }).map(
        ({ id, outcomes }) => ({ id, delivery: outcomes.at(-1) }),
      ),
    ).toEqual(rows);
    expect(rows.map(({ delivery }) => delivery)).toContain("bounced");
    expect(await demo.count("private.email_suppressions")).toBe(1);
    expect(await demo.count("private.email_received where is_verified")).toBe(1);
  });
});
