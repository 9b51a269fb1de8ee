/** An accepted format of photos. */
export type PhotoFormat = "jpeg" | "png" | "webp" | "heic";

/** Brands of HEIF files whose pictures are coded as HEVC. */
const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
/** Bytes of the list of brands that are looked at. */
const MAX_BRANDS_BYTES = 256;

/** The format of a file by its first bytes, whatever its name and sender say; null if it is not accepted. */
export function photoFormat(bytes: Uint8Array): PhotoFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_BRANDS_BYTES));
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (head.length < 12) return null;
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 8) === "ftyp") {
    const end = Math.min(head.readUInt32BE(0), head.length);
    for (let at = 8; at + 4 <= end; at += 4) {
      // The first brand is followed by its version.
      if (at !== 12 && HEIC_BRANDS.has(text(at, at + 4))) return "heic";
    }
  }
  return null;
}
