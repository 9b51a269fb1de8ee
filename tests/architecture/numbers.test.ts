import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WINDOW_MINUTES } from "#core/game/time";
import * as LIMITS from "#core/limits";
import { APPEAL_DAYS, HAND_BACK_DAYS, KEPT_DAYS, RESPONSE_KEPT_HOURS } from "#core/retention";
import { grouped, inMb, inWords } from "#core/text/numbers";
import { readSchemaFiles } from "#tools/migration/schema-files";
import { ROOT, readSources } from "./sources.ts";

const COUNT = String.raw`(?:\d[\d,.]*|half an?|one|two|three|four|five|six|seven|eight|ten|twenty)`;
const UNIT =
  "(?:[KMG]B|bytes|(?:mega)?pixels|seconds?|minutes?|hours?|days?|weeks?|months?|characters|entries|pictures|photos|files|people|users|tags|devices|messages|dates|sections|addresses|periods|times)";
/** A number with its unit, or a limit. */
const NUMBER = new RegExp(
  String.raw`\b${COUNT}[ -]${UNIT}\b|\b(?:within|for) an? (?:minute|hour|day|week)\b|\b(?:at most|at least|up to|than|first|last|newest|have|has) (?![01]\b)\d`,
  "i",
);

const DIGITS = new RegExp(String.raw`\b\d[\d,.]*[ -]${UNIT}\b`);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Numbers in texts that are no limits of ours, or stand beside their rule. */
const ALLOWED = [
  /24-hour time|16 bytes in base64url|Secret of 16 bytes|floor\(\(red \+ blue\) \/ 2\), at least 100|at 16 pixels|has 32 bytes|give it ten minutes/,
  /\b(1 minute|seven dates|four characters|one week later|on one day|once in three days)\b/,
  /per 24 hours|interval '1 day'/,
  /must be at most \d|have 2 letters/,
  // The client has a copy of the file with these, which imports nothing.
  new RegExp(`hand it back for ${HAND_BACK_DAYS} days|download your data for ${KEPT_DAYS.exportFiles} days`),
];

/** What SQL says of a number that texts have. */
const IN_SQL: Readonly<Record<string, readonly string[]>> = {
  "accounts/closing.sql": [`interval '${KEPT_DAYS.closingAccounts} days'`],
  "accounts/personal_tokens.sql": [`>= ${LIMITS.MAX_TOKENS} then`, `interval '${KEPT_DAYS.expiredTokens} days'`],
  "assistant/recent_notes.sql": [`interval '${LIMITS.NOTES_DAYS * 24} hours'`],
  "audience/audience.sql": [`return ${LIMITS.MAX_AUDIENCE_COUNTED};`, `c.name desc limit ${LIMITS.MAX_EXAMPLES}\n`],
  "badges/leaderboard.sql": [`p_first bigint default ${LIMITS.RANKS_COUNTED_AT_ONCE}`],
  "archives/exports.sql": [`now() + interval '${KEPT_DAYS.exportFiles} days'`],
  "archives/imports.sql": [
    `now() + interval '${inWords(LIMITS.UNUSED_ARCHIVE_SECONDS)}'`,
    `created_at + interval '${inWords(LIMITS.UNNEEDED_ARCHIVE_SECONDS)}'`,
  ],
  "files/stored_files.sql": [`now() + interval '${inWords(LIMITS.UNUSED_UPLOAD_SECONDS)}'`],
  "drops/reconciling.sql": [`limit ${LIMITS.MAX_RECONCILIATION_DIFFERENCES}\n`],
  "game/check-ins/check_ins.sql": [
    `when p_is_early then ${LIMITS.EARLY_CHIPS} `,
    `when p_has_streak then ${LIMITS.STREAK_CHIPS} `,
  ],
  "game/days/ends.sql": [`p_moment + interval '${LIMITS.REMINDER_MINUTES} minutes'`],
  "groups/commenting.sql": [`limit ${LIMITS.MAX_COMMENTERS_NOTIFIED}\n`],
  "groups/ownership.sql": [`received_at > now() - interval '${HAND_BACK_DAYS} days')`],
  "groups/user_pages.sql": [
    `v_today - ${LIMITS.PLAYED_TOGETHER_DAYS} `,
    `order by o.name, o.id limit ${LIMITS.MAX_SHARED_ORGANIZATIONS}\n`,
  ],
  "journal/entries.sql": [`check (picture_count between 0 and ${LIMITS.MAX_PICTURES_OF_ENTRY})`],
  "notifications/push_deliveries.sql": [`v_max_badge constant integer := ${LIMITS.MAX_BADGE};`],
  "journal/entry_dates.sql": [`limit ${LIMITS.MAX_ENTRIES_ON_THIS_DAY}\n`],
  "journal/entry_pictures.sql": [
    `v_count >= ${LIMITS.MAX_PICTURES_OF_ENTRY} then`,
    `limit ${LIMITS.MAX_PICTURES_LISTED + 1};`,
  ],
  "journal/pages.sql": [
    `v_max_searched constant integer := ${LIMITS.MAX_ENTRIES_SEARCHED};`,
    `limit ${LIMITS.MAX_ENTRIES_COUNTED}\n`,
  ],
  "journal/stats.sql": [
    `limit ${LIMITS.MAX_MOODS_COUNTED}\n`,
    `limit ${LIMITS.MAX_TAGS_OF_STATS}\n`,
    `v_to - ${LIMITS.DEFAULT_STATS_DAYS - 1},`,
    `v_to - v_from >= ${LIMITS.MAX_STATS_DAYS} then`,
    `at most ${LIMITS.MAX_STATS_DAYS - 1} days`,
  ],
  "journal/trash.sql": [`interval '${KEPT_DAYS.trash} days'`],
  "notifications/push_subscriptions.sql": [`v_max_devices constant integer := ${LIMITS.MAX_DEVICES};`],
  "safety/appeals.sql": [`interval '${APPEAL_DAYS} days'`],
};

const window = `${WINDOW_MINUTES / 60} hours`;
const inForm = `more than ${inMb(LIMITS.MAX_PHOTO_IN_FORM_BYTES)}`;
/** How many units a person may use of a quota in its period. */
const quota = (name: string) =>
  grouped(Number(new RegExp(`'${name}', (\\d+),`).exec(read("supabase/schemas/requests/quotas.sql"))?.[1]));
/** The numbers that pages have. */
const ON_PAGES: Readonly<Record<string, readonly string[]>> = {
  "docs/privacy.md": [
    `signed for ${inWords(LIMITS.PHOTO_URL_SECONDS)} (photos, exports) or ${inWords(LIMITS.PICTURE_URL_SECONDS)} (`,
  ],
  "docs/fairness.md": [
    `waits for ${inWords(LIMITS.PHOTO_TURN_SECONDS)}`,
    `After ${inWords(LIMITS.IMPORT_TURN_SECONDS)} one goes`,
    `can import ${quota("import_picture")} pictures`,
  ],
  "docs/guide/apps.md": [inForm],
  "docs/guide/game-day.md": [
    `commit to ${window}`,
    `exactly ${window} long`,
    inForm,
    `works for ${inWords(LIMITS.PHOTO_URL_SECONDS)}`,
  ],
  "docs/guide/offline.md": [`older than ${KEPT_DAYS.removedThings} days`, `${quota("changes")} times a minute`],
  "docs/guide/people.md": [
    `in the last ${LIMITS.PLAYED_TOGETHER_DAYS} days`,
    `hand the organization back for ${HAND_BACK_DAYS} days`,
  ],
  "docs/guide/safety.md": [`${APPEAL_DAYS} days after the decision`],
  "docs/guide/team-chat.md": [`${quota("team_message")} messages`, `deleted after ${KEPT_DAYS.squadMessages} days`],
  "docs/guide/write-and-share.md": [
    `up to ${LIMITS.MAX_PICTURES_OF_ENTRY} pictures`,
    inForm,
    `at most ${grouped(LIMITS.PICTURE_SIDE)} pixels`,
    `work for ${inWords(LIMITS.PICTURE_URL_SECONDS)}`,
    "up to 100 entries",
    `for ${RESPONSE_KEPT_HOURS} hours`,
  ],
  "docs/guide/your-data.md": [
    `up to ${LIMITS.MAX_STATS_DAYS} days`,
    `For ${KEPT_DAYS.trash} days`,
    `for ${inWords(LIMITS.PHOTO_URL_SECONDS)} at a time`,
    `kept for ${KEPT_DAYS.exportFiles} days`,
    `at most ${inWords(LIMITS.MAX_FRESH_TOKEN_SECONDS)} old`,
  ],
};

/** A text without what it may have. */
const without = (text: string, allowed: readonly (string | RegExp)[]) =>
  allowed.reduce<string>(
    (rest, part) => rest.replaceAll(typeof part === "string" ? part : new RegExp(part, "g"), ""),
    text,
  );

describe("the numbers of rules", () => {
  test("are in no text of the code by hand", () => {
    const texts = readSources()
      .filter(({ path }) => /^(functions|packages)\//.test(path) && !path.includes(".generated."))
      .flatMap(({ path, text }) => textsOf(text).map((sentence) => `${path}: ${sentence}`));
    expect(texts.length).toBeGreaterThan(2_000);
    expect(texts.filter((text) => NUMBER.test(without(text, ALLOWED)))).toEqual([]);
  });

  test("are in no comment of the database", () => {
    const comments = readSchemaFiles(join(ROOT, "supabase")).flatMap(({ sql }) =>
      [...sql.matchAll(/^comment on ([^;]*?) is\s+'((?:[^']|'')*)'/gm)].map(([, what, text]) => `${what}: ${text}`),
    );
    expect(comments.length).toBeGreaterThan(500);
    expect(comments.filter((text) => DIGITS.test(without(text, ALLOWED)))).toEqual([]);
  });

  test("are in SQL what they are in texts", () => {
    for (const [path, parts] of Object.entries(IN_SQL)) {
      const sql = read(`supabase/schemas/${path}`);
      for (const part of parts) expect.soft(sql.includes(part), `${path}: ${part}`).toBe(true);
    }
  });

  test("are on pages what they are in the code, and the guide has no others", () => {
    const guide = globSync("docs/guide/*.md", { cwd: ROOT });
    for (const path of new Set([...Object.keys(ON_PAGES), ...guide])) {
      const prose = read(path)
        .replaceAll(/```[\s\S]*?```/g, "")
        .replaceAll(/\s+/g, " ");
      const parts = ON_PAGES[path] ?? [];
      for (const part of parts) expect.soft(prose.includes(part), `${path}: ${part}`).toBe(true);
      if (guide.includes(path)) expect.soft(DIGITS.exec(without(prose, parts))?.[0], path).toBeUndefined();
    }
  });
});

/** The texts of several words in a source, with `…` for what they have from elsewhere. */
function textsOf(source: string): string[] {
  const withoutComments = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...withoutComments.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)]
    .map(([text]) => text.replaceAll(/\$\{[^}]*\}/g, "…"))
    .filter((text) => text.includes(" "));
}
