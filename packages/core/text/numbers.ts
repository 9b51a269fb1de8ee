/** A whole number as texts have it: `20,000`. `toLocaleString` takes a tenth of a second the first time. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of bytes as texts have it: `4 MB`. */
export function inMb(bytes: number): string {
  return `${bytes / 1024 ** 2} MB`;
}

/** A time as texts have it: `1 hour`, `15 minutes`. */
export function inWords(seconds: number): string {
  const units = [
    [24 * 3600, "day"],
    [3600, "hour"],
    [60, "minute"],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds % length === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
