import * as z from "zod";
import type { AppContext } from "./context.ts";
import { jsonResponse } from "./json-response.ts";

/** An image that an endpoint draws. It runs no script and loads nothing. */
export class SvgImage {
  readonly svg: string;

  constructor(svg: string) {
    this.svg = svg;
  }
}

/** The response of an endpoint that draws an image. Such an endpoint is in the reference, but not in the client. */
export const SvgResponse = z.instanceof(SvgImage);

/** Sends an image. A browser that opens it as a page applies its style, and nothing else. */
export function svgResponse(c: AppContext, { svg }: SvgImage): Response {
  const headers = {
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  };
  return jsonResponse(c, 200, { jsonText: svg }, headers);
}
