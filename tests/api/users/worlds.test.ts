import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays, utcDate } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";

const api = useApi();

const PEOPLE = 4;
const who = fc.nat({ max: PEOPLE - 1 });
const pair = { one: who, other: who };
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const fact = fc.oneof(
  fc.record({ kind: kind("organization"), ...pair }),
  fc.record({ kind: kind("drop"), ...pair }),
  fc.record({
    kind: kind("chain"),
    ...pair,
    link: fc.constantFrom("before", "after", "squad"),
    daysAgo: fc.constantFrom(-1, 0, 1, 29, 30, 31),
  }),
  fc.record({ kind: kind("public"), one: who, other: who, thing: fc.constantFrom("entry", "notebook", "tone pack") }),
  fc.record({ kind: kind("private"), one: who, other: who }),
  fc.record({ kind: kind("block"), ...pair }),
);
/** A person is in one chain on a date. */
const facts = fc.uniqueArray(fact, {
  maxLength: 6,
  selector: (each) => (each.kind === "chain" ? `${each.one} ${each.daysAgo}` : {}),
});
type Fact = typeof fact extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether one person may see the page of another by these facts, said without SQL. */
function mayRead(facts: readonly Fact[], reader: number, seen: number): boolean {
  if (reader === seen) return true;
  const isOfBoth = ({ one, other }: Fact) => [one, other].toSorted().join() === [reader, seen].toSorted().join();
  if (facts.some((each) => each.kind === "block" && isOfBoth(each))) return false;
  return facts.some((each) => {
    if (each.kind === "organization" || each.kind === "drop") return isOfBoth(each);
    if (each.kind === "public") return each.one === seen;
    if (each.kind === "chain")
      return each.one === reader && each.other === seen && each.daysAgo >= 0 && each.daysAgo < 30;
    return false;
  });
}

const NOW = new Date("2026-05-20T12:00:00Z");

async function make(each: Fact, people: readonly Person[]) {
  const [one, other] = [people[each.one]?.id, people[each.other]?.id];
  if (each.kind === "public" || each.kind === "private") {
    const isPublic = each.kind === "public";
    const audience = isPublic ? "00000000-0000-0000-0000-000000000000" : one;
    const thing = isPublic ? each.thing : "entry";
    if (thing === "entry") {
      await api.query`insert into nectar.journal_entries (user_id, title, metadata_visibility, metadata_audience_id,
        content_audience_id) values (${one}, 'T', ${isPublic ? "public" : "user"}, ${audience}, ${one})`;
    } else if (thing === "notebook") {
      await api.query`insert into nectar.notebooks (user_id, name, metadata_visibility) values (${one}, 'N', 'public')`;
    } else {
      await api.query`insert into nectar.tone_packs (owner_id, name, theme, is_public) values (${one}, 'P', 'nature', true)`;
    }
    return;
  }
  if (one === other) return;
  if (each.kind === "organization") {
    const { id } = await api.one<{ id: string }>`
      insert into nectar.organizations (name, owner_id) values ('O', ${one}) returning id`;
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${id}, ${other})`;
  } else if (each.kind === "drop") {
    await api.query`insert into nectar.encouragement_drops
        (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
      values (${one}, ${other}, 'Hi', true, '2020-01-01', '2020-01-01', '2020-01-02')`;
  } else if (each.kind === "chain") {
    await api.query`
      with squad as (
        insert into nectar.squads (date, user_1_id, user_2_id, team_color)
        select ${addDays(utcDate(NOW), -each.daysAgo)}, ${one}, ${other}, 'red' where ${each.link} = 'squad'
        on conflict do nothing returning id
      )
      insert into nectar.chains (date, user_id, before_user_id, after_user_id, squad_id, team_color, area_key,
        activity_type, timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
      select d.date, ${one}, case when ${each.link} = 'before' then ${other}::uuid end,
        case when ${each.link} = 'after' then ${other}::uuid end, (select id from squad), 'red', 'area', 'cardio', 'UTC',
        '10:00', '11:00', d.date + time '10:00', d.date + time '11:00', d.date + interval '1 day'
      from (select ${addDays(utcDate(NOW), -each.daysAgo)}::date as date) d`;
  } else {
    await api.query`insert into nectar.blocks (user_id, blocked_id) values (${one}, ${other}) on conflict do nothing`;
  }
}

it("the pages that people can read are those that an independent rule allows, in random worlds", async () => {
  api.at(NOW);
  await fc.assert(
    fc.asyncProperty(facts, async (drawn) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, () => api.person()));
      for (const each of drawn) await make(each, people);
      for (const [reader, as] of people.entries()) {
        for (const [seen, { id }] of people.entries()) {
          const { status } = await api.get(`/api/users/${id}`, as);
          expect([reader, seen, status]).toEqual([reader, seen, mayRead(drawn, reader, seen) ? 200 : 404]);
        }
      }
    }),
    { numRuns: LONG ? 1_000 : 14 },
  );
});
