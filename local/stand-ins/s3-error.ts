import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Html } from "../support/html.ts";

/** A refusal of S3: its status, code and message, and further elements that it puts beside them. */
export class S3Error extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Responds with the XML of an error. */
export function errorResponse(c: Context, error: Error) {
  const { status, code, message, details } =
    error instanceof S3Error ? error : new S3Error(500, "InternalError", "The stand-in failed.");
  const elements = { Code: code, Message: message, ...details, Resource: c.req.path, RequestId: randomUUID() };
  return xmlResponse(
    c,
    html`<Error>${Object.entries(elements).map(([name, text]) => element(name, text))}</Error>`,
    status,
  );
}

/** Responds with a document; a value in its template is escaped as in HTML, which XML shares. */
export async function xmlResponse(c: Context, root: Html, status: ContentfulStatusCode = 200) {
  return c.body(`<?xml version="1.0" encoding="UTF-8"?>\n${await root}`, status, { "content-type": "application/xml" });
}

/** An element with a text. */
export function element(name: string, text: string | number | boolean): Html {
  return html`<${name}>${String(text)}</${name}>`;
}
