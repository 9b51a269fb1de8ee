import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonElements } from "#functions/imports/json-elements";

async function* inChunks(text: string, size: number): AsyncGenerator<string, void> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

async function elementsOf(text: string, size = 7, maxLength = 10_000): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const element of jsonElements(inChunks(text, size), "entries", maxLength)) {
    elements.push(element === null ? "too long" : JSON.parse(element));
  }
  return elements;
}

describe("the elements of a list in JSON", () => {
  it("are those that JSON.parse finds, in whatever parts the text comes, with spaces and other fields or without", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.dictionary(
          fc.string().filter((name) => name !== "entries"),
          fc.jsonValue(),
        ),
        fc.constantFrom(undefined, 1, "\t"),
        fc.integer({ min: 1, max: 20 }),
        async (entries, others, indent, size) => {
          expect(await elementsOf(JSON.stringify(entries, null, indent), size)).toEqual(parsed(entries));
          const document = { ...others, entries };
          expect(await elementsOf(JSON.stringify(document, null, indent), size)).toEqual(parsed(entries));
        },
      ),
    ));

  it("are not those of lists further inside, or of fields whose names only contain the name", async () => {
    const document = { other: { entries: [1] }, "my entries": [2], text: "entries", "\\entries": [3], entries: [4] };
    expect(await elementsOf(JSON.stringify(document))).toEqual([4]);
  });

  it("are left out if they are too long, and the others are found", async () => {
    expect(await elementsOf('[1, "0123456789", {"a": [0, 1, 2, 3]}, 2]', 3, 8)).toEqual([1, "too long", "too long", 2]);
  });

  it.each([
    ["nothing", ""],
    ["no list", '{"entries": {"a": []}}'],
    ["a list that does not end", "[1, 2"],
    ["a text that does not end", '["a]'],
    ["a list that is closed too late", "[[1]"],
  ])("are not found in %s", async (_, text) => {
    await expect(elementsOf(text)).rejects.toThrow(SyntaxError);
  });
});

/** A value as it comes back: JSON has no -0. */
function parsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
