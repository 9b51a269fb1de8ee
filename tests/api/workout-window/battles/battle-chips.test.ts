import fc from "fast-check";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import { asSuperuser, type Person } from "../../../support/people.ts";

/*
 * A running battle is not summed from its check-ins but from what they changed. Whatever is done to check-ins, by one or by
 * many at a time, both have to be the same.
 */

const api = useApi();
const WEEKS = ["2026-11-09", "2026-11-16"] as const;
const DATES = ["2026-11-11", "2026-11-15", "2026-11-17", "2026-11-18"] as const;
let people: Person[];

beforeEach(async () => {
  await api.query("truncate nectar.workout_checkins cascade");
  people = await Promise.all(Array.from({ length: 5 }, () => api.person()));
});

/** Something that may happen to check-ins of one person, or of all players of a date. */
interface Deed {
  readonly what: "write" | "write all" | "judge" | "move" | "recolor" | "remove" | "shorten";
  readonly person: number;
  readonly date: (typeof DATES)[number];
  readonly week: (typeof WEEKS)[number];
  readonly status: "pending" | "verified" | "rejected";
  readonly color: "red" | "blue" | null;
  readonly chips: number;
}

const someDeed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom("write", "write all", "judge", "move", "recolor", "remove", "shorten"),
  person: fc.nat(4),
  date: fc.constantFrom(...DATES),
  week: fc.constantFrom(...WEEKS),
  status: fc.constantFrom("pending", "verified", "rejected"),
  color: fc.constantFrom("red", "blue", null),
  chips: fc.integer({ min: 1, max: 4 }),
});

async function perform(client: pg.Client, deed: Deed): Promise<void> {
  const { what, person, date, week, status, color, chips } = deed;
  const id = people[person]?.id;
  const ids = people.map((one) => one.id);
  const mine = "user_id = $1 and date = $2";
  const write = (who: readonly (string | undefined)[], conflict: string) =>
    client.query(
      `insert into nectar.workout_checkins (
         user_id, date, activity_type, status, chain_status, has_streak, team_color, battle_week_start, verified_at
       )
       select u.id, $2, 'walk', $3, case when $4::integer in (2, 4) then 'continued' else 'broken' end::nectar.chain_status,
         $4 >= 3, $5, $6, now()
       from unnest($1::uuid[]) u (id) order by u.id
       on conflict (user_id, date) do ${conflict}`,
      [who, date, status, chips, color, week],
    );
  if (what === "write") {
    await write(
      [id],
      "update set status = excluded.status, chain_status = excluded.chain_status, has_streak = excluded.has_streak",
    );
  }
  // Many are added or changed at a time, but not both in one statement: each statement has its own recount.
  if (what === "write all") await write(ids, "nothing");
  if (what === "judge") {
    await client.query(`update nectar.workout_checkins set status = $3 where ${mine}`, [id, date, status]);
  }
  if (what === "move") {
    await client.query(`update nectar.workout_checkins set battle_week_start = $3 where ${mine}`, [id, date, week]);
  }
  if (what === "recolor") {
    await client.query(
      `update nectar.workout_checkins set team_color = $2
       where id in (select id from nectar.workout_checkins where date = $1 order by user_id for update)`,
      [date, color],
    );
  }
  if (what === "remove") await client.query(`delete from nectar.workout_checkins where ${mine}`, [id, date]);
  if (what === "shorten") await client.query("select private.compact_battle_changes()");
}

interface Day {
  readonly red_chips: number;
  readonly blue_chips: number;
}

const read = () =>
  Promise.all(WEEKS.map((week) => api.query<Day>("select * from private.battle_days($1) order by date", [week])));
/** What `read` must return, summed from the check-ins. */
const summed = () =>
  Promise.all(
    WEEKS.map((week) =>
      api.query<Day>(
        `select date, coalesce(sum(battle_chips_earned) filter (where team_color = 'red'), 0)::integer as red_chips,
           coalesce(sum(battle_chips_earned) filter (where team_color = 'blue'), 0)::integer as blue_chips
         from nectar.workout_checkins
         where battle_week_start = $1 and status = 'verified' and team_color is not null
         group by date order by date`,
        [week],
      ),
    ),
  );
/** A date without chips may be listed with zeros or not at all. */
const counted = (weeks: Day[][]) =>
  weeks.map((days) => days.filter(({ red_chips, blue_chips }) => red_chips !== 0 || blue_chips !== 0));

describe("the chips of a running battle", () => {
  it("are the sum of its verified check-ins after any change of check-ins", () =>
    asSuperuser(api.adminUrl, (client) =>
      fc.assert(
        fc
          .asyncProperty(fc.array(someDeed, { minLength: 1, maxLength: 25 }), async (deeds) => {
            for (const deed of deeds) await perform(client, deed);
            expect(counted(await read())).toEqual(counted(await summed()));
          })
          .beforeEach(() => client.query("truncate nectar.workout_checkins cascade")),
        { numRuns: 40 },
      ),
    ));

  it("stay the sum of verified check-ins under concurrent changes, failed transactions and compaction", async () => {
    const deeds = fc.sample(someDeed, 600);
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new pg.Client({ connectionString: api.adminUrl });
        await client.connect();
        return client;
      }),
    );
    try {
      await Promise.all(
        clients.map(async (client, first) => {
          for (let at = first; at < deeds.length; at += clients.length) {
            const deed = deeds[at];
            if (deed === undefined) break;
            await client.query("begin");
            await perform(client, deed);
            await client.query(at % 5 === 0 ? "rollback" : "commit");
          }
        }),
      );
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(counted(await read())).toEqual(counted(await summed()));
    const before = counted(await read());
    await api.query("select private.compact_battle_changes()");
    expect(counted(await read())).toEqual(before);
    const { rows, groups } = await api.one(
      `select count(*)::integer as rows, count(distinct (battle_week_start, date, team_color))::integer as groups
       from private.battle_changes`,
    );
    expect(rows).toBe(groups);
  });

  it("are removed with a deleted account", async () => {
    const leaving = await api.person();
    await asSuperuser(api.adminUrl, async (client) => {
      people = [...people.slice(0, 4), leaving];
      const deed = {
        what: "write all",
        person: 0,
        date: DATES[2],
        week: WEEKS[1],
        status: "verified",
        color: "red",
      } as const;
      await perform(client, { ...deed, chips: 3 });
      await client.query("delete from auth.users where id = $1", [leaving.id]);
    });
    expect(await api.query("select red_chips, blue_chips from private.battle_days($1)", [WEEKS[1]])).toEqual([
      { red_chips: 12, blue_chips: 0 },
    ]);
  });
});

describe("check-ins of a running battle", () => {
  it("do not wait for each other, and the battle does not end before they are committed", async () => {
    const week = "2026-11-02";
    await api.query("select private.join_battle($1)", [week]);
    const [one, other, ending] = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new pg.Client({ connectionString: api.adminUrl });
        await client.connect();
        await client.query("begin");
        await client.query("set local lock_timeout = '300ms'");
        return client;
      }),
    );
    try {
      const join = (client: pg.Client | undefined) =>
        client?.query("select private.join_battle($1)::text as week", [week]).then(({ rows }) => rows[0]?.week);
      expect(await join(one)).toBe(week);
      expect(await join(other)).toBe(week);
      await expect(
        ending?.query("select from nectar.battles where week_start_date = $1 for update", [week]),
      ).rejects.toMatchObject({ code: "55P03" });
    } finally {
      await Promise.all([one, other, ending].map((client) => client?.end()));
    }
  });
});
