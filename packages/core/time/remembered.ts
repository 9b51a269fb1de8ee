/** Above this number of results, a function forgets all of them. */
const MAX_RESULTS = 10_000;

/** Remembers the results of a function that depends on nothing but its texts. */
export function remembered<Texts extends readonly string[], Result extends NonNullable<unknown>>(
  compute: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const results = new Map<string, Result>();
  return (...texts) => {
    const key = texts.join("\n");
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(...texts);
    if (results.size >= MAX_RESULTS) results.clear();
    results.set(key, result);
    return result;
  };
}
