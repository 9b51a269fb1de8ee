import type { Tx } from "@nectar/database/database";
import { PageQuery } from "@nectar/http/paging";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { listReceivedEmails } from "../../../functions/admin/emails.ts";
import { PageQuery as ReceivedQuery } from "../../../functions/admin/schema.ts";
import { listMessages, readMessage } from "../../../functions/email/messages.ts";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
let sender: string;
let message: string;

const messages = (tx: Tx) => listMessages(tx, sender, PageQuery.parse({ limit: "20" }));
const emails = (tx: Tx) => listReceivedEmails(tx, ReceivedQuery.parse({ limit: "20" }));

beforeAll(async () => {
  const { admin } = acting;
  await admin.query(
    "insert into auth.users (id, email) select gen_random_uuid(), 'p' || n || '@example.test' from generate_series(1, 200) n",
  );
  await admin.query(
    `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
     select a.user_id, 'x@example.test', 'Hi', 'sent', now() - k * interval '1 minute', now()
     from nectar.accounts a cross join generate_series(1, 200) k`,
  );
  await admin.query(
    `insert into private.email_received
       (event_id, is_verified, provider_id, sender, recipients, subject, body_text, content_due_at, created_at)
     select n::text, n % 2 = 0, n::text, 'x', '{y}', 'z', 'Hi',
       case when n % 100 = 0 then now() end, now() - n * interval '1 minute'
     from generate_series(1, 20000) n`,
  );
  await admin.query("vacuum analyze");
  const { rows } = await admin.query("select id, user_id from private.email_messages order by created_at, id limit 1");
  sender = rows[0].user_id;
  message = rows[0].id;
});

describe("with 40,000 sent and 20,000 received mails", () => {
  it.each([
    ["one's mails", () => sender, messages, "email_messages", "email_messages_of_sender", 21],
    [
      "one mail",
      () => sender,
      (tx: Tx) => readMessage(tx, sender, message),
      "email_messages",
      "email_messages_pkey",
      1,
    ],
    [
      "received mails",
      () => "service",
      emails,
      "email_received",
      "email_received_newest_first",
      // Adding up the bytes reads one row ahead.
      22,
    ],
  ])("%s uses an index and reads few rows", async (_, reader, work, table, index, max) => {
    const walks = (await explainAs(acting.adminUrl, reader(), work)).filter((walk) => walk.table === table);
    expect(walks.map((walk) => walk.index)).toEqual([index]);
    expect(walks[0]?.rows).toBeGreaterThan(0);
    expect(walks[0]?.rows).toBeLessThanOrEqual(max);
  });

  it("the next text to fetch is found among the due ones only", async () => {
    // The query of the function, which explain does not look into.
    const walks = await explainAs(acting.adminUrl, "service", (tx) =>
      sql`select id from private.email_received where content_due_at <= now()
          order by is_verified desc, content_due_at limit 1 for update skip locked`.execute(tx),
    );
    expect(walks).toEqual([{ table: "email_received", index: "email_received_content_due", rows: 1 }]);
  });
});
