import { createHash } from "node:crypto";
import { type NewFile, zipArchive } from "#archives/zip-archive";
import type { ManifestFile } from "#core/export/manifest";
import type { Content, ExportFile, Source } from "./content.ts";

/** Lines of the manifest that are written at once. */
const LINES = 1_000;

/** The archive of an export: the files of all contents, and manifest.json, which names them. */
export function exportArchive(contents: readonly Content[], source: Source): AsyncGenerator<Uint8Array, void> {
  return zipArchive(filesOf(contents, source), new Date(source.generatedAt));
}

async function* filesOf(contents: readonly Content[], source: Source): AsyncGenerator<NewFile, void> {
  const named: ManifestFile[] = [];
  for (const content of contents) {
    for await (const file of content(source)) yield { ...file, content: recorded(file, named) };
  }
  yield { path: "manifest.json", method: "deflated", content: manifestOf(source, named) };
}

/** The content of a file, which the manifest names once all of it was read. */
function recorded({ path, content }: ExportFile, named: ManifestFile[]): NewFile["content"] {
  const hash = createHash("sha256");
  if (!(content instanceof Uint8Array)) return recordedPieces(content);
  named.push({ path, sha256: hash.update(content).digest("hex"), bytes: content.length, rows: null });
  return content;

  async function* recordedPieces(pieces: AsyncGenerator<Uint8Array, number>): AsyncGenerator<Uint8Array, void> {
    let bytes = 0;
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) {
        named.push({ path, sha256: hash.digest("hex"), bytes, rows: value });
        return;
      }
      hash.update(value);
      bytes += value.length;
      yield value;
    }
  }
}

async function* manifestOf({ generatedAt, userId }: Source, named: readonly ManifestFile[]): AsyncGenerator<Buffer> {
  const head = { format: "nectar-export", version: 1, generated_at: generatedAt, user_id: userId };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"files":[\n`);
  for (let from = 0; from < named.length; from += LINES) {
    const lines = named.slice(from, from + LINES).map((file) => JSON.stringify(file));
    yield Buffer.from((from === 0 ? "" : ",\n") + lines.join(",\n"));
  }
  yield Buffer.from("\n]}\n");
}
