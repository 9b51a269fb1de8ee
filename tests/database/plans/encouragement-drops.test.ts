import type { Tx } from "@nectar/database/database";
import { PageQuery } from "@nectar/http/paging";
import { beforeAll, describe, expect, it } from "vitest";
import { readAllowance } from "../../../functions/encouragement-drops/drops/allowance.ts";
import { listReceived, listSent, markRead } from "../../../functions/encouragement-drops/drops/drops.ts";
import {
  AdminTemplateQuery,
  ReceivedQuery,
  TemplateQuery,
} from "../../../functions/encouragement-drops/drops/schema.ts";
import { listTemplates } from "../../../functions/encouragement-drops/drops/templates.ts";
import { createCrowd } from "../../support/crowd.ts";
import { beforeTests } from "../../support/prepare.ts";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const ASSISTANT = "Nectar";
const NOW = new Date("2026-11-21T12:00:00.000Z");
let unreadDrop: string;

/** 40,000 drops of 1,000 people, 4,000 of them to the reader, 40 of those unread, and 4,000 of the reader; 6,000 templates, a few unapproved. */
const reader = beforeTests(() => acting.person());
const admin = beforeTests(() => acting.person({ role: "admin" }));
beforeAll(async () => {
  await createCrowd(acting.admin, 1_000);
  await acting.query(
    `insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement, read_at)
     select case when n % 10 = 5 then $1 else s.id end, case when n % 10 = 0 then $1 else r.id end, 'Hi', true, t.at::date, t.at, t.at + interval '1 day', 'expired',
       case when n % 1000 <> 0 then t.at end
     from generate_series(1, 40000) n
     cross join lateral (select timestamptz '2026-11-21 12:00+00' - n * interval '1 minute' as at) t
     join (select id, row_number() over (order by id) as k from nectar.profiles
           where id not in ($1, $2, private.system_user_id())) s on s.k = 1 + n % 1000
     join (select id, row_number() over (order by id) as k from nectar.profiles
           where id not in ($1, $2, private.system_user_id())) r on r.k = 1 + (n + 1) % 1000`,
    [reader.id, admin.id],
  );
  await acting.query`insert into nectar.drop_templates (type, title, content, is_approved, created_at)
    select case when n % 3 = 0 then 'science_tidbit' else 'encouragement' end::nectar.encouragement_drop_type,
      'Template ' || n, 'Hi', n % 100 <> 0, timestamptz '2026-11-21 12:00+00' - n * interval '1 minute'
    from generate_series(1, 6000) n`;
  await acting.query`insert into nectar.encouragement_allowances (user_id, date, daily_allowance)
    select p.id, d::date, 5 from nectar.profiles p
    cross join generate_series(timestamp '2026-10-23', timestamp '2026-11-21', interval '1 day') d`;
  await acting.query`vacuum analyze`;
  const { id } = await acting.one<{ id: string }>`
    select id from nectar.encouragement_drops where recipient_id = ${reader.id} and read_at is null limit 1`;
  unreadDrop = id;
});

const received = (query: Record<string, string>) => (tx: Tx) =>
  listReceived(tx, reader.id, ReceivedQuery.parse({ limit: "20", ...query }), ASSISTANT);
const sent = (tx: Tx) => listSent(tx, reader.id, PageQuery.parse({ limit: "20" }));
const templates = (query: Record<string, string>) => (tx: Tx) =>
  listTemplates(tx, TemplateQuery.parse({ limit: "20", ...query }), true);
const allTemplates = (tx: Tx) => {
  const query = AdminTemplateQuery.parse({ limit: "20" });
  return listTemplates(tx, query, query.is_approved);
};
/** How many rows each list may read. */
const LISTS: readonly [
  name: string,
  work: (tx: Tx) => Promise<unknown>,
  who: "reader" | "admin",
  table: string,
  index: string,
  rows: number,
][] = [
  ["received drops", received({}), "reader", "encouragement_drops", "encouragement_drops_received", 100],
  ["unread drops", received({ unread: "true" }), "reader", "encouragement_drops", "encouragement_drops_unread", 100],
  ["sent drops", sent, "reader", "encouragement_drops", "encouragement_drops_sent", 100],
  ["approved templates", templates({}), "reader", "drop_templates", "drop_templates_approved", 30],
  [
    "approved templates of a rare type",
    templates({ type: "media" }),
    "reader",
    "drop_templates",
    "drop_templates_approved_media",
    30,
  ],
  ["all templates", allTemplates, "admin", "drop_templates", "drop_templates_newest", 30],
];

describe("with 40,000 drops and 6,000 templates", () => {
  it.each(LISTS)("%s use their index and read few rows", async (_, work, who, table, index, most) => {
    const walks = await explainAs(acting.adminUrl, who === "reader" ? reader.id : admin.id, work);
    const own = walks.filter((walk) => walk.table === table);
    expect(own.map((walk) => walk.index)).toContain(index);
    expect(own.filter((walk) => walk.index === null)).toEqual([]);
    expect(own.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(most);
    expect(walks.filter((walk) => walk.index === null && walk.table === "profiles")).toEqual([]);
  });

  it("a drop is marked as read by its id alone", async () => {
    const walks = await explainAs(acting.adminUrl, reader.id, (tx) =>
      markRead(tx, reader.id, unreadDrop, { now: NOW, assistantName: ASSISTANT }),
    );
    expect(walks.filter(({ table, rows }) => table === "encouragement_drops" && rows > 1)).toEqual([]);
  });

  it("the allowance reads two rows of a person, however many there are", async () => {
    const walks = await explainAs(acting.adminUrl, reader.id, (tx) => readAllowance(tx, reader.id, NOW));
    const own = walks.filter(({ table }) => table === "encouragement_allowances");
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ index, rows }) => index === null || rows > 1)).toEqual([]);
  });
});
