/**
 * Name of a component in SST, which allows only letters and digits: `encouragement-drops` becomes `EncouragementDrops`,
 * and the secret of the variable `DATABASE_URL` becomes `DatabaseUrl`.
 */
export function componentName(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}
