import { type MoodCategory, moodCategory } from "#core/assistant/moods";

/** A day on which someone wrote. */
export interface MoodDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly entries: number;
  /** The most frequent mood of its entries; null if none has one. */
  readonly mood: string | null;
}

type Kind = MoodCategory | "other" | "without_mood" | "nothing";

/** All kinds, in the order of the legend. */
const LABELS: Readonly<Record<Kind, string>> = {
  positive: "positive",
  neutral: "neutral",
  negative: "negative",
  other: "another mood",
  without_mood: "no mood",
  nothing: "no entry",
};
const KINDS: readonly Kind[] = ["positive", "neutral", "negative", "other", "without_mood", "nothing"];

/** Written out: making twelve formatters took a tenth of the processor time of loading the function. */
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const SQUARE = 16;
/** Distance from one square to the next. */
const STEP = 18;
const MARGIN = 16;
const HEADING_HEIGHT = 36;
const MONTHS_PER_ROW = 3;
const MONTH_WIDTH = 7 * STEP + 18;
const MONTH_LABEL_HEIGHT = 18;
/** A month can have days in six weeks. */
const MONTH_HEIGHT = MONTH_LABEL_HEIGHT + 6 * STEP + 12;
const LEGEND_TOP = MARGIN + HEADING_HEIGHT + (12 / MONTHS_PER_ROW) * MONTH_HEIGHT;
const LEGEND_LINE = 26;
const WIDTH = 2 * MARGIN + MONTHS_PER_ROW * MONTH_WIDTH - (MONTH_WIDTH - 7 * STEP);
const HEIGHT = LEGEND_TOP + 2 * LEGEND_LINE + MARGIN;

// Each kind has a shape as well, so that the picture can be read without its colors.
const STYLE = `:root{--background:#ffffff;--text:#1f2328;--positive:#0b7a75;--neutral:#57606a;--negative:#bc4c00;--other:#8250df;--line:#6e7781;--mark:#ffffff}
@media(prefers-color-scheme:dark){:root{--background:#0d1117;--text:#e6edf3;--positive:#2dd4bf;--neutral:#9aa4af;--negative:#f0883e;--other:#bc8cff;--line:#848d97;--mark:#0d1117}}
svg{max-width:100%;height:auto;background:var(--background)}
text{fill:var(--text);font:14px system-ui,sans-serif}
.year{font-size:20px;font-weight:600}
.mark{fill:none;stroke:var(--mark);stroke-width:2;stroke-linecap:round}
.line{fill:none;stroke:var(--line);stroke-width:2}`;

const SYMBOLS = [
  filled("positive", '<path class="mark" d="M8 4v8M4 8h8"/>'),
  filled("neutral", '<circle class="mark" cx="8" cy="8" r="1"/>'),
  filled("negative", '<path class="mark" d="M4 8h8"/>'),
  filled("other", '<path class="mark" d="M8 4 12 8 8 12 4 8z"/>'),
  '<g id="without_mood"><rect class="line" x="1" y="1" width="14" height="14" rx="3"/></g>',
  '<g id="nothing"><circle cx="8" cy="8" r="2" fill="var(--line)"/></g>',
].join("\n");

/**
 * Draws a year as an SVG image: a calendar with a square for each day, colored and marked by the category of its mood. It
 * has no script, loads nothing, and follows the color scheme of the reader.
 * @param year from 1 to 9999
 * @param days of that year, each at most once
 */
export function drawMoodCalendar(year: number, days: readonly MoodDay[]): string {
  const dayByDate = new Map(days.map((day) => [day.date, day]));
  const months = MONTHS.map((name, month) => drawMonth(year, name, month, dayByDate));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title description">
<title id="title">Mood calendar of ${year}</title>
<desc id="description">${description(days)}</desc>
<style>${STYLE}</style>
<defs>
${SYMBOLS}
</defs>
<rect width="100%" height="100%" fill="var(--background)"/>
<text class="year" x="${MARGIN}" y="${MARGIN + 18}">${year}</text>
${months.join("\n")}
${KINDS.map(drawLegend).join("\n")}
</svg>
`;
}

function filled(kind: Kind, mark: string): string {
  return `<g id="${kind}"><rect width="${SQUARE}" height="${SQUARE}" rx="3" fill="var(--${kind})"/>${mark}</g>`;
}

function drawMonth(year: number, name: string, month: number, dayByDate: ReadonlyMap<string, MoodDay>): string {
  const x = MARGIN + (month % MONTHS_PER_ROW) * MONTH_WIDTH;
  const y = MARGIN + HEADING_HEIGHT + Math.floor(month / MONTHS_PER_ROW) * MONTH_HEIGHT;
  const dates = datesOfMonth(year, month);
  const firstColumn = (weekday(dates[0] ?? "") + 6) % 7;
  const squares = dates.map((date, index) => {
    const column = (firstColumn + index) % 7;
    const row = Math.floor((firstColumn + index) / 7);
    const day = dayByDate.get(date);
    const at = `x="${column * STEP}" y="${MONTH_LABEL_HEIGHT + row * STEP}"`;
    return `<use href="#${kindOf(day)}" ${at}><title>${xmlText(titleOf(date, day))}</title></use>`;
  });
  return `<g transform="translate(${x} ${y})">
<text y="11">${name}</text>
${squares.join("\n")}
</g>`;
}

function drawLegend(kind: Kind, index: number): string {
  const x = MARGIN + (index % 3) * MONTH_WIDTH;
  const y = LEGEND_TOP + Math.floor(index / 3) * LEGEND_LINE;
  return `<use href="#${kind}" x="${x}" y="${y}"/><text x="${x + 24}" y="${y + 13}">${LABELS[kind]}</text>`;
}

function kindOf(day: MoodDay | undefined): Kind {
  if (day === undefined) return "nothing";
  return day.mood === null ? "without_mood" : (moodCategory(day.mood) ?? "other");
}

function titleOf(date: string, day: MoodDay | undefined): string {
  if (day === undefined) return `${date}: no entry`;
  const kind = kindOf(day);
  const mood = day.mood === null || kind === "other" ? (day.mood ?? "no mood") : `${day.mood} (${LABELS[kind]})`;
  return `${date}: ${mood}, ${day.entries === 1 ? "1 entry" : `${day.entries} entries`}`;
}

/** The picture in words: the year, and every month with an entry. */
function description(days: readonly MoodDay[]): string {
  if (days.length === 0) return "No day of this year has an entry.";
  const months = MONTHS.flatMap((name, month) => {
    const ofMonth = days.filter(({ date }) => Number(date.slice(5, 7)) === month + 1);
    return ofMonth.length === 0 ? [] : [`${name}: ${countedKinds(ofMonth)}.`];
  });
  return [
    `A square for each day. Days with an entry, by the category of their mood: ${countedKinds(days)}.`,
    ...months,
  ].join(" ");
}

function countedKinds(days: readonly MoodDay[]): string {
  return KINDS.flatMap((kind) => {
    const count = days.filter((day) => kindOf(day) === kind).length;
    return count === 0 ? [] : [`${count} ${LABELS[kind]}`];
  }).join(", ");
}

function datesOfMonth(year: number, month: number): string[] {
  const prefix = `${String(year).padStart(4, "0")}-${String(month + 1).padStart(2, "0")}`;
  return Array.from({ length: 31 }, (_, day) => `${prefix}-${String(day + 1).padStart(2, "0")}`).filter(
    (date) => new Date(`${date}T00:00:00Z`).getUTCMonth() === month,
  );
}

/** 0 is Sunday. */
function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

const XML_ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text between tags. XML has no way to write most control characters, so they become replacement characters. */
function xmlText(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => XML_ENTITIES[character] ?? character)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}
