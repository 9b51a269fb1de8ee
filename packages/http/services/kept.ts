import type { Services } from "./services.ts";

interface Kept<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * Loads something that is the same for all callers at most once in a while in a process. A failure is not kept.
 * @param keptMs how long a value counts, in milliseconds
 */
export function keptFor<Value>(keptMs: number, load: (services: Services, now: Date) => Promise<Value>) {
  const values = new WeakMap<Services, Kept<Value>>();
  return (services: Services, now: Date): Promise<Value> => {
    const kept = values.get(services);
    if (kept !== undefined && Math.abs(now.getTime() - kept.at) < keptMs) return kept.value;
    const value = load(services, now);
    values.set(services, { at: now.getTime(), value });
    value.catch(() => values.delete(services));
    return value;
  };
}
