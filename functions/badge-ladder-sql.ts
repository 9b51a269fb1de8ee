import { BADGE_LADDER } from "@nectar/core/badges";

/** The migration that stores the badge ladder, so that the database can raise levels where successes are counted. */
export function badgeLadderSql(): string {
  const rows = BADGE_LADDER.map(
    ({ level, name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color }) =>
      `  (${level}, ${text(name)}, ${min_engagement_increases}, ${min_success_rate ?? "null"}, ${min_consecutive_days ?? "null"}, ${text(emoji)}, ${text(color)})`,
  );
  return `-- Generated from packages/core/badges.ts by \`npm run generate\`. Do not edit.

insert into nectar.badge_definitions
  (level, name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color)
values
${rows.join(",\n")};
`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
