import * as z from "zod";
import { AppError } from "#core/errors";
import { PICTURE_URL_SECONDS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import type { Row } from "#database/call";
import type { PrivateFiles } from "#providers/private-files";

const LINK = `A link that works for ${inWords(PICTURE_URL_SECONDS)}.`;

/** A picture of an entry. */
export const Picture = z
  .object({
    id: z.guid(),
    entry_id: z.guid(),
    position: z.int().meta({ description: "Its place among the pictures of the entry, from 0." }),
    caption: z.string().nullable(),
    width: z.int().meta({ description: "Of the stored picture, in pixels." }),
    height: z.int().meta({ description: "Of the stored picture, in pixels." }),
    size_bytes: z.int().meta({ description: "Of the picture and its thumbnail together." }),
    url: z.url().meta({ description: LINK }),
    thumbnail_url: z.url().meta({ description: LINK }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Picture" });
export type Picture = z.infer<typeof Picture>;

/** A picture of an entry whose content the caller sees, with the keys of its files. */
export type SeenPicture = Row<"list_pictures">;

/** The addresses of the files of a picture. @throws AppError provider.failed */
export async function signPicture(
  files: PrivateFiles,
  { file_key, thumbnail_key }: Pick<SeenPicture, "file_key" | "thumbnail_key">,
): Promise<Pick<Picture, "url" | "thumbnail_url">> {
  const [url, thumbnail_url] = await Promise.all([
    files.signedUrl(file_key, PICTURE_URL_SECONDS),
    files.signedUrl(thumbnail_key, PICTURE_URL_SECONDS),
  ]);
  return { url, thumbnail_url };
}

/** Pictures with the addresses of their files. @throws AppError provider.failed, or 503 if no file store is configured */
export async function presentPictures(
  files: PrivateFiles | null,
  pictures: readonly SeenPicture[],
): Promise<Picture[]> {
  if (files === null && pictures.length > 0) throw new AppError("provider.not_configured");
  return Promise.all(files === null ? [] : pictures.map((picture) => presentPicture(files, picture)));
}

/** A picture with the addresses of its files. @throws AppError provider.failed */
export async function presentPicture(files: PrivateFiles, seen: SeenPicture): Promise<Picture> {
  const { file_key: _, thumbnail_key: __, ...picture } = seen;
  return { ...picture, ...(await signPicture(files, seen)) };
}
