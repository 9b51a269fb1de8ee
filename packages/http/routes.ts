import type { Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { tryDecodeURI, tryDecodeURIComponent } from "hono/utils/url";

/** What a request's method and path lead to. */
export interface Match<Target> {
  readonly target: Target;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Routes by method and path in Hono's notation; where several match, the first one counts. */
export class Routes<Target> {
  // As Hono chooses it.
  readonly #router: Router<Target> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] });

  add(method: string, path: string, target: Target): void {
    this.#router.add(method, path, target);
  }

  find(method: string, path: string): Match<Target> | undefined {
    const [[first], values] = this.#router.match(method, path);
    if (first === undefined) return undefined;
    const [target, names] = first;
    const params: Record<string, string> = {};
    for (const [name, value] of Object.entries(names)) {
      params[name] = tryDecodeURIComponent(String(typeof value === "number" ? values?.[value] : value));
    }
    return { target, params };
  }
}

/** The path of an absolute URL, decoded but for what would be a separator. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", "https://".length);
  const length = url.slice(start).search(/[?#]/);
  const path = length === -1 ? url.slice(start) : url.slice(start, start + length);
  return path.includes("%") ? tryDecodeURI(path) : path;
}
