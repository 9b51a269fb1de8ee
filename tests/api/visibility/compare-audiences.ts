import { expect } from "vitest";
import * as z from "zod";
import type { Audience } from "#journal/audience";
import { expectedAudience } from "./audience-reference.ts";
import type { Send } from "./client.ts";
import { type Entry, seesContent, seesEntry, sharesOrganization, type World } from "./reference.ts";

const ShownThings = z.array(z.object({ id: z.guid(), content_hidden: z.boolean() }));
const Shown = z.object({ entries: ShownThings });
const ShownGoals = z.object({ goals: ShownThings });

/** Keys are ids of people, then of entries and goals. */
export type Views = ReadonlyMap<string, ReadonlyMap<string, { readonly metadata: boolean; readonly content: boolean }>>;

/** Reads the entries and goals as each person. */
export async function viewsOf(world: World, send: Send): Promise<Views> {
  const views = new Map<string, Map<string, { metadata: boolean; content: boolean }>>();
  for (const person of world.people) {
    const { text } = await send(person, "GET", "/api/journal?limit=100");
    const goals = await send(person, "GET", "/api/goals?scope=all&limit=100");
    const things = [...Shown.parse(JSON.parse(text)).entries, ...ShownGoals.parse(JSON.parse(goals.text)).goals];
    const shown = new Map(things.map(({ id, content_hidden }) => [id, !content_hidden]));
    const seen = [...world.entries.keys(), ...world.goals.keys()].map(
      (id) => [id, { metadata: shown.has(id), content: shown.get(id) === true }] as const,
    );
    views.set(person, new Map(seen));
  }
  return views;
}

/** @param path of an entry or a goal */
export async function audienceOf(send: Send, author: string, path: string): Promise<Audience> {
  const response = await send(author, "GET", `${path}/audience`);
  expect(response.status, response.text).toBe(200);
  return JSON.parse(response.text).audience;
}

/** A goal is shared like an entry in no notebook. */
function sharedThings(world: World): readonly (readonly [path: string, noun: string, thing: Entry])[] {
  const none = { notebook: null, inherit: false, content: "", mood: "", isMoodFound: false, tag: "", pictures: 0 };
  return [
    ...[...world.entries.values()].map((entry) => [`/api/journal/${entry.id}`, "journal", entry] as const),
    ...[...world.goals.values()].map((goal) => [`/api/goals/${goal.id}`, "goal", { ...goal, ...none }] as const),
  ];
}

/**
 * Compares the audience of each entry and goal, as its author reads it, with the reference and with what everyone really sees.
 * @param note called with each reason that occurred
 */
export async function compareAudiences(world: World, send: Send, note: (event: string) => void): Promise<void> {
  const views = await viewsOf(world, send);
  const ordinary = { ...world, superAdmins: new Set<string>() };
  for (const [path, noun, entry] of sharedThings(world)) {
    const { id, author } = entry;
    const audience = await audienceOf(send, author, path);
    expect(audience, JSON.stringify(entry)).toEqual(expectedAudience(world, entry));
    for (const name of ["metadata", "content"] as const) {
      for (const reason of audience[name].reasons) note(`${noun}, ${name}: ${reason}`);
      const { people } = audience[name];
      const readers = world.people.filter(
        (person) => person !== author && !world.superAdmins.has(person) && views.get(person)?.get(id)?.[name],
      );
      if (people !== null) expect(readers, `readers of ${name}`).toHaveLength(people);
    }
    for (const person of world.people) {
      const seen = views.get(person)?.get(id);
      // Not what a super admin sees besides, which would show who is one.
      const shared =
        person === author
          ? seen
          : { metadata: seesEntry(ordinary, person, entry), content: seesContent(ordinary, person, entry) };
      if (!world.superAdmins.has(person)) expect(shared).toEqual(seen);
      const response = await send(author, "GET", `${path}/audience/${person}`);
      if (sharesOrganization(world, author, person)) {
        expect(JSON.parse(response.text)).toEqual({ sees: shared });
        note(`sees: ${shared?.content ? "all" : shared?.metadata ? "metadata" : "nothing"}`);
      } else {
        expect([response.status, response.body.code]).toEqual([404, "user.not_found"]);
        note("sees: not found");
      }
      if (person === author) continue;
      const refused = await send(person, "GET", `${path}/audience`);
      const expected = seen?.metadata === true ? [403, `${noun}.not_yours`] : [404, `${noun}.not_found`];
      expect([refused.status, refused.body.code]).toEqual(expected);
    }
  }
}
