import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { personNamed } from "#local/demo/data";
import { playDemoGame } from "#local/demo/play";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type FileStore, startFileStore } from "#local/stand-ins/file-store";
import { s3Files } from "#providers/private-files";
import { useDatabase } from "#tests/database";
import { query, type Row } from "#tests/people";
import { DEMO_DATA } from "./demo-data/use-demo-data.ts";
import { useFolder } from "./folder.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const database = useDatabase({ moments: "now", filling: DEMO_DATA });
const folder = useFolder();
let store: FileStore;
/** The last day that was played: today, or yesterday if midnight has passed since. */
let lastDay: string;

const play = () =>
  playDemoGame(
    {
      adminUrl: database.adminUrl,
      supabaseUrl: "http://supabase.invalid",
      publishableKey: LOCAL_SUPABASE_KEYS.publishableKey,
      files: {
        S3_BUCKET: store.bucket,
        S3_ENDPOINT: store.url,
        S3_ACCESS_KEY_ID: store.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      },
    },
    new URL(database.apiUrl).password,
  );
const rows = <Result extends object = Row>(text: string) => query<Result>(database.adminUrl, text);

beforeAll(async () => {
  store = await startFileStore({ folder: join(folder, "files") });
  await play();
  lastDay = (await rows<{ date: string }>("select max(date)::text as date from nectar.mosaics"))[0]?.date ?? "";
  return () => store.stop();
});

describe("the game of the demo data", () => {
  test("has 60 synthetic users and five people in several time zones", async () => {
    expect(await rows("select count(*)::int as n from nectar.synthetic_users")).toEqual([{ n: 60 }]);
    const windows = await rows(
      `select count(*) filter (where not p.is_ai)::int as people, count(distinct w.timezone)::int as zones
       from nectar.workout_windows w join nectar.profiles p on p.id = w.user_id`,
    );
    expect(windows).toEqual([{ people: 5, zones: expect.any(Number) }]);
    expect(Number(windows[0]?.zones)).toBeGreaterThanOrEqual(4);
  });

  test("has chains and squads of more than a week, and its check-ins", async () => {
    const days = await rows<
      Record<"players" | "in_squads" | "checked_in" | "linked" | "people" | "open", number> & { date: string }
    >(
      `select c.date::text, count(*)::int as players, count(c.squad_id)::int as in_squads, count(k.id)::int as checked_in,
         count(*) filter (where c.before_user_id is not null)::int as linked,
         count(k.id) filter (where not p.is_ai)::int as people, count(*) filter (where o.day_ends_at <= now() - interval '1 hour')::int as open
       from nectar.chains c
       left join private.open_days o on o.chain_id = c.id
       join nectar.profiles p on p.id = c.user_id
       left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
       group by c.date order by c.date`,
    );
    expect(days.length).toBeGreaterThanOrEqual(8);
    expect(
      days
        .slice(-7)
        .map(({ players }) => players)
        .toSorted(),
    ).toEqual([64, 65, 65, 65, 65, 65, 65]);
    for (const day of days) {
      // Robin rests on one weekday, which is not that of the last day.
      const weeks = (Date.parse(lastDay) - Date.parse(day.date)) / (7 * DAY_MS);
      if (Number.isInteger(weeks)) expect(day.players).toBe(65);
      else expect([64, 65]).toContain(day.players);
      expect(day.in_squads).toBeGreaterThan(20);
      expect(day.linked).toBeGreaterThan(20);
    }
    // Last week but its Sunday, whose evening may not be over everywhere.
    for (const day of days.slice(0, 6)) {
      expect(day.checked_in).toBeGreaterThan(40);
      expect(day.people).toBeGreaterThan(0);
      expect(day.open).toBe(0);
    }
  });

  test("has a finished battle with its result, and a running one", async () => {
    const battles = await rows(
      "select battle_status, winner, battle_result from nectar.battles order by week_start_date",
    );
    expect(battles[0]).toMatchObject({
      battle_status: "completed",
      winner: expect.stringMatching(/^(red|blue|tie)$/),
      battle_result: { rounds: expect.any(Array) },
    });
    for (const battle of battles.slice(1)) expect(battle).toMatchObject({ battle_status: "in_progress" });
  });

  test("has weekly statistics of last week for all players", async () => {
    expect(
      await rows(
        `select count(*)::int as n from nectar.weekly_workout_stats
         where week_start_date = date_trunc('week', '${lastDay}'::date)::date - 7`,
      ),
    ).toEqual([{ n: 65 }]);
  });

  test("has a rejected, a verified and a pending check-in, each with its photo", async () => {
    const reviewed = await rows<{ photo_key: string }>(
      `select p.full_name, k.status, k.battle_chips_earned > 0 as has_chips, f.flags, f.photo_key,
         k.reviewed_at > k.created_at as is_reviewed, char_length(k.review_reason) >= 10 as has_reason,
         (select count(*)::int from nectar.notifications n
          where n.user_id = k.user_id and n.type = 'checkin_reviewed') as notifications,
         (select a.status from nectar.moderation_appeals a join nectar.moderation_decisions d on d.id = a.decision_id
          where d.target_id = k.id) as appeal
       from nectar.workout_checkins k
       join nectar.profiles p on p.id = k.user_id
       join nectar.workout_checkin_photos f on f.checkin_id = k.id
       order by k.date`,
    );
    const decided = { is_reviewed: true, has_reason: true, notifications: 1 };
    const open = { is_reviewed: null, has_reason: null, notifications: 0 };
    expect(reviewed).toMatchObject([
      {
        full_name: personNamed("tomas").fullName,
        status: "rejected",
        has_chips: false,
        flags: ["seen_before"],
        appeal: "open",
        ...decided,
      },
      { full_name: personNamed("demo").fullName, status: "verified", has_chips: true, flags: ["edited"], ...decided },
      { full_name: personNamed("leila").fullName, status: "pending", flags: ["far_away"], ...open },
    ]);
    const files = s3Files({
      bucket: store.bucket,
      region: "us-east-1",
      endpoint: store.url,
      accessKeyId: store.accessKeyId,
      secretAccessKey: store.secretAccessKey,
    });
    for (const { photo_key } of reviewed) {
      const photo = await fetch(await files.signedUrl(photo_key, 60));
      expect(photo.status).toBe(200);
      await photo.body?.cancel();
    }
  });

  test("has the mosaics of today and yesterday with all players", async () => {
    const mosaics = await rows(
      `select m.date = c.date as is_of_day, m.total_participants = c.players as has_all, m.completed_count + m.pending_count > 0 as has_some
       from (
         select date, count(*)::int as players from nectar.chains
         where date between '${lastDay}'::date - 1 and '${lastDay}' group by date
       ) c
       left join nectar.mosaics m on m.date = c.date`,
    );
    expect(mosaics).toHaveLength(2);
    for (const mosaic of mosaics) expect(mosaic).toEqual({ is_of_day: true, has_all: true, has_some: true });
  });

  test("does not change when it is played again", async () => {
    const state = () =>
      rows(
        `select c.date, c.user_id, c.before_user_id, c.after_user_id, c.team_color, c.squad_id, k.battle_chips_earned
         from nectar.chains c
         left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
         where c.date < '${lastDay}'::date - 1 order by 1, 2`,
      );
    const first = await state();
    await play();
    expect(await state()).toEqual(first);
  });
});
