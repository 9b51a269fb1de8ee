import { sql } from "kysely";
import { expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();

it("with 20,000 received mails, the next text to fetch is found among the due ones only", async () => {
  await acting.query`
    insert into private.email_received
      (event_id, is_verified, provider_id, sender, recipients, subject, body_text, content_due_at, created_at)
    select n::text, n % 2 = 0, n::text, 'x', '{y}', 'z', 'Hi',
      case when n % 100 = 0 then now() end, now() - n * interval '1 minute'
    from generate_series(1, 20000) n`;
  await acting.query`vacuum analyze private.email_received`;
  // The query of the function, which explain does not look into.
  const walks = await explainAs(acting.adminUrl, "service", (tx) =>
    sql`select id from private.email_received where content_due_at <= now()
        order by is_verified desc, content_due_at limit 1 for update skip locked`.execute(tx),
  );
  expect(walks).toEqual([{ table: "email_received", index: "email_received_content_due", rows: 1 }]);
});
