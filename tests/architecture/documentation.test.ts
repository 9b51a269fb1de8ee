import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { VARIABLES } from "#config/variables";
import { ROOT } from "./sources.ts";

const PAGES = ["*.md", "docs/**/*.md", "packages/*/*.md", "supabase/*.md"];
const pages = globSync(PAGES, { cwd: ROOT }).sort();
const records = pages.filter((page) => page.startsWith("docs/decisions/"));
const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8");

describe("the documentation", () => {
  test("links to files and headings that exist", () => {
    const links = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(([, path = "", anchor]) => ({
        page,
        target: path === "" ? page : join(dirname(page), path),
        anchor,
      })),
    );
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter(({ target, anchor }) => {
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test("names only decisions that exist", () => {
    const numbers = new Set(records.map((record) => Number(/\/(\d+)-/.exec(record)?.[1])));
    const sources = globSync(["{functions,local,ops,packages,supabase,tests,tools}/**/*.{ts,sql}", ...PAGES], {
      cwd: ROOT,
      exclude: ["**/node_modules/**"],
    });
    const named = sources.flatMap((source) =>
      [...textOf(source).matchAll(/\bdecision\s+(?:--\s+|\*\s+)?(\d+)\b/gi)].map(([, number]) => ({
        source,
        number: Number(number),
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  test("says of every secret, once, what rotating it interrupts", () => {
    const named = [...textOf("docs/secrets.md").matchAll(/^\| (`[A-Z]\w+`(?: `\w+`)*) \| (?=\S)/gm)].flatMap(
      ([, names = ""]) => names.replaceAll("`", "").split(" "),
    );
    const ofContainers = [...textOf("compose.yaml").matchAll(/\$\{(\w*(?:PASSWORD|SECRET|_KEY))[:}]/g)];
    const secrets = new Set([
      ...VARIABLES.filter(({ isSecret }) => isSecret).map(({ name }) => name),
      ...ofContainers.map(([, name]) => name),
    ]);
    expect(named.toSorted()).toEqual([...secrets].toSorted());
  });

  test("records each decision in at most 40 lines, with the context, the decision and its consequences", () => {
    expect(records.length).toBeLessThanOrEqual(25);
    for (const record of records) {
      const lines = textOf(record).trimEnd().split("\n");
      expect.soft(lines.length, record).toBeLessThanOrEqual(40);
      const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.replace(/^## (\w+).*/, "$1"));
      expect.soft([...new Set(headings)], record).toEqual(["Context", "Decision", "Consequences"]);
    }
  });
});

/** The anchors that GitHub makes of the headings of a page, and those that are written out. */
function anchorsIn(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}
