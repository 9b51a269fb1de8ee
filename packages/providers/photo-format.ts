/** A form of photo that a check-in takes. */
export type PhotoFormat = "jpeg" | "png" | "webp" | "heic";

/** Brands of HEIF files whose pictures are coded as HEVC. */
const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
/** The longest list of brands that is looked at, in bytes. */
const LONGEST_BRANDS = 256;

/** What a file is by its first bytes, whatever its name and its sender say; null when it is no photo that we take. */
export function photoFormat(bytes: Uint8Array): PhotoFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LONGEST_BRANDS));
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (head.length < 12) return null;
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 8) === "ftyp") {
    const end = Math.min(head.readUInt32BE(0), head.length);
    for (let at = 8; at + 4 <= end; at += 4) {
      // Behind the first brand is its version.
      if (at !== 12 && HEIC_BRANDS.has(text(at, at + 4))) return "heic";
    }
  }
  return null;
}
