import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { type NewFile, zipArchive } from "#archives/zip-archive";

const AT = new Date("2026-11-22T12:34:56Z");
const folder = mkdtempSync(join(tmpdir(), "nectar-zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

async function* inTurn<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

async function bytesOf(files: AsyncIterable<NewFile>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipArchive(files, AT)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const zipped = (files: Iterable<NewFile>) => bytesOf(inTurn(files));

/** What unzip complains about. */
function complaints(zip: Uint8Array): string {
  const path = join(folder, "archive.zip");
  writeFileSync(path, zip);
  return execFileSync("unzip", ["-tqq", path], { encoding: "utf8" });
}

describe("an archive", () => {
  it("has the files as they were added, for other readers", async () => {
    const photo = new Uint8Array(200_000).fill(7);
    const rows = ["[1,", "2,".repeat(50_000), "3]"];
    const zip = await zipped([
      { path: "journal/2026/Größe.md", method: "deflated", content: bytes("Hello") },
      { path: "data/entries.json", method: "deflated", content: inTurn(rows.map(bytes)) },
      { path: "files/photo.jpg", method: "stored", content: photo },
      { path: "empty", method: "deflated", content: new Uint8Array() },
    ]);
    expect(unzipSync(zip)).toEqual({
      "journal/2026/Größe.md": bytes("Hello"),
      "data/entries.json": bytes(rows.join("")),
      "files/photo.jpg": photo,
      empty: new Uint8Array(),
    });
    expect(complaints(zip)).toBe("");
  });

  it("may have more files than fit into the fields of an old archive", async () => {
    const files = Array.from({ length: 66_000 }, (_, index) => {
      return { path: `journal/${index}.md`, method: "stored" as const, content: bytes(`${index}`) };
    });
    const zip = await zipped(files);
    expect(complaints(zip)).toBe("");
    expect(Object.keys(unzipSync(zip))).toHaveLength(66_000);
  });

  it("fails with the error of its files, also in the middle of one", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes("A");
      throw new Error("There is no more.");
    }
    await expect(zipped([{ path: "a", method: "deflated", content: broken() }])).rejects.toThrow("no more");
    const files = async function* () {
      yield { path: "a", method: "deflated" as const, content: bytes("A") };
      throw new Error("There is no other file.");
    };
    await expect(bytesOf(files())).rejects.toThrow("no other");
  });

  it("that is not read to its end asks for no more files", async () => {
    let ended = false;
    async function* files(): AsyncGenerator<NewFile> {
      try {
        for (;;) yield { path: "a", method: "stored", content: new Uint8Array(100_000) };
      } finally {
        ended = true;
      }
    }
    for await (const _ of zipArchive(files(), AT)) break;
    await expect.poll(() => ended).toBe(true);
  });
});
