import { AppError } from "@nectar/core/errors";
import { readUnsubscribeToken } from "@nectar/core/unsubscribe-token";
import type { Tx } from "@nectar/database/database";
import { HtmlPage } from "@nectar/http/html-page";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";

/** The address that a token of one of our mails stands for, as a hash. @throws AppError email.invalid_unsubscribe_link */
export function addressOf(token: string, { config }: Pick<Services, "config">): Buffer {
  const hash = readUnsubscribeToken(token, config.emailUnsubscribeSecrets);
  if (hash === null) throw new AppError("email.invalid_unsubscribe_link");
  return hash;
}

/** Stops all mail to an address. */
export async function unsubscribe(tx: Tx, addressHash: Buffer): Promise<void> {
  await tx
    .insertInto("private.email_suppressions")
    .values({ address_hash: addressHash, reason: "unsubscribed" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Allows mail to the caller's own address again. @throws AppError 403 without a confirmed address, 409 if mail to it failed */
export async function allowOwnMail(tx: Tx): Promise<void> {
  await sql`select private.allow_own_mail()`.execute(tx);
}

/** The page that a link in a mail opens. Its button sends the same request as the button of a mail program. */
export const UNSUBSCRIBE_PAGE = new HtmlPage(`<!doctype html>
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
<p>Stop all mail from this service to your address?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>
</body>
</html>
`);
