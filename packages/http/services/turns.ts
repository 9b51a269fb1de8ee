import { AppError } from "#core/errors";

/** How many transactions of one person may run at the same time in a process. */
const MAX_AT_ONCE = 3;
/** How long further ones of that person wait, in milliseconds. */
const MAX_WAIT_MS = 2_000;

interface Person {
  running: number;
  /** Starts the transactions that wait, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Limits how much of the database the requests of one person use at once, so that everyone else gets their part. */
export class Turns {
  /** Only people with a transaction that runs. */
  readonly #people = new Map<string, Person>();
  readonly #maxWaitMs: number;

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many people have a transaction that runs. */
  get size(): number {
    return this.#people.size;
  }

  /**
   * Does the work as soon as fewer than three others of the person run.
   * @param request ends the wait if its client disconnects
   * @throws AppError 429 with Retry-After after waiting for too long
   */
  async take<Result>(userId: string, request: Pick<Request, "signal">, work: () => Promise<Result>): Promise<Result> {
    const person = this.#people.get(userId) ?? { running: 0, waiting: new Set() };
    this.#people.set(userId, person);
    if (person.running < MAX_AT_ONCE) person.running += 1;
    else await turnOf(person, request.signal, this.#maxWaitMs);
    try {
      return await work();
    } finally {
      const [handOver] = person.waiting;
      if (handOver === undefined) person.running -= 1;
      else handOver();
      if (person.running === 0) this.#people.delete(userId);
    }
  }
}

/** Resolves when a transaction of the person ends and hands its turn over. */
function turnOf({ waiting }: Person, signal: AbortSignal, maxWaitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(begin);
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const begin = () => {
      leave();
      resolve();
    };
    const refuse = (error: AppError) => {
      leave();
      reject(error);
    };
    const onAbort = () => refuse(new AppError("request.aborted"));
    const timer = setTimeout(() => refuse(new AppError("quota.too_many_at_once", { retryAfterSeconds: 1 })), maxWaitMs);
    waiting.add(begin);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
}
