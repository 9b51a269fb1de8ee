import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { MAIL_SECRET, useMail } from "#tests/mail";
import { beforeTests } from "#tests/prepare";
import { mailEventsOf, receivedEvent } from "./mail-events.ts";

const mail = await useMail();
const api = useApi({ environment: { ...mail.environment, EMAIL_WEBHOOK_SECRET: MAIL_SECRET } });
const { deliver } = mailEventsOf(mail, api);
const admin = beforeTests(() => api.person({ role: "admin" }));
beforeEach(() => api.query`truncate private.email_received`);

/** Receives a mail, with its text. */
async function receive(more: object) {
  const letter = { from: "Vera <vera@letters.test>", to: "hello@nectar.test", subject: "Hi", text: "Hi", html: null };
  await mail.receive({ ...letter, ...more });
  await deliver(receivedEvent({ email_id: mail.inbound.at(-1)?.id })).ok();
}

describe("GET /api/admin/emails/received", () => {
  it("is for admins", async () => {
    const path = "/api/admin/emails/received";
    await api.get(path, await api.person()).refused(403, "auth.forbidden");
    await api.get(path, await api.person({ role: "super_admin" })).ok();
  });

  it("lists all mails in pages, newest first", async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      await receive({ subject: `Mail ${n}` });
      await api.idle();
    }
    const subjects: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body } = await api.get(`/api/admin/emails/received${query}`, admin);
      subjects.push(...body.emails.map(({ subject }: { subject: string }) => subject));
      cursor = body.next_cursor;
    }
    expect(subjects).toEqual(["Mail 5", "Mail 4", "Mail 3", "Mail 2", "Mail 1"]);
  });

  it("refuses an invalid limit or cursor", async () => {
    for (const query of ["limit=0", "limit=x", "cursor=x"]) {
      await api.get(`/api/admin/emails/received?${query}`, admin).refused(400);
    }
  });
});
