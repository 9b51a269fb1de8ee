import type { Operation } from "./calls.ts";

/** The input of an operation: parameters of its path, and the fields of its query or body. */
export type Input = Readonly<Record<string, unknown>>;

export interface Target {
  /** Path and query. */
  readonly address: string;
  readonly body: string | FormData | undefined;
}

/**
 * Puts an input where the operation wants it: into the path, and the rest into the body or the query.
 * @throws TypeError if the path would not be that of the operation
 */
export function targetOf({ path, body, bodyId = "id" }: Operation, input: Input): Target {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(rest.get(name) ?? "");
    rest.delete(name);
    // An empty segment or dots would lead to another path.
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`\`${name}\` is missing.`);
    return encodeURIComponent(text);
  });
  if (rest.has(bodyId)) {
    const id = rest.get(bodyId);
    rest.delete(bodyId);
    rest.set("id", id);
  }
  if (body === "json") return { address: filled, body: JSON.stringify(Object.fromEntries(rest)) };
  if (body === "form") return { address: filled, body: formOf(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    // An empty field of a form, or null, asks for nothing; sent as a text it would narrow a list to nothing.
    for (const one of [value].flat()) if (one != null && one !== "") query.append(name, String(one));
  }
  const text = query.toString();
  return { address: text === "" ? filled : `${filled}?${text}`, body: undefined };
}

function formOf(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  // The types of browsers do not know that a form of React Native takes a local file.
  for (const [name, value] of fields) form.append(name, isFile(value) ? (value as Blob) : String(value));
  return form;
}

function isFile(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
