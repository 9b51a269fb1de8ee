import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveSlice, ArchiveState, digestOf, EMPTY_ARCHIVE } from "@nectar/core/export/archive";
import { directoryRecord, endOfArchive } from "@nectar/core/export/zip";
import { unzipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";

const AT = new Date("2026-11-22T12:34:56Z");
const folder = mkdtempSync(join(tmpdir(), "nectar-zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an archive in slices, each of which continues from the state of the one before as JSON. */
async function written(slices: readonly ((slice: ArchiveSlice) => void)[]) {
  let state: ArchiveState = EMPTY_ARCHIVE;
  const bytes: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  const files = [];
  for (const write of [...slices, (slice: ArchiveSlice) => [slice.addRecords(Buffer.concat(records)), slice.end()]]) {
    const slice = await ArchiveSlice.from(state, AT);
    write(slice);
    bytes.push(slice.bytes());
    records.push(slice.ended().records);
    files.push(...slice.ended().files);
    state = ArchiveState.parse(JSON.parse(JSON.stringify(slice.state())));
  }
  return { zip: Buffer.concat(bytes), files, state };
}

const text = (content: string) => new TextEncoder().encode(content);

describe("an archive that is written in slices", async () => {
  const { zip, files, state } = await written([
    (slice) => {
      slice.addFile("journal/2026/Größe.md", text("Hello"), "deflated");
      slice.addPiece("data/entries.json", text("[1,"), 1);
    },
    (slice) => slice.addPiece("data/entries.json", text("2,".repeat(5_000)), 5_000),
    (slice) => {
      slice.addPiece("data/entries.json", text("3]"), 1);
      slice.endPieces(true);
      slice.addFile("files/photo.jpg", new Uint8Array(20_000).fill(7), "stored");
      slice.addFile("empty", new Uint8Array(), "deflated");
    },
  ]);

  it("has the files as they were added, for another reader", () => {
    const read = unzipSync(zip);
    expect(Object.keys(read)).toEqual(["journal/2026/Größe.md", "data/entries.json", "files/photo.jpg", "empty"]);
    expect(Buffer.from(read["data/entries.json"] ?? []).toString()).toBe(`[1,${"2,".repeat(5_000)}3]`);
    expect(Buffer.from(read["journal/2026/Größe.md"] ?? []).toString()).toBe("Hello");
    expect(read["files/photo.jpg"]).toEqual(new Uint8Array(20_000).fill(7));
  });

  it("knows size, hash and rows of each file, and of itself", async () => {
    const read = unzipSync(zip);
    const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(files).toEqual(
      Object.entries(read).map(([path, bytes]) => {
        return { path, sha256: sha256(bytes), bytes: bytes.length, rows: path === "data/entries.json" ? 5_002 : null };
      }),
    );
    expect(state.size).toBe(zip.length);
    expect(await digestOf(state)).toBe(sha256(zip));
  });

  it("is in order for unzip, also with more files than fit into the fields of an old archive", async () => {
    const many = await written([
      (slice) => {
        for (let index = 0; index < 66_000; index += 1)
          slice.addFile(`journal/${index}.md`, text(`${index}`), "stored");
      },
    ]);
    for (const [name, archive] of [["few.zip", zip] as const, ["many.zip", many.zip] as const]) {
      const path = join(folder, name);
      writeFileSync(path, archive);
      const report = execFileSync("unzip", ["-tqq", path], { encoding: "utf8" });
      expect(report).toBe("");
    }
    expect(Object.keys(unzipSync(many.zip))).toHaveLength(66_000);
  });
});

it("an archive of more than 4 GB says where things are in the fields of Zip64", () => {
  const large = 5 * 2 ** 30;
  const file = {
    path: "a",
    method: "stored",
    isStreamed: false,
    crc: 1,
    packed: large,
    size: 7,
    offset: large + 1,
  } as const;
  const record = Buffer.from(directoryRecord(file, AT));
  expect(record.readUInt32LE(20)).toBe(0xffff_ffff);
  expect(record.readUInt32LE(24)).toBe(7);
  expect(record.readUInt32LE(42)).toBe(0xffff_ffff);
  const extra = record.subarray(47);
  expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 16]);
  expect([extra.readBigUInt64LE(4), extra.readBigUInt64LE(12)]).toEqual([BigInt(large), BigInt(large + 1)]);
  const end = Buffer.from(endOfArchive({ files: 3, offset: large, size: 50 }));
  expect(end.readBigUInt64LE(48)).toBe(BigInt(large));
  expect(end.readBigUInt64LE(64)).toBe(BigInt(large + 50));
  expect(end.subarray(76).toString("latin1", 0, 4)).toBe("PK\x05\x06");
});
