import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Archive, openArchive } from "#archives/archive";
import { ArchiveProblem } from "#archives/problems";
import { archiveFile } from "#tests/archive-file";
import { type ZipFileSpec, zipOf } from "#tests/zip";

const LINK = 0o120777;

const open = (bytes: Uint8Array): Promise<Archive> => openArchive(archiveFile(bytes));

async function contentOf(archive: Archive, path: string): Promise<string> {
  const file = archive.files.find((candidate) => candidate.path === path);
  if (file === undefined) throw new Error(`There is no file ${path}.`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.read(file)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The code of the problem with an archive, or with a file of it when it is unpacked; null if there is none. */
async function problemWith(bytes: Uint8Array): Promise<string | null> {
  try {
    const archive = await open(bytes);
    for (const file of archive.files) for await (const _ of archive.read(file));
    return null;
  } catch (error) {
    if (error instanceof ArchiveProblem) return error.code;
    throw error;
  }
}

describe("an archive", () => {
  it("unpacks stored, compressed and Zip64 files, and leaves folders out", async () => {
    const archive = await open(
      zipOf([
        { path: "folder/" },
        { path: "folder/ä.md", content: "compressed" },
        { path: "stored.md", content: "stored", method: 0, modifiedAt: null },
        { path: "zip64.md", content: "zip64", zip64: true },
      ]),
    );
    expect(archive.files).toEqual([
      { path: "folder/ä.md", problem: null, size: 10, modifiedAt: new Date("2026-05-01T08:30:00Z"), isLocalTime: true },
      { path: "stored.md", problem: null, size: 6, modifiedAt: null, isLocalTime: true },
      { path: "zip64.md", problem: null, size: 5, modifiedAt: new Date("2026-05-01T08:30:00Z"), isLocalTime: true },
    ]);
    expect(await contentOf(archive, "folder/ä.md")).toBe("compressed");
    expect(await contentOf(archive, "stored.md")).toBe("stored");
    expect(await contentOf(archive, "zip64.md")).toBe("zip64");
  });
});

describe("the path of a file", () => {
  const pathsOf = async (files: readonly ZipFileSpec[]) =>
    (await open(zipOf(files))).files.map(({ path, problem }) => [path, problem]);

  it.each([
    ["./a.md", "a.md"],
    ["././b//c/./d.md", "b/c/d.md"],
    ["Notes\\2024\\a.md", "Notes/2024/a.md"],
    ["Q: why.md", "Q: why.md"],
    ["10:30 walk.md", "10:30 walk.md"],
  ])("%j is read as %j", async (path, read) => {
    expect(await pathsOf([{ path, content: "A" }])).toEqual([[read, null]]);
  });

  it("with a control character, or that comes twice, is a problem of that file", async () => {
    const files = ["./", "./", "b/", "b/", "b/a.md", "b\\a.md", "b/Icon\r"].map((path) => ({ path, content: "" }));
    expect(await pathsOf(files)).toEqual([
      ["b/a.md", null],
      ["b/a.md", "duplicate_path"],
      ["b/Icon\r", "odd_name"],
    ]);
  });

  it("is the one in UTF-8 that a program adds to one in its own encoding", async () => {
    const name = Buffer.from([0x81, 0x2e, 0x6d, 0x64]);
    const real = Buffer.from("ü – día.md");
    const extra = Buffer.alloc(9 + real.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + real.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crc32(name), 5);
    real.copy(extra, 9);
    expect(await pathsOf([{ path: name, content: "A", extra }])).toEqual([["ü – día.md", null]]);
  });
});

describe("an archive is refused if", () => {
  const text: ZipFileSpec = { path: "a.md", content: "A text." };
  const packed = zipOf([{ path: "a.md", content: "A text. ".repeat(500), method: 0 }]);

  it.each<[string, string, Uint8Array]>([
    ["it is no zip", "unreadable", Buffer.from("Dear diary, ".repeat(50))],
    ["it is empty bytes", "unreadable", new Uint8Array(22)],
    ["its end is missing", "unreadable", packed.subarray(0, packed.length - 10)],
    ["its beginning is missing", "unreadable", packed.subarray(2_000)],
    ["it has more entries in its end than in its directory", "unreadable", zipOf([text], { entryCount: 2 })],
    ["a path leads to the parent", "unsafe_path", zipOf([{ ...text, path: "../a.md" }])],
    ["a path leads to the parent on its way", "unsafe_path", zipOf([{ ...text, path: "b/../../a.md" }])],
    ["a path is absolute", "unsafe_path", zipOf([{ ...text, path: "/etc/passwd" }])],
    ["a path has a backslash", "unsafe_path", zipOf([{ ...text, path: "..\\a.md" }])],
    ["a path has a drive letter", "unsafe_path", zipOf([{ ...text, path: "C:\\a.md" }])],
    [
      "a path leads to the parent once it is normalized",
      "unsafe_path",
      zipOf([{ ...text, path: "./b\\..//./../a.md" }]),
    ],
    ["a path is empty", "unsafe_path", zipOf([{ ...text, path: "" }])],
    ["a path is very long", "unsafe_path", zipOf([{ ...text, path: "a".repeat(1_025) }])],
    ["it has a link", "not_a_file", zipOf([{ ...text, mode: LINK }])],
    ["it has a device", "not_a_file", zipOf([{ ...text, mode: 0o020666 }])],
    ["a file is encrypted", "encrypted", zipOf([{ ...text, flags: 1 }])],
    ["a file is strongly encrypted", "unreadable", zipOf([{ ...text, flags: 0x41 }])],
    [
      "it has 65,536 files more than its end says",
      "damaged",
      zipOf([text, { ...text, path: "b.md" }], { entryCount: 1 }),
    ],
    ["a file is compressed in another way", "unsupported_compression", zipOf([{ ...text, method: 14 }])],
    ["it has more than 100,000 files", "too_many_files", zipOf([text], { entryCount: 100_001 })],
    ["it claims more than 2 GB", "too_large", zipOf([{ ...text, size: 2 ** 31 + 1 }])],
    ["it claims more than 100 times its size", "too_compressed", zipOf([{ ...text, size: 50 * 2 ** 20 + 1 }])],
    ["a file has more bytes than it claims", "damaged", zipOf([{ ...text, content: "x".repeat(100_000), size: 10 }])],
    ["a file has fewer bytes than it claims", "damaged", zipOf([{ ...text, size: 100 }])],
    ["a file has other bytes than it claims", "damaged", zipOf([{ ...text, crc: 1 }])],
    [
      "a file is not compressed as it claims",
      "damaged",
      zipOf([
        { ...text, packedSize: 3 },
        { ...text, path: "b.md" },
      ]),
    ],
    ["a file reaches beyond its end", "damaged", zipOf([{ ...text, packedSize: 10_000 }])],
    ["a stored file has two sizes", "unreadable", zipOf([{ ...text, method: 0, size: 5 }])],
    ["files overlap", "overlapping_files", zipOf([text, { path: "b.md", content: "B", offset: 10 }])],
    ["files are the same bytes", "overlapping_files", zipOf([text, { path: "b.md", content: "A text.", offset: 0 }])],
  ])("%s", async (_, code, bytes) => {
    expect(await problemWith(bytes)).toBe(code);
  });

  it("it has a bomb of really more than 100 times its size", async () => {
    expect(await problemWith(zipOf([{ path: "a.md", content: Buffer.alloc(60 * 2 ** 20) }]))).toBe("too_compressed");
  });

  it("its bytes are changed anywhere, or it unpacks to the same as before", async () => {
    const bytes = zipOf([text, { path: "b/c.md", content: "Another text. ".repeat(20) }]);
    const codes = new Set<string | null>();
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Uint8Array.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 0x55;
      codes.add(await problemWith(changed));
    }
    expect([...codes]).toContain("damaged");
  });
});
