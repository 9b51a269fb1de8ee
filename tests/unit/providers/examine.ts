import { photoFormat } from "@nectar/providers/photo-format";
import { type ExaminedPhoto, examinePhoto } from "@nectar/providers/photos";

/** Examines a file as a check-in does, with a timeout for slow machines. */
export async function examine(bytes: Uint8Array): Promise<ExaminedPhoto> {
  const format = photoFormat(bytes);
  if (format === null) throw new Error("The file is no photo.");
  return examinePhoto(bytes, format, { heicDeadlineMs: 60_000 });
}
