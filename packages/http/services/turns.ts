import { AppError } from "#core/errors";

/** How many transactions of one person may run at the same time in a process. */
const TRANSACTIONS_AT_ONCE = 3;
/** How long further work of that person waits, in milliseconds. */
const MAX_WAIT_MS = 2_000;

interface Person {
  running: number;
  /** Starts what waits, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Limits how much the requests of one person do at once, so that everyone else gets their part: of the database by default. */
export class Turns {
  /** Only people with work that runs. */
  readonly #people = new Map<string, Person>();
  readonly #maxWaitMs: number;
  readonly #maxAtOnce: number;

  constructor(maxWaitMs = MAX_WAIT_MS, maxAtOnce = TRANSACTIONS_AT_ONCE) {
    this.#maxWaitMs = maxWaitMs;
    this.#maxAtOnce = maxAtOnce;
  }

  /** How many people have work that runs. */
  get size(): number {
    return this.#people.size;
  }

  /**
   * Does the work as soon as fewer others of the person run than may at once.
   * @param request ends the wait if its client disconnects
   * @throws AppError 429 with Retry-After after waiting for too long
   */
  async take<Result>(userId: string, request: Pick<Request, "signal">, work: () => Promise<Result>): Promise<Result> {
    const person = this.#people.get(userId) ?? { running: 0, waiting: new Set() };
    this.#people.set(userId, person);
    if (person.running < this.#maxAtOnce) person.running += 1;
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

/** Resolves when work of the person ends and hands its turn over. */
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
