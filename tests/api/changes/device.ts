import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

type Page = Awaited<ReturnType<typeof pageAfter>>;
export type Change = Page["changes"][number];

/** A page of the feed, beyond any quota. */
export async function pageAfter(api: TestApi, as: Pick<Person, "id" | "token">, cursor: string | null, limit = 100) {
  await api.query`delete from private.quota_uses where user_id = ${as.id} and name = 'changes'`;
  const at = cursor === null ? "" : `&cursor=${cursor}`;
  return api.get(`/api/changes?limit=${limit}${at}` as "/api/changes", as).ok();
}

/** Waits until everything that was committed so far is in the next walk. The transactions of other tests run beside. */
export async function horizon(api: TestApi): Promise<void> {
  const { next } = await api.one<{ next: string }>`select pg_snapshot_xmax(pg_current_snapshot()) as next`;
  const isPast = () =>
    api.one<{ past: boolean }>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as past`;
  while (!(await isPast()).past);
}

/** A device of a person, which keeps what it pulls. What it has stored survives a kill, and nothing else. */
export class Device {
  things = new Map<string, Change>();
  cursor: string | null = null;
  /** What a walk from the beginning has found so far; null after it. */
  #fresh: Map<string, Change> | null = new Map();
  readonly #api: TestApi;
  readonly #person: Pick<Person, "id" | "token">;

  constructor(api: TestApi, person: Pick<Person, "id" | "token">) {
    this.#api = api;
    this.#person = person;
  }

  /** Pulls pages to the end of a walk, or a few of them. @returns the things that came, in their order */
  async pull({ limit = 100, pages = Number.POSITIVE_INFINITY } = {}): Promise<Change[]> {
    const came: Change[] = [];
    for (let page = 0; page < pages; page += 1) {
      const next = await pageAfter(this.#api, this.#person, this.cursor, limit);
      came.push(...next.changes);
      this.#store(next);
      if (!next.has_more) break;
    }
    return came;
  }

  /** Asks for a page whose response is lost. */
  async lose(): Promise<void> {
    await pageAfter(this.#api, this.#person, this.cursor, 2);
  }

  /** Begins from the beginning, as after 410. */
  restart(): void {
    this.cursor = null;
    this.#fresh = new Map();
  }

  #store({ changes, next_cursor, has_more }: Page): void {
    const things = this.#fresh ?? this.things;
    for (const change of changes) {
      if (change.removed) things.delete(`${change.type} ${change.id}`);
      else things.set(`${change.type} ${change.id}`, change);
    }
    this.cursor = next_cursor;
    if (has_more || this.#fresh === null) return;
    this.things = this.#fresh;
    this.#fresh = null;
  }

  /** The etag of each thing, by its type and id. */
  etags(): Record<string, string | null> {
    return Object.fromEntries([...this.things].map(([key, { etag }]) => [key, etag]).toSorted());
  }
}
