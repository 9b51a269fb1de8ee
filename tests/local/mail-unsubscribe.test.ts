import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unsubscribeToken } from "#core/people/unsubscribe-token";
import { startMail } from "#local/stand-ins/mail";
import { listenLocally } from "#local/support/listen";
import { resendEmail } from "#providers/email";

const SECRET = "the secret of links to unsubscribe";
/** Requests that arrived, as method, path and body. */
const requests: string[] = [];
let mail: Awaited<ReturnType<typeof startMail>>;
let api: Awaited<ReturnType<typeof listenLocally>>;

beforeAll(async () => {
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => requests.push(`${request.method} ${request.url} ${chunk.toString()}`));
    request.on("end", () => response.end("{}"));
  });
  api = await listenLocally(server, 0, "The API");
  mail = await startMail({ webhookSecret: "whsec_bm9uZQ==" });
});
afterAll(() => Promise.all([mail.stop(), api.stop()]));

test("a mail sent by the real SDK has the headers of RFC 8058, and the mailbox a link and a button that work", async () => {
  const url = `http://127.0.0.1:${api.port}/unsubscribe`;
  const options = { apiKey: "re_tests", baseUrl: mail.url, from: "Nectar <hello@nectar.test>" };
  await resendEmail({ ...options, unsubscribe: { url, secret: SECRET } }).send({
    to: "ada@example.test",
    replyTo: "grace@example.test",
    subject: "Good news",
    html: null,
    text: "Good",
    messageId: crypto.randomUUID(),
  });
  const [sent] = mail.mails;
  const token = unsubscribeToken("ada@example.test", SECRET);
  expect(sent?.headers).toEqual({
    "List-Unsubscribe": `<${url}?token=${token}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  expect(await (await fetch(mail.url)).text()).toContain(`<a href="${url}?token=${token}"`);
  await fetch(`${mail.url}/mails/${sent?.id}/unsubscribe`, { method: "POST" });
  expect(requests).toEqual([`POST /unsubscribe?token=${token} List-Unsubscribe=One-Click`]);
  expect(sent?.outcomes).toEqual(["sent", "unsubscribed"]);
});
