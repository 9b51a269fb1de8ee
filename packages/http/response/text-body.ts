import * as z from "zod";

/** A response that is no JSON. It runs no script and loads nothing. */
export abstract class TextBody {
  readonly text: string;
  abstract readonly headers: Readonly<Record<string, string>>;

  constructor(text: string) {
    this.text = text;
  }
}

/** A page that an endpoint shows to people, whose forms are sent to us only. */
export class HtmlPage extends TextBody {
  readonly headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  };
}

/** An image that an endpoint draws. A browser that opens it as a page applies its style, and nothing else. */
export class SvgImage extends TextBody {
  readonly headers = {
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  };
}

/** The response of an endpoint that shows a page. Such an endpoint is in the reference, but not in the client. */
export const PageResponse = z.instanceof(HtmlPage);

/** The response of an endpoint that draws an image. Such an endpoint is in the reference, but not in the client. */
export const SvgResponse = z.instanceof(SvgImage);
