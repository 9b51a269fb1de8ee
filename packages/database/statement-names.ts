import { createHash } from "node:crypto";

/** Maximum number of names, because every session of PostgreSQL keeps a statement and a plan for each. */
const MAX_NAMES = 500;

/**
 * The names of prepared statements. A statement gets one when it is sent for the second time, so that statements that are
 * built for one request take no memory in PostgreSQL. Names are hashes: the same name means the same text in all processes.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #sentOnce = new Set<string>();

  /** The name to send a statement with; undefined if it has none. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size === MAX_NAMES) return name;
    if (this.#sentOnce.delete(text)) {
      this.#names.set(text, createHash("sha256").update(text).digest("base64url"));
      return this.#names.get(text);
    }
    if (this.#sentOnce.size === MAX_NAMES) this.#sentOnce.clear();
    this.#sentOnce.add(text);
    return undefined;
  }

  /** Forgets all names, so that every statement is next sent without one. */
  forget(): void {
    this.#names.clear();
    this.#sentOnce.clear();
  }
}
