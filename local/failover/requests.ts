import { randomUUID } from "node:crypto";
import { createNectar, NectarError } from "#client";

/** Writes are started together, so often each second. */
const BATCHES_PER_SECOND = 20;
/** A request without a response for so long counts as hanging. */
const HANGING_MS = 30_000;

/** With more requests at once, a machine that cannot keep up would measure only itself. */
const MAX_AT_ONCE = 500;

/** Someone who sends requests. */
export interface Person {
  readonly id: string;
  readonly token: string;
}

export type Kind = "entry" | "drop" | "purchase";

/** A write that was acknowledged: its row. */
export interface Acknowledged {
  readonly kind: Kind;
  readonly id: string;
}

export interface RequestOptions {
  readonly url: string;
  readonly people: readonly Person[];
  /** Ids of packs with a price. */
  readonly packs: readonly string[];
  readonly writesPerSecond: number;
}

export type Requests = ReturnType<typeof startRequests>;

/**
 * Sends writes, and a tenth as many reads, until it is stopped. The client repeats a write with its Idempotency-Key until it
 * is acknowledged; the key also stands in what it writes.
 */
export function startRequests({ url, people, packs, writesPerSecond }: RequestOptions) {
  const acknowledged: Acknowledged[] = [];
  /** The times of responses 503 with Retry-After, on the clock of `performance.now()`. */
  const unavailableAt: number[] = [];
  /** Other responses that say that the service failed, and requests without a response, with their number. */
  const problems = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  let [started, sent, atOnce, slowestMs] = [0, 0, 0, 0];

  /** Sends one attempt of the client, and looks at the response. */
  async function observed(address: string, init: RequestInit): Promise<Response> {
    sent += 1;
    atOnce += 1;
    const sentAt = performance.now();
    try {
      const response = await fetch(address, init);
      const { status, headers } = response;
      if (status === 503 && headers.has("retry-after")) unavailableAt.push(performance.now());
      else if (status >= 500) count(`${init.method} ${address.replace(/[0-9a-f-]{36}/, "…")}: ${status}`);
      return response;
    } catch (error) {
      count(`no response: ${error instanceof Error ? `${error.name} ${String(error.cause)}` : String(error)}`);
      throw error;
    } finally {
      atOnce -= 1;
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
    }
  }

  function count(problem: string): void {
    problems.set(problem, (problems.get(problem) ?? 0) + 1);
  }

  const callers = people.map(({ id, token }, index) => ({
    nectar: createNectar({
      baseUrl: url,
      token: () => token,
      fetch: observed,
      timeoutMs: HANGING_MS,
      retries: Number.POSITIVE_INFINITY,
    }),
    neighborId: people[(index + 1) % people.length]?.id ?? id,
  }));

  function callerAt(index: number) {
    const caller = callers[index % callers.length];
    if (caller === undefined) throw new Error("There are no people to send requests.");
    return caller;
  }

  /** Four writes are a turn, each by another person. */
  async function write(n: number): Promise<Acknowledged> {
    const options = { idempotencyKey: randomUUID() };
    const turn = Math.floor(n / 4);
    const { nectar, neighborId } = callerAt(turn + (n % 4) * 75);
    // Each person buys each pack once.
    const pack = packs[Math.floor(turn / people.length)];
    if (n % 4 === 3 && pack !== undefined) {
      const { purchase } = await nectar.tonePacks.purchase({ id: pack }, options);
      return { kind: "purchase", id: purchase.id };
    }
    if (n % 4 === 1) {
      const input = { recipient_id: neighborId, content: options.idempotencyKey };
      const { drop } = await nectar.encouragementDrops.send(input, options);
      return { kind: "drop", id: drop.id };
    }
    const input = { title: options.idempotencyKey, content: "Along the lake and back. ".repeat(12) };
    const { entry } = await nectar.journal.createEntry(input, options);
    return { kind: "entry", id: entry.id };
  }

  async function read(n: number): Promise<void> {
    const { nectar } = callerAt(n);
    await (n % 2 === 0 ? nectar.drops.readBalance() : nectar.tonePacks.list({ limit: 1 }));
  }

  function start(work: Promise<void>): void {
    // An error that is not repeated has been counted by its status.
    const ended = work
      .catch((error: unknown) => {
        if (!(error instanceof NectarError)) throw error;
      })
      .finally(() => pending.delete(ended));
    pending.add(ended);
  }

  const from = performance.now();
  const due = () => Math.floor(((performance.now() - from) / 1_000) * writesPerSecond);
  const timer = setInterval(() => {
    const end = Math.min(due(), started + MAX_AT_ONCE - atOnce);
    for (; started < end; started += 1) {
      start(write(started).then((row) => void acknowledged.push(row)));
      if (started % 10 === 0) start(read(started / 10));
    }
  }, 1_000 / BATCHES_PER_SECOND);

  return {
    acknowledged,
    unavailableAt,
    problems,
    /** How many writes and reads are due and have no final response yet. */
    pending: () => due() - started + pending.size,
    /** Starts no more writes and reads, and waits for those that are pending. */
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return { writes: started, sent, slowestMs };
    },
  };
}
