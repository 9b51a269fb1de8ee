import { createContext, runInContext } from "node:vm";

/** The files of a device, by their addresses. */
type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

interface FileOfForm {
  readonly uri: string;
  readonly name: string;
  readonly type: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Headers | Record<string, string>;
  readonly body?: unknown;
  readonly signal?: EventTarget & { aborted: boolean };
}

/**
 * The globals that code finds in React Native 0.83 besides the language, each with no more than it has there. Their list is
 * in `Libraries/Core/setUpXHR.js`, `setUpTimers.js` and `setUpPerformance.js` of facebook/react-native, and what they can do
 * in `Libraries/Blob`, `Libraries/Network` and the npm packages abort-controller 3 and whatwg-fetch 3.
 * @param timers gets the timers that run
 */
function globalsOf(files: Files, timers: Set<unknown>) {
  /** It has no `arrayBuffer`, and takes no bytes. */
  class Blob {
    data: globalThis.Blob;

    constructor(parts: readonly unknown[] = [], options: { type?: string } = {}) {
      const data = parts.map((part) => (part instanceof Blob ? part.data : part));
      if (data.some((part) => typeof part === "object" && !(part instanceof globalThis.Blob))) {
        throw new Error("React Native makes no Blob from bytes.");
      }
      this.data = new globalThis.Blob(data.map(String), options);
    }
    static of(data: globalThis.Blob): Blob {
      return Object.assign(new Blob(), { data });
    }
    get size() {
      return this.data.size;
    }
    get type() {
      return this.data.type;
    }
    slice(start?: number, end?: number) {
      return Blob.of(this.data.slice(start, end));
    }
  }

  class FormData {
    readonly parts: [name: string, value: string | FileOfForm][] = [];

    append(name: string, value: string | FileOfForm) {
      this.parts.push([name, value]);
    }
  }

  /** It has neither `reason` nor `throwIfAborted`, and its class neither `any` nor `timeout`. */
  class AbortSignal extends EventTarget {
    aborted = false;
  }
  class AbortController {
    readonly signal = new AbortSignal();

    abort() {
      this.signal.aborted = true;
      this.signal.dispatchEvent(new Event("abort"));
    }
  }

  class URLSearchParams {
    readonly params = new globalThis.URLSearchParams();

    append(name: string, value: string) {
      this.params.append(name, value);
    }
    toString() {
      return this.params.toString();
    }
  }

  class Response {
    readonly status: number;
    readonly headers: Headers;
    readonly data: globalThis.Blob;

    constructor(body: globalThis.Blob | null, { status = 200, headers }: ResponseInit = {}) {
      this.status = status;
      this.headers = new Headers(headers ?? {});
      this.data = body ?? new globalThis.Blob([]);
    }
    get ok() {
      return this.status >= 200 && this.status < 300;
    }
    text() {
      return this.data.text();
    }
    async blob() {
      return Blob.of(this.data);
    }
  }

  function toSend(body: unknown) {
    if (body === undefined || typeof body === "string") return body;
    if (body instanceof Blob) return body.data;
    if (!(body instanceof FormData)) throw new TypeError("React Native sends texts, forms and blobs only.");
    const form = new globalThis.FormData();
    for (const [name, value] of body.parts) {
      if (typeof value === "string") form.append(name, value);
      else form.append(name, new globalThis.Blob([files[value.uri] ?? ""], { type: value.type }), value.name);
    }
    return form;
  }

  async function fetchLike(url: string, { body, signal, ...init }: Sent = {}) {
    const file = files[url];
    if (file !== undefined) return new Response(new globalThis.Blob([file]));
    const controller = new globalThis.AbortController();
    signal?.addEventListener("abort", () => controller.abort());
    const sent = toSend(body);
    const response = await fetch(url, {
      ...init,
      ...(sent !== undefined && { body: sent }),
      signal: controller.signal,
    });
    return new Response(await response.blob(), response);
  }

  return {
    ...{ Blob, FormData, AbortSignal, AbortController, URLSearchParams, Response, Headers, fetch: fetchLike },
    performance: { now: () => performance.now() },
    setTimeout(work: () => void, milliseconds: number) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, milliseconds);
      timers.add(timer);
      return timer;
    },
    clearTimeout(timer: NodeJS.Timeout) {
      timers.delete(timer);
      clearTimeout(timer);
    },
  };
}

/** Symbols as Hermes has them (`lib/VM/JSLib/Symbol.cpp` of facebook/hermes): without the one of asynchronous iterators. */
const HERMES =
  "const All = Symbol; Symbol = Object.assign((text) => All(text), { for: All.for, iterator: All.iterator });";

/** Runs a script in React Native, as far as a script can tell. @returns its global of a name, and the timers that run */
export function inReactNative(script: string, name: string, files: Files): { exports: unknown; timers: Set<unknown> } {
  const timers = new Set<unknown>();
  const context = createContext(globalsOf(files, timers));
  runInContext(`{ ${HERMES} }\n${script}`, context);
  return { exports: runInContext(name, context), timers };
}
