/** A value of a sample as SQL. @param person SQL of the person's id @param n SQL of the number of the row */
export function literal(value: string | number | boolean | null, person = "''", n = "1"): string {
  if (typeof value !== "string") return String(value);
  const text = `'${value.replaceAll("'", "''")}'`;
  if (!/:(n|person)\b/.test(value)) return text;
  return `replace(replace(${text}, ':person', (${person})::text), ':n', (${n})::text)`;
}
