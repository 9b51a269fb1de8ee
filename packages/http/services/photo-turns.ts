import { AppError } from "#core/errors";
import { MAX_PHOTO_IN_FORM_BYTES, PHOTO_TURN_SECONDS } from "#core/limits";
import { Turns } from "./turns.ts";

/** The largest form with a photo, in bytes. */
export const MAX_PHOTO_FORM_BYTES = MAX_PHOTO_IN_FORM_BYTES + 64 * 1024;
/** How many people a process may receive or decode photos of at the same time: one or two are decoded, and the others wait. */
const MAX_PEOPLE = 20;
/** Bytes of all these photos together, as they were sent. */
const MAX_BYTES = 64 * 1024 * 1024;
/** When those who are refused may try again, in seconds. */
const RETRY_AFTER_SECONDS = 3;

/** Limits how many photos a process has in memory: one of a person, of few people, with few bytes together. */
export class PhotoTurns {
  readonly #turns: Turns;
  /** The bytes of the photos of each person whose turn it is. */
  readonly #held = new Map<string, number>();

  constructor(maxWaitMs = PHOTO_TURN_SECONDS * 1_000) {
    this.#turns = new Turns(maxWaitMs, 1);
  }

  /**
   * Does the work of a request with a photo as soon as no other one of the person runs, before its body is read.
   * @throws AppError 429 after waiting for too long, 503 if too many photos are in memory; both with Retry-After
   */
  take<Result>(userId: string, request: Request, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.take(userId, request, async () => {
      try {
        const declared = Number(request.headers.get("content-length") ?? MAX_PHOTO_FORM_BYTES);
        this.hold(userId, Math.min(declared, MAX_PHOTO_FORM_BYTES));
        return await work();
      } finally {
        this.#held.delete(userId);
      }
    });
  }

  /** Counts bytes of a photo of the person whose turn it is, until that ends. @throws AppError 503 if they are too many */
  hold(userId: string, bytes: number): void {
    const others = this.#held.size - (this.#held.has(userId) ? 1 : 0);
    const total = [...this.#held.values()].reduce((sum, each) => sum + each, bytes);
    if (others >= MAX_PEOPLE || total > MAX_BYTES) {
      throw new AppError("service.busy", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#held.set(userId, (this.#held.get(userId) ?? 0) + bytes);
  }
}
