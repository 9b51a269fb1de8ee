/** Something that was started and has to be ended. */
export interface Stoppable {
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it at once; called when there is no time or no event loop left. */
  kill(): void;
}

/** Everything that was started, in the order of starting; it is ended in the opposite order. */
export interface ShutdownPlan {
  readonly isStopping: boolean;
  add(part: Stoppable): void;
  /** Ends every part, the last started first. A part that fails to stop is killed. */
  stopAll(): Promise<void>;
  /** Ends every part at once. */
  killAll(): void;
}

/** An empty plan. */
export function shutdownPlan(): ShutdownPlan {
  const parts: Stoppable[] = [];
  let isStopping = false;
  return {
    get isStopping() {
      return isStopping;
    },
    add: (part) => {
      parts.push(part);
    },
    stopAll: async () => {
      isStopping = true;
      for (let part = parts.pop(); part; part = parts.pop()) {
        try {
          await part.stop();
        } catch (error) {
          part.kill();
          console.error(`  A part did not stop in order: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    },
    killAll: () => {
      isStopping = true;
      for (let part = parts.pop(); part; part = parts.pop()) part.kill();
    },
  };
}
