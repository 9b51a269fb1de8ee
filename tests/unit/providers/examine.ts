import { photoFormat } from "#providers/photo-format";
import { type ExaminedPhoto, examinePhoto } from "#providers/photos";

/** Examines a file as a check-in does, with a timeout for slow machines. */
export async function examine(bytes: Uint8Array): Promise<ExaminedPhoto> {
  const format = photoFormat(bytes);
  if (format === null) throw new Error("The file is no photo.");
  return examinePhoto(bytes, format, 600_000);
}
