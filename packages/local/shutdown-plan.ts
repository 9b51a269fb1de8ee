import { messageOf } from "./startup-problem.ts";

/** A part that runs and can be stopped. */
export interface Stoppable {
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it immediately, without waiting; also called while this process exits. */
  kill(): void;
}

/** All parts that were started; the last one is stopped first. */
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
          console.error(`  A part did not stop in order: ${messageOf(error)}`);
        }
      }
    },
    killAll: () => {
      isStopping = true;
      for (let part = parts.pop(); part; part = parts.pop()) part.kill();
    },
  };
}
