import type { Services } from "#http/services/services";
import { reducePhoto } from "#providers/photos";
import { drawing } from "../stand-ins/drawing.ts";
import type { Connection } from "../support/connection.ts";
import { pictures } from "./data.ts";
import { entryId } from "./journal.ts";
import { stableId } from "./rows.ts";

/** Draws the pictures of entries, once; without a file store there are none. */
export async function drawPictures({ privateFiles }: Services, client: Connection): Promise<void> {
  if (privateFiles === null) return;
  for (const [index, { person, title, caption }] of pictures.entries()) {
    const [id, thumbnailId] = [stableId(`picture ${index}`), stableId(`thumbnail ${index}`)];
    const {
      rows: [entry],
    } = await client.query<{ user_id: string; id: string }>(
      `select e.user_id, e.id from nectar.journal_entries e
       where e.id = $1 and not exists (select from nectar.entry_pictures p where p.id = $2)`,
      [entryId(person, title), id],
    );
    if (entry === undefined) continue;
    const { jpeg, thumbnail, width, height } = await reducePhoto(await drawing(`${title} ${caption}`), "png");
    await privateFiles.upload(`pictures/${entry.user_id}/${id}.jpg`, jpeg, "image/jpeg");
    await privateFiles.upload(`pictures/${entry.user_id}/${thumbnailId}.jpg`, thumbnail, "image/jpeg");
    await client.query(
      `insert into nectar.entry_pictures
         (id, thumbnail_id, user_id, entry_id, position, caption, width, height, size_bytes, created_at)
       select $1, $2, e.user_id, e.id, c.picture_count, $4, $5, $6, $7, e.created_at
       from nectar.journal_entries e join nectar.journal_entry_contents c on c.entry_id = e.id where e.id = $3`,
      [id, thumbnailId, entry.id, caption, width, height, jpeg.length + thumbnail.length],
    );
  }
}
