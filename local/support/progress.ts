/** Prints how far the start has come. */
export interface Progress {
  /** Runs one step and prints its name with the time it took. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Prints one line about something worth knowing. */
  note(line: string): void;
}

/**
 * Progress as lines on standard output.
 * @param checkpoint runs before every step and may throw to end the start, e.g. after Ctrl-C.
 */
export function printedProgress(checkpoint: () => void): Progress {
  return {
    step: async (name, work) => {
      checkpoint();
      const startedAt = performance.now();
      const result = await work();
      console.log(`  ${name} ready after ${seconds(performance.now() - startedAt)}`);
      return result;
    },
    note: (line) => console.log(`  ${line}`),
  };
}

/** A duration for people: milliseconds in, "1.2 s" out. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
