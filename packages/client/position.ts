/** How long a write is remembered, in milliseconds. No replica of the service lags as much. */
const REMEMBERED_MS = 60_000;

/**
 * The position of the last write, a number that grows. With it, a replica of the database serves a read
 * only if it has that write.
 */
export class LastWrite {
  #position = "";
  #until = 0;
  /** Until then, there may be a write whose position never arrived. */
  #unknownUntil = 0;

  /** The value of the header; undefined if only the primary can have everything that was written. */
  header(): string | undefined {
    const now = performance.now();
    if (now < this.#unknownUntil) return undefined;
    return now < this.#until ? this.#position : "";
  }

  /** Remembers what a request has written, or may have written. @param response undefined if none arrived */
  note(method: string, response: Response | undefined): void {
    const until = performance.now() + REMEMBERED_MS;
    const position = response?.headers.get("x-nectar-position");
    if (position != null) {
      if (performance.now() >= this.#until || Number(position) > Number(this.#position)) this.#position = position;
      this.#until = until;
    } else if (method !== "GET" && (response === undefined || response.status >= 500)) {
      this.#unknownUntil = until;
    }
  }
}
