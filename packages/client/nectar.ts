import type { CallOptions, LocalFile, Operation, Pages, Upload } from "./calls.ts";
import { errorOfResponse, NectarError } from "./errors.ts";
import { OPERATIONS } from "./operations.generated.ts";
import { contentTypeOf, needsUpload } from "./photo.ts";
import { LastWrite } from "./position.ts";
import { type Input, targetOf } from "./request.ts";
import { reasonOfAbort, withRetries } from "./retry.ts";
import type {
  CreatePictureInput,
  CreatePictureResponse,
  CreateWorkoutCheckInInput,
  CreateWorkoutCheckInResponse,
  Operations,
} from "./types.generated.ts";

/** The slowest functions of the service may take as long. */
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;
/** A timer with a longer time fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The parsed body of a response. */
type Json = Readonly<Record<string, unknown>>;

type Token = string | null | undefined;

/** Settings of a client. */
export interface NectarOptions {
  /** Address of the service, such as `https://api.example.com`, with or without the `/api` of its paths. */
  readonly baseUrl: string;
  /** Returns the access token, or nothing while no user is signed in. Asked before each attempt, so it may change. */
  readonly token?: () => Token | Promise<Token>;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds that one attempt may take; 60,000 by default. */
  readonly timeoutMs?: number;
  /** How often a failed attempt is repeated where that is safe; 3 times by default. */
  readonly retries?: number;
  /** Returns random bytes for idempotency keys, where the platform has no `crypto.getRandomValues`: React Native. */
  readonly randomBytes?: (size: number) => Uint8Array;
  /** Uploads photos that are too large for a request, instead of `fetch`. */
  readonly upload?: Upload;
}

/** A check-in with a photo in hand. */
export type PhotoCheckIn = Omit<CreateWorkoutCheckInInput, "photo" | "photoKey"> & { readonly photo: Blob | LocalFile };

/** A new picture of an entry, in hand. */
export type NewPicture = Omit<CreatePictureInput, "picture" | "picture_key"> & {
  readonly picture: Blob | LocalFile;
};

/** The settings of a client, and what it remembers. */
type Settings = NectarOptions & { readonly lastWrite: LastWrite };

/** The client: all operations by group, and what needs several of them. */
export interface Nectar extends Operations {
  /** Checks in with a photo. One that is too large for a request is uploaded to a presigned address first. */
  checkIn(input: PhotoCheckIn, options?: CallOptions): Promise<CreateWorkoutCheckInResponse>;
  /** Adds a picture to an entry. One that is too large for a request is uploaded to a presigned address first. */
  addPicture(input: NewPicture, options?: CallOptions): Promise<CreatePictureResponse>;
}

/** Makes a client. What it writes, it finds in all later responses; another client may find it some seconds later. */
export function createNectar(options: NectarOptions): Nectar {
  const settings = { ...options, lastWrite: new LastWrite() };
  const call = (operation: Operation) =>
    operation.items === undefined
      ? (input: Input = {}, options: CallOptions = {}) =>
          send<Json | string>(settings, operation, input, options, operation.text ? asItIs : parse)
      : (input: Input = {}, options: CallOptions = {}) => pagesOf(settings, operation, input, options);
  const groups = Object.entries(OPERATIONS).map(([group, operations]) => [
    group,
    Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, call(operation)])),
  ]);
  // The table and the type are generated from the same document.
  const operations = Object.fromEntries(groups) as Operations;
  return { ...operations, checkIn, addPicture };

  async function checkIn(
    { photo, ...input }: PhotoCheckIn,
    options: CallOptions = {},
  ): Promise<CreateWorkoutCheckInResponse> {
    const { workoutWindow } = operations;
    if (!needsUpload(photo)) return workoutWindow.createCheckIn({ ...input, photo }, options);
    const contentType = await contentTypeOf(photo);
    const request = { contentType, size: photo.size ?? 0 };
    const { uploadUrl, photoKey } = await workoutWindow.createPhotoUpload(request, withoutKey(options));
    await upload(settings, uploadUrl, photo, contentType, options);
    return workoutWindow.createCheckIn({ ...input, photoKey }, options);
  }

  async function addPicture(
    { picture, ...input }: NewPicture,
    options: CallOptions = {},
  ): Promise<CreatePictureResponse> {
    const { pictures } = operations;
    if (!needsUpload(picture)) return pictures.create({ ...input, picture }, options);
    const content_type = await contentTypeOf(picture);
    const request = { content_type, size: picture.size ?? 0 };
    const { upload_url, picture_key } = await pictures.createUpload(request, withoutKey(options));
    await upload(settings, upload_url, picture, content_type, options);
    return pictures.create({ ...input, picture_key }, options);
  }
}

/** The caller's key is for what needs the upload. An upload that is repeated much later needs a new address. */
function withoutKey({ idempotencyKey: _, ...options }: CallOptions): CallOptions {
  return options;
}

/** Hermes has no such symbol; code that was compiled for it looks for this name. */
const ASYNC_ITERATOR: typeof Symbol.asyncIterator = Symbol.asyncIterator ?? "@@asyncIterator";

/** Reads the first page at once, and further ones as they are asked for. */
function pagesOf(settings: Settings, operation: Operation, input: Input, options: CallOptions): Pages<Json> {
  const first = send(settings, operation, input, options, parse);
  async function* pages() {
    let page = await first;
    for (;;) {
      yield page;
      const cursor = page.next_cursor ?? page.nextCursor;
      if (typeof cursor !== "string") return;
      page = await send(settings, operation, { ...input, cursor }, options, parse);
    }
  }
  async function* items() {
    for await (const page of pages()) {
      const list = page[operation.items ?? ""];
      if (Array.isArray(list)) yield* list;
    }
  }
  const list = Object.assign(first, { pages });
  return operation.items === "" ? list : Object.assign(list, { [ASYNC_ITERATOR]: items });
}

/**
 * Sends a request, and again where that is safe.
 * @param read reads the text of a successful response; undefined if it cannot
 */
async function send<Result>(
  settings: Settings,
  operation: Operation,
  input: Input,
  options: CallOptions,
  read: (text: string) => Result | undefined,
): Promise<Result> {
  const { method = "GET", key: takesKey = false } = operation;
  const { address, body } = targetOf(operation, input);
  const url = `${settings.baseUrl.replace(/(\/api)?\/*$/, "")}${address}`;
  const key = takesKey ? (options.idempotencyKey ?? newKey(settings.randomBytes)) : undefined;
  const isSafe = method !== "POST" || key !== undefined;
  const retries = isSafe ? (options.retries ?? settings.retries ?? DEFAULT_RETRIES) : 0;

  return withRetries(retries, options.signal, async () => {
    const headers = new Headers(bearer(await settings.token?.()));
    if (typeof body === "string") headers.set("content-type", "application/json");
    if (key !== undefined) headers.set("idempotency-key", key);
    const position = settings.lastWrite.header();
    if (position !== undefined) headers.set("x-nectar-position", position);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const init = { method, headers, ...(body && { body }) };
    const { response, text } = await exchange(settings, url, init, options).catch((error: unknown) => {
      settings.lastWrite.note(method, undefined);
      throw error;
    });
    settings.lastWrite.note(method, response);
    const result = response.ok ? read(text) : undefined;
    if (result === undefined) throw errorOfResponse(response, parse(text));
    options.onResponse?.(response);
    return result;
  });
}

/** Sends a photo to a presigned address, without the token: the address is the permission. */
async function upload(
  settings: NectarOptions,
  url: string,
  photo: Blob | LocalFile,
  contentType: string,
  options: CallOptions,
): Promise<void> {
  const headers = { "content-type": contentType };
  const { upload: byApp = settings.upload } = options;
  const fetchPhoto: NectarOptions["fetch"] =
    byApp &&
    (async (url, { signal }) => {
      const { status } = await byApp(url, { headers, photo, ...(signal && { signal }) });
      return new Response(null, { status });
    });
  await withRetries(options.retries ?? settings.retries ?? DEFAULT_RETRIES, options.signal, async () => {
    const body = byApp || !("uri" in photo) ? photo : await (await fetch(photo.uri)).blob();
    const init = { method: "PUT", headers, ...(!("uri" in body) && { body }) };
    const { response } = await exchange(fetchPhoto ? { ...settings, fetch: fetchPhoto } : settings, url, init, options);
    if (!response.ok) {
      throw new NectarError(`The file store refused the photo with status ${response.status}.`, {
        status: response.status,
        code: "client.upload_refused",
      });
    }
  });
}

/** One attempt. @throws NectarError if no whole response arrived; the reason of the caller's signal if it aborted */
async function exchange(
  settings: NectarOptions,
  url: string,
  init: RequestInit,
  { signal, timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS }: CallOptions,
): Promise<{ response: Response; text: string }> {
  if (signal?.aborted) throw reasonOfAbort(signal);
  const controller = new AbortController();
  const stop = () => controller.abort();
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      stop();
    },
    Math.min(timeoutMs, MAX_TIMEOUT_MS),
  );
  signal?.addEventListener("abort", stop);
  try {
    const response = await (settings.fetch ?? fetch)(url, { ...init, signal: controller.signal });
    return { response, text: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw reasonOfAbort(signal);
    throw isLate
      ? new NectarError(`The service did not respond within ${timeoutMs} ms.`, { status: 0, code: "client.timeout" })
      : new NectarError(`${hostOf(url)} cannot be reached${reasonOf(error)}.`, { status: 0, code: "client.network" });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The server of an address, without its path, its query and a password. What is no address is told as it is. */
function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(url)?.[1] ?? url.replace(/[?].*/, "");
}

/** The code of a failure, such as `ECONNREFUSED`. Its text may contain headers of the request, and so the token. */
function reasonOf(error: unknown): string {
  const code: unknown = Object(Object(error).cause).code;
  return typeof code === "string" && /^[A-Z][A-Z_]+$/.test(code) ? ` (${code})` : "";
}

/** @throws TypeError if a header cannot carry the token; the platform's error would show it */
function bearer(token: Token): Record<string, string> {
  if (token === null || token === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("The access token is not a token.");
  return { authorization: `Bearer ${token}` };
}

function asItIs(text: string): string {
  return text;
}

/** Every JSON body of the service is an object. @returns undefined for any other text */
function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** 128 random bits. `crypto.randomUUID` does not exist on pages without TLS. */
function newKey(randomBytes: NectarOptions["randomBytes"]): string {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? randomBytes?.(16);
  if (bytes === undefined) {
    throw new TypeError("There is no `crypto.getRandomValues` here: give createNectar the option `randomBytes`.");
  }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
