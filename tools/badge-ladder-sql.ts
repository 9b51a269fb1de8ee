import { BADGE_LADDER } from "#core/people/badges";

const COLUMNS = ["name", "min_engagement_increases", "min_success_rate", "min_consecutive_days", "emoji", "color"];

/** The rows of the badge ladder in supabase/seeds, so that the database can raise levels where successes are counted. */
export function badgeLadderSql(): string {
  const rows = BADGE_LADDER.map(
    ({ level, name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color }) =>
      `  (${level}, ${text(name)}, ${min_engagement_increases}, ${min_success_rate ?? "null"}, ${min_consecutive_days ?? "null"}, ${text(emoji)}, ${text(color)})`,
  );
  return `-- Generated from packages/core/people/badges.ts by \`npm run generate\`. Do not edit.

insert into nectar.badge_definitions
  (level, name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color)
values
${rows.join(",\n")}
on conflict (level) do update set (${COLUMNS.join(", ")})
  = (${COLUMNS.map((column) => `excluded.${column}`).join(", ")})
where (${COLUMNS.map((column) => `badge_definitions.${column}`).join(", ")})
  is distinct from (${COLUMNS.map((column) => `excluded.${column}`).join(", ")});
`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
