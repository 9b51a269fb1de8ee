import type { NectarError } from "./errors.ts";
import type { Nectar } from "./nectar.ts";
import type { Change } from "./types.generated.ts";

type MaybePromise<Value> = Value | Promise<Value>;
type Fields = Readonly<Record<string, unknown>>;

/** What a device may write: the things that `GET /api/changes` shows, but pictures. */
export type WritableType = Exclude<Change["type"], "picture">;

/** A thing as the store keeps it. */
export interface StoredThing {
  readonly type: Change["type"];
  readonly id: string;
  /** Names this state; a write that begins with it has the same etag. */
  readonly etag: string | null;
  /** As `GET /api/changes` shows it. */
  readonly data: Fields;
  /** The etags before it, if no other device has written since: what writes of this device replaced; null before it existed. */
  readonly replaced?: readonly (string | null)[] | undefined;
  /** The number of the last walk through everything that contained it. */
  readonly walk: number;
}

/** Where the app keeps what is pulled, such as a table of its database. */
export interface SyncStore {
  get(type: Change["type"], id: string): MaybePromise<StoredThing | null | undefined>;
  put(thing: StoredThing): MaybePromise<unknown>;
  /** Deletes the thing of a type and an id, or all whose `walk` is below a number. */
  delete(which: {
    readonly type?: Change["type"];
    readonly id?: string;
    readonly walkBelow?: number;
  }): MaybePromise<unknown>;
  /** Returns the text that was given last, nothing at first; stores a text that is given. */
  cursor(next?: string): MaybePromise<string | null | undefined>;
}

/** Something that the user did, and the service does not know yet. */
export interface Write {
  /** The `Idempotency-Key` of what creates something. */
  readonly key: string;
  readonly type: WritableType;
  /** Chosen by the app for what it creates. */
  readonly id: string;
  readonly action: "create" | "update" | "delete";
  /** The fields of the call, without `id`; those of a check-in have the `goal_id`. */
  readonly input: Fields;
  /** The etag of the stored thing when the user began, if there was one. `*` overwrites any state. */
  readonly etag?: string | null | undefined;
  /** The data of the stored thing when the user began, for `onConflict`. */
  readonly base?: Fields | null | undefined;
}

/** Where the app keeps what was not sent yet, in its order. */
export interface SyncQueue {
  /** Returns the oldest write, without removing it. */
  next(): MaybePromise<Write | null | undefined>;
  /** Removes a write. */
  done(write: Write): MaybePromise<unknown>;
}

/** A write that the service refused. */
export interface Conflict {
  readonly write: Write;
  /** `sync.changed_meanwhile` if another device was faster, otherwise why this can never be written. */
  readonly error: NectarError;
  /** The fields that this device wants to write. */
  readonly mine: Fields;
  /** What the service has; null if it has no such thing any more. */
  readonly theirs: Fields | null;
  /** What the user saw before; null if the app did not say so. */
  readonly base: Fields | null;
}

export interface SyncOptions {
  readonly nectar: Nectar;
  readonly store: SyncStore;
  readonly queue: SyncQueue;
  /**
   * Decides about a write that the service refused. If it was changed meanwhile, the fields that are returned are written
   * over that state (any object deletes, if the write deletes). Otherwise, and for undefined, the write is dropped: to send
   * something else instead, add it to the queue. If it throws, `push` stops, and the write stays.
   */
  readonly onConflict: (conflict: Conflict) => MaybePromise<Fields | undefined>;
  /** Only things of these types; by default all that the token may read. */
  readonly types?: readonly Change["type"][];
}

/** The things of a user on a device. Push before you pull. Calls of both wait for each other. */
export interface Sync {
  /** Reads what changed into the store. If the app is killed, the next call goes on with the same page. */
  pull(): Promise<void>;
  /** Sends the queue, one write after the other. It stops at the first one that cannot be sent now, and throws its error. */
  push(): Promise<void>;
}

/** The operations of a type: their group, and the ends of their names. */
const OPERATIONS = {
  entry: ["journal", "Entry"],
  notebook: ["notebooks", ""],
  goal: ["goals", ""],
  goal_check_in: ["goals", "CheckIn"],
  wellness_entry: ["wellnessEntries", ""],
  profile: ["user", "Profile"],
} as const satisfies Record<WritableType, readonly [keyof Nectar, string]>;

/** How many writes may wait for an earlier one of the same thing to arrive. */
const MAX_REPLACED = 20;

/** No thing has this etag, so what is written to an unknown state is refused. */
const UNKNOWN = '"?"';

/** The codes of refusals that say nothing about a write: the same one may arrive later. */
const ABOUT_THE_CALLER = /^(auth|account|client|idempotency|quota|route)\./;

/** Keeps the things of a user on a device in a store of the app. */
export function createSync({ nectar, store, queue, onConflict, types }: SyncOptions): Sync {
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => () => {
    turn = turn.then(work, work);
    return turn;
  };
  return { pull: inTurn(pull), push: inTurn(push) };

  async function pull(): Promise<void> {
    let { walk, isFirst, cursor } = await position();
    const query = { limit: 200, ...(types && { types: types.join() }) };
    const begin = () => {
      walk += 1;
      isFirst = true;
      return nectar.changes.list(query);
    };
    for (let hasMore = true; hasMore; ) {
      const page = await (cursor
        ? nectar.changes.list({ ...query, cursor }).catch((error: NectarError) => {
            if (error.status !== 410) throw error;
            return begin();
          })
        : begin());
      for (const { type, id, removed, etag, data } of page.changes) {
        if (removed || data === null) await store.delete({ type, id });
        else {
          const known = await store.get(type, id);
          await store.put({ type, id, etag, data, walk, replaced: known?.etag === etag ? known?.replaced : undefined });
        }
      }
      hasMore = page.has_more;
      cursor = page.next_cursor;
      if (isFirst && !hasMore) await store.delete({ walkBelow: walk });
      isFirst &&= hasMore;
      await store.cursor(JSON.stringify({ walk, isFirst, cursor }));
    }
  }

  /** Reads where the last pull stopped. The number of the first walk is above that of everything pushed before. */
  async function position(): Promise<{ walk: number; isFirst?: boolean; cursor?: string }> {
    return JSON.parse((await store.cursor()) || '{"walk":0}');
  }

  async function push(): Promise<void> {
    for (let write = await queue.next(); write; write = await queue.next()) {
      await send(write);
      await queue.done(write);
    }
  }

  async function send(write: Write): Promise<void> {
    const { type, id, action, etag = null, base = null } = write;
    const known = await store.get(type, id);
    const { walk } = await position();
    const keep = (thing: Thing | null | undefined, replaced?: StoredThing["replaced"]) =>
      thing ? store.put({ type, id, ...thing, walk, replaced }) : store.delete({ type, id });
    let mine = write.input;
    // A write that began before earlier ones of this device had arrived is about what they left.
    let earlier = known?.replaced?.includes(etag) ? known.replaced : [];
    let ifMatch = known && earlier.length > 0 ? known.etag : etag;
    for (;;) {
      const error = await call(write, action, mine, ifMatch ?? UNKNOWN).then(
        async ({ thing, status }) => {
          // What existed already may have been changed since by another device.
          await keep(thing, action === "create" && status === 200 ? [] : [...earlier, ifMatch].slice(-MAX_REPLACED));
        },
        (reason: NectarError) => reason,
      );
      if (!error) return;
      const { status, code } = error;
      if (!(status >= 400 && status < 500) || ABOUT_THE_CALLER.test(code)) throw error;
      const isMissing = action === "create" || (type === "goal_check_in" && status === 404);
      const theirs = isMissing ? undefined : type === "goal_check_in" ? known : await read(write);
      // It had arrived, and its response had not.
      if (action === "delete" ? !theirs : theirs && status === 412 && has(theirs.data, mine)) {
        await keep(theirs);
        return;
      }
      const decided = await onConflict({ write, error, mine, theirs: theirs?.data ?? null, base });
      if (!theirs || !decided || status !== 412) {
        await keep(theirs);
        return;
      }
      mine = decided;
      earlier = [];
      ifMatch = theirs.etag;
    }
  }

  /** What the service has; undefined if it has no such thing any more. */
  async function read(write: Write): Promise<Thing | undefined> {
    try {
      return (await call(write, "read", {})).thing;
    } catch (error) {
      if (Object(error).status === 404 && !ABOUT_THE_CALLER.test(Object(error).code)) return undefined;
      throw error;
    }
  }

  async function call({ key, type, id }: Write, action: string, input: Fields, ifMatch?: string) {
    const [group, suffix] = OPERATIONS[type];
    const { goal_id, ...fields } = input;
    let etag: string | null = null;
    let status = 0;
    const operation: unknown = Object(nectar[group])[action + suffix];
    if (typeof operation !== "function") throw new TypeError(`There is no ${action} of a ${type}.`);
    const body: object = await operation(
      type === "goal_check_in"
        ? { ...fields, id: goal_id, checkInId: id }
        : type === "profile"
          ? fields
          : { ...fields, id },
      {
        idempotencyKey: key,
        headers: ifMatch && action !== "create" ? { "if-match": ifMatch } : {},
        onResponse: (response: Response) => {
          etag = response.headers.get("etag");
          status = response.status;
        },
      },
    );
    const { pictures, check_ins, ...data } = Object(Object.values(body)[0]);
    return { thing: action === "delete" ? undefined : { etag, data }, status };
  }
}

/** A state of a thing. */
type Thing = Pick<StoredThing, "etag" | "data">;

/** Whether a thing has the values of some fields. */
function has(thing: Fields, fields: Fields): boolean {
  return Object.keys(fields).every((name) => JSON.stringify(thing[name]) === JSON.stringify(fields[name]));
}
