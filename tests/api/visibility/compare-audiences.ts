import { expect } from "vitest";
import * as z from "zod";
import type { Audience } from "#functions/journal/schema";
import { expectedAudience } from "./audience-reference.ts";
import type { Send } from "./client.ts";
import { seesContent, seesEntry, type World } from "./reference.ts";

const Shown = z.object({ entries: z.array(z.object({ id: z.guid(), content_hidden: z.boolean() })) });

/** Keys are ids of people, then of entries. */
export type Views = ReadonlyMap<string, ReadonlyMap<string, { readonly metadata: boolean; readonly content: boolean }>>;

/** Reads the entries as each person. */
export async function viewsOf(world: World, send: Send): Promise<Views> {
  const views = new Map<string, Map<string, { metadata: boolean; content: boolean }>>();
  for (const person of world.people) {
    const { text } = await send(person, "GET", "/api/journal?limit=100");
    const shown = new Map(Shown.parse(JSON.parse(text)).entries.map((entry) => [entry.id, !entry.content_hidden]));
    const seen = [...world.entries.keys()].map(
      (id) => [id, { metadata: shown.has(id), content: shown.get(id) === true }] as const,
    );
    views.set(person, new Map(seen));
  }
  return views;
}

export async function audienceOf(send: Send, author: string, entryId: string): Promise<Audience> {
  const response = await send(author, "GET", `/api/journal/${entryId}/audience`);
  expect(response.status, response.text).toBe(200);
  return JSON.parse(response.text).audience;
}

/**
 * Compares the audience of each entry, as its author reads it, with the reference and with what everyone really sees.
 * @param note called with each reason that occurred
 */
export async function compareAudiences(world: World, send: Send, note: (event: string) => void): Promise<void> {
  const views = await viewsOf(world, send);
  const ordinary = { ...world, superAdmins: new Set<string>() };
  for (const entry of world.entries.values()) {
    const { id, author } = entry;
    const audience = await audienceOf(send, author, id);
    expect(audience, JSON.stringify(entry)).toEqual(expectedAudience(world, entry));
    for (const name of ["metadata", "content"] as const) {
      for (const reason of audience[name].reasons) note(`${name}: ${reason}`);
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
      const response = await send(author, "GET", `/api/journal/${id}/audience/${person}`);
      if (sharesOrganization(world, author, person)) {
        expect(JSON.parse(response.text)).toEqual({ sees: shared });
        note(`sees: ${shared?.content ? "all" : shared?.metadata ? "metadata" : "nothing"}`);
      } else {
        expect([response.status, response.body.code]).toEqual([404, "user.not_found"]);
        note("sees: not found");
      }
      if (person === author) continue;
      const refused = await send(person, "GET", `/api/journal/${id}/audience`);
      const expected = seen?.metadata === true ? [403, "journal.not_yours"] : [404, "journal.not_found"];
      expect([refused.status, refused.body.code]).toEqual(expected);
    }
  }
}

function sharesOrganization(world: World, one: string, other: string): boolean {
  return [...world.organizations.values()].some(({ members }) => members.has(one) && members.has(other));
}
