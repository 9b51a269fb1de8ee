import * as z from "zod";
import type { AppContext } from "./context.ts";
import { jsonResponse } from "./json-response.ts";

/** A page that an endpoint shows to people. It runs no script and loads nothing, and its forms are sent to us only. */
export class HtmlPage {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** The response of an endpoint that shows a page. Such an endpoint is in the reference, but not in the client. */
export const PageResponse = z.instanceof(HtmlPage);

/** Sends a page. */
export function pageResponse(c: AppContext, { html }: HtmlPage): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  };
  return jsonResponse(c, 200, { jsonText: html }, headers);
}
