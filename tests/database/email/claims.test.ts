import { expect, it } from "vitest";
import { become, connect, useActing } from "../support/acting.ts";

const acting = useActing();

/** Mails to us whose text is due, this many seconds after 8 o'clock. */
async function due(count: number, verified = true) {
  await acting.admin.query(
    `insert into private.email_received
       (event_id, is_verified, provider_id, sender, recipients, subject, content_due_at, created_at)
     select gen_random_uuid()::text, $2, gen_random_uuid()::text, 'x', '{y}', 'z',
       '2026-11-21 08:00Z'::timestamptz + n * interval '1 second', '2026-11-21 07:00Z'
     from generate_series(1, $1) n`,
    [count, verified],
  );
}

it("eight claims at the same time get different mails, verified ones first", async () => {
  await due(6, false);
  await due(6, true);
  const clients = await Promise.all(Array.from({ length: 8 }, () => connect(acting.apiUrl)));
  try {
    for (const client of clients) {
      await client.query("begin");
      await become(client, "service");
    }
    const claim = "select id, is_verified from private.claim_received_email('2026-11-21 09:00Z')";
    // All commit after the last claim, so each must skip the rows of the others.
    const claimed = (await Promise.all(clients.map((client) => client.query(claim)))).flatMap(({ rows }) => rows);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(8);
    expect(claimed.filter(({ is_verified }) => is_verified)).toHaveLength(6);
    for (const client of clients) await client.query("commit");
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

it("a claim that was rolled back changes nothing, and a committed one expires", async () => {
  await acting.admin.query("truncate private.email_received");
  await due(1);
  const claim = (moment: string, keep?: "keep") =>
    acting.run("service", "select * from private.claim_received_email($1)", [moment], keep);
  expect((await claim("2026-11-21 07:59Z")).rows).toEqual([]);
  expect((await claim("2026-11-21 09:00Z")).rows).toHaveLength(1);
  expect((await claim("2026-11-21 09:00Z", "keep")).rows).toHaveLength(1);
  expect((await claim("2026-11-21 09:01Z", "keep")).rows).toEqual([]);
  expect((await claim("2026-11-21 09:02Z", "keep")).rows).toHaveLength(1);
  expect((await claim("2026-11-21 09:05Z", "keep")).rows).toEqual([]);
  expect((await claim("2026-11-21 09:06Z", "keep")).rows).toHaveLength(1);
});
