/** A file on the device, as the forms of React Native take it. */
export interface LocalFile {
  /** Such as `file:///...`. */
  readonly uri: string;
  readonly name: string;
  /** Media type, such as `image/jpeg`. */
  readonly type: string;
  /** Bytes. Needed to upload a photo that is too large for a request. */
  readonly size?: number;
}

/** Uploads a photo with PUT and exactly these headers. */
export type Upload = (
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly photo: Blob | LocalFile;
    readonly signal?: AbortSignal;
  },
) => Promise<{ readonly status: number }>;

/** How one call differs from the defaults of the client. */
export interface CallOptions {
  /** Aborts the call, its retries included. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that one attempt may take, the reading of its response included. */
  readonly timeoutMs?: number;
  /** How often a failed attempt is repeated where that is safe. */
  readonly retries?: number;
  /**
   * The key of a POST, instead of a new one for each call. A call that is repeated with the same key within 24 hours runs
   * once: keep the key with what the user has not sent yet.
   */
  readonly idempotencyKey?: string;
  /** Called with the response of a call that succeeds, for its status and headers; its body is read already. */
  readonly onResponse?: (response: Response) => void;
  /** Headers besides those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Uploads the photo if it is too large for a request, instead of `fetch`. */
  readonly upload?: Upload;
}

/** The first page of a list whose pages have no single list of items, and all of its pages. */
export interface Pages<Page> extends Promise<Page> {
  /** Reads page after page, from the first one. */
  pages(): AsyncGenerator<Page, void, undefined>;
}

/** The first page of a list when it is awaited, and all items of all pages when it is read by `for await`. */
export interface Paged<Page, Item> extends Pages<Page>, AsyncIterable<Item> {}

/** An operation of the API. */
export interface Operation {
  /** GET if left out: most are, and an app loads the table. */
  readonly method?: string;
  /** Path with parameters such as `{id}`. */
  readonly path: string;
  /** How the input is sent that is not part of the path; without it, as the query. */
  readonly body?: "json" | "form";
  /** What the input calls the `id` of the body, if the path has an `id` too. */
  readonly bodyId?: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly key?: boolean;
  /** Whether the response is text and not JSON. */
  readonly text?: boolean;
  /** The field of a page that has its items; empty if a page has none or several. Only for operations with pages. */
  readonly items?: string;
}
