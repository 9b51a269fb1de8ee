import { randomUUID } from "node:crypto";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

/** Pictures of entries, over the API of a test. */
export function picturesOf(api: TestApi) {
  function add(as: Person, entryId: string, file: Uint8Array, fields: Record<string, string> = {}, headers = {}) {
    const form = new FormData();
    form.set("picture", new Blob([new Uint8Array(file)]), "picture.jpg");
    for (const [name, value] of Object.entries({ entry_id: entryId, ...fields })) form.set(name, value);
    return api.post("/api/pictures", as, form, headers);
  }
  return {
    add,
    /** Rows of pictures without files. @returns their ids in order */
    async rows(owner: Person, entryId: string, count: number, sizeBytes = 1): Promise<string[]> {
      const ids = Array.from({ length: count }, () => randomUUID());
      await api.query`
        insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
        select id, gen_random_uuid(), ${owner.id}, ${entryId}, n - 1, 1, 1, ${sizeBytes}
        from unnest(${ids}::uuid[]) with ordinality p (id, n)`;
      return ids;
    },
    /** The ids of the pictures of an entry, by position; positions are checked to have no gap. */
    async idsOf(as: Person, entryId: string): Promise<string[]> {
      const { pictures } = await api.get(`/api/pictures?entry_id=${entryId}`, as).ok();
      if (pictures.some(({ position }, index) => position !== index)) throw new Error("The positions have a gap.");
      return pictures.map(({ id }) => id);
    },
  };
}

/** Loads a file from its address. */
export async function load(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The store responded with ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}
