import { periodsOf, TABLES } from "#core/cards/all";
import type { Card, Kept } from "#core/cards/card";
import { FILES } from "#core/cards/files";

const tables: readonly (readonly [name: string, card: Card])[] = Object.entries(TABLES);
const files = Object.entries(FILES);

/** The generated parts of docs/privacy.md, by the names of their marks. */
export function privacyTables(): Readonly<Record<string, string>> {
  return { stored: storedTable(), kept: keptTable(), stays: staysTable() };
}

/** The table of what is stored about people, and who sees it. Database tables about the same topic share a row. */
function storedTable(): string {
  const rows = Map.groupBy(
    tables.flatMap(([name, { about }]) => (about === null ? [] : [{ name, ...about }])),
    ({ what, seenBy }) => JSON.stringify([what, seenBy]),
  );
  return markdown(
    ["What", "Tables", "Who sees it"],
    [...rows.values()].map((same) => [same[0]?.what ?? "", named(same.map(({ name }) => name)), same[0]?.seenBy ?? ""]),
  );
}

/** How long everything is kept that is deleted by its age. Several periods of a table share a row. */
function keptTable(): string {
  const ofTables = tables.flatMap(([name, { kept }]) => {
    const periods = periodsOf(kept);
    const [first] = periods;
    return first === undefined ? [] : [[first.what, `\`${name}\``, periods.map(periodOf).join(", ")]];
  });
  const ofFiles = files.flatMap(([name, { kept }]) =>
    kept === undefined ? [] : [[kept.what, `the files \`${name}\``, periodOf(kept)]],
  );
  return markdown(["What", "Where", "Kept"], [...ofTables, ...ofFiles]);
}

/** The table of what stays after an account is erased. */
function staysTable(): string {
  const rows = Map.groupBy(
    tables.flatMap(([name, { stays }]) => (stays === undefined ? [] : [{ name, stays }])),
    ({ stays }) => stays,
  );
  return markdown(
    ["What", "Where"],
    [...rows].map(([what, same]) => [what, named(same.map(({ name }) => name))]),
  );
}

/** A period in words, such as `30 days after they expire`. */
export function periodOf({ days, hours, since, until, without }: Kept): string {
  if (days === undefined && hours === undefined) return until === undefined ? "" : "until they end";
  const [count, unit] = days === undefined ? [hours ?? 0, "hour"] : [days, "day"];
  const period = `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (without === "read_at") return `${period} unread`;
  if (since === "read_at") return `${period} after they were read`;
  return since === "expires_at" ? `${period} after they expire` : period;
}

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
