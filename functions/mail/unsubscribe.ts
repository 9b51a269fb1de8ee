import { AppError } from "#core/errors";
import { readUnsubscribeToken } from "#core/people/unsubscribe-token";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { anyone, user } from "#http/access/guards";
import { type Endpoint, endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { MessageResponse } from "#http/response/message";
import { HtmlPage, PageResponse } from "#http/response/text-body";
import type { Services } from "#http/services/services";
import { UnsubscribeQuery } from "./schema.ts";

/** The page that a link in a mail opens. Its button sends the same request as the button of a mail program. */
const UNSUBSCRIBE_PAGE = page(`<p>Stop all mail from this service to your address?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`);
const UNSUBSCRIBED = "No more mail is sent to this address.";

function page(content: string): HtmlPage {
  return new HtmlPage(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Unsubscribe</title>
</head>
<body>
<h1>Unsubscribe</h1>
${content}
</body>
</html>
`);
}

/** Stopping mail to an address, for mail programs and people, and allowing it again. */
export const unsubscribeRoutes: readonly Endpoint[] = [
  endpointInSteps(
    "GET /api/email/unsubscribe",
    {
      id: "readUnsubscribePage",
      summary: "Show the page to unsubscribe an email address",
      description: "It has a button that unsubscribes. Opening the page changes nothing.",
      guard: anyone,
      query: UnsubscribeQuery,
      response: PageResponse,
      errors: ["email.invalid_unsubscribe_link"],
    },
    async ({ query, services }) => {
      addressOf(query.token, services);
      return UNSUBSCRIBE_PAGE;
    },
  ),
  endpointInSteps(
    "POST /api/email/unsubscribe",
    {
      id: "unsubscribeEmail",
      summary: "Unsubscribe an email address",
      description:
        "For mail programs (RFC 8058), which find the address of this request in the header `List-Unsubscribe` of a mail. From then on nothing is sent to the recipient of that mail. The body is ignored, and may be missing. Browsers are shown a page.",
      guard: anyone,
      access: "service",
      query: UnsubscribeQuery,
      response: MessageResponse,
      page: page(`<p>${UNSUBSCRIBED}</p>`),
      errors: ["email.invalid_unsubscribe_link"],
    },
    async ({ commit, query, services }) => {
      // Before a transaction begins, because anyone may send forged tokens.
      const addressHash = addressOf(query.token, services);
      await commit((tx) => unsubscribe(tx, addressHash));
      return { message: UNSUBSCRIBED };
    },
  ),
  endpoint(
    "DELETE /api/email/suppression",
    {
      id: "deleteEmailSuppression",
      summary: "Get email again after you unsubscribed",
      description:
        "Applies to your own confirmed address. 409 if an email to it bounced or was reported as spam: that cannot be undone here.",
      guard: user,
      response: MessageResponse,
      errors: ["email.sender_not_confirmed", "email.undeliverable"],
    },
    async ({ tx }) => {
      await allowOwnMail(tx);
      return { message: "Mail is sent to your address again." };
    },
  ),
];

/** The address that a token of one of our mails stands for, as a hash. @throws AppError email.invalid_unsubscribe_link */
function addressOf(token: string, { config }: Pick<Services, "config">): Buffer {
  const hash = readUnsubscribeToken(token, config.emailUnsubscribeSecrets);
  if (hash === null) throw new AppError("email.invalid_unsubscribe_link");
  return hash;
}

/** Stops all mail to an address. */
async function unsubscribe(tx: Tx, addressHash: Buffer): Promise<void> {
  await tx
    .insertInto("private.email_suppressions")
    .values({ address_hash: addressHash, reason: "unsubscribed" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Allows mail to the caller's own address again. @throws AppError 403 without a confirmed address, 409 if mail to it failed */
async function allowOwnMail(tx: Tx): Promise<void> {
  await call(tx, "allow_own_mail");
}
