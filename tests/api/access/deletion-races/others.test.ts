import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { listenLocally } from "#local/support/listen";
import { useApi } from "#tests/api";
import { deletionsOf, type Race } from "#tests/deletions";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { HOUR_MS, SECRET, sceneOf } from "../../encouragement-drops/engaging.ts";
import { sendTo } from "../../encouragement-drops/sending.ts";
import { invitationsOf } from "../../organizations/invitations/inviting.ts";
import { ENVIRONMENT as PAYMENTS, paymentEventsOf, subscriptionOf } from "../../payment/payment-events.ts";

/*
 * An account is deleted while a request or a job changes what is about the person. Both succeed: whatever locks rows of a
 * person locks the profile first, as the deletion does.
 */

/** A payment processor that responds after the account was deleted. */
const processor = await listenLocally(
  createServer(
    getRequestListener(async () => {
      await api.query`delete from auth.users where id = ${goes.id}`;
      return Response.json({ id: "cs_1", object: "checkout.session", url: "https://pay.test/1" });
    }),
  ),
  0,
  "The payment processor",
);
afterAll(() => processor.stop());

const DROPS_SECRET = "a-secret-of-the-monthly-drops-of-a-race";
const api = useApi({
  environment: {
    ...PAYMENTS,
    STRIPE_BASE_URL: `http://127.0.0.1:${processor.port}`,
    ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET,
    DROPS_CRON_SECRET: DROPS_SECRET,
  },
});
const { race } = deletionsOf(api);
const engagement = sceneOf(api);
const invitations = invitationsOf(api);
const { deliver } = paymentEventsOf(api);

const root = beforeTests(() => api.person({ role: "super_admin" }));
const owner = beforeEachTest(() => api.person());
const goes = beforeEachTest(() => api.person());

const own = (table: string, column = "user_id") => `nectar.${table} r on r.${column} = p.id`;
const rowsOf = (table: string, person: Person) => `select from ${table} where user_id = '${person.id}' for update`;

const share = (pack: string, body: object) => api.post(`/api/tone-packs/${pack}/share`, owner, body);
const makePack = async (seller: Person, fields: object = {}) =>
  (await api.post("/api/tone-packs", seller, { name: "Cranes", theme: "origami", ...fields }).created()).tone_pack.id;
/** A pack of the owner that the person has active. */
async function activePack() {
  const pack = await makePack(owner);
  await share(pack, { user_id: goes.id }).ok();
  await api.post(`/api/tone-packs/${pack}/activate`, goes).ok();
  return pack;
}
const refund = (transaction_id: string) => () => api.post("/api/admin/drops/refund", root, { transaction_id });

/** A team of the owner, with the person as a member. */
const found = () => foundTeam(api, owner, [goes]);
/** The same, with a notebook and an entry that the person shares with the team, and others with the organization. */
async function shared() {
  const { orgId, teamId } = await found();
  for (const fields of [
    { metadata_visibility: "team", team_id: teamId },
    { metadata_visibility: "org", org_id: orgId },
  ]) {
    await api.post("/api/notebooks", goes, { name: "Notes", ...fields }).created();
    await write(api, goes, fields);
  }
  return { reached: own("notebooks"), org: `/api/organizations/${orgId}`, team: `/api/teams/${teamId}` } as const;
}
const withTeam = (team_id: string) => ({ metadata_visibility: "team", content_visibility: "team", team_id });

/** An entry of the owner about which the person sent two drops. */
async function entryWithDrops() {
  const entry = await write(api, owner, { metadata_visibility: "public" });
  for (const content of ["Well said.", "Go on."])
    await sendTo(api, goes, owner, { content, entry_id: entry.id }).created();
  return { reached: own("encouragement_drops", "sender_id"), path: `/api/journal/${entry.id}` } as const;
}

const say = (teamId: string, by: Person) => api.post(`/api/teams/${teamId}/messages`, by, { content: "Hello" });
const comment = (path: string, by: Person) => api.post(`${path}/comments`, by, { content: "Hello" });

/** A goal and an entry of the owner, with comments of the person; the entry is in the trash. */
async function commented() {
  const { teamId } = await found();
  const { goal } = await api.post("/api/goals", owner, { title: "Run", ...withTeam(teamId) }).created();
  await api.post(`/api/goals/${goal.id}/comments`, goes, { content: "Hello" }).created();
  const { id } = await write(api, owner, withTeam(teamId));
  for (const person of [goes, owner]) await comment(`/api/journal/${id}`, person);
  await api.delete(`/api/journal/${id}`, owner).ok();
  return { reached: own("team_messages", "sender_id"), goal: goal.id, entry: id };
}

const publicEntry = async (by: Person) => ({
  target_type: "entry",
  target_id: (await write(api, by, { metadata_visibility: "public" })).id,
  reason: "spam",
});
/** A report of a third person about an entry. */
async function reported(body: object) {
  const { report } = await api.post("/api/reports", await api.person(), body).created();
  return `/api/admin/reports/${report.id}` as const;
}
const WHY = "It insults other people.";

/** Two drops that were followed by an entry; the job pays the sender with the lower id first. */
async function engaged() {
  api.at("2031-05-18T12:00:00Z");
  await api.query`delete from nectar.encouragement_drops`;
  const [first, last] = owner.id < goes.id ? [owner, goes] : [goes, owner];
  const recipient = await api.person();
  const sentAt = new Date(api.services.clock.now().getTime() - 2 * HOUR_MS);
  for (const { id } of [first, last]) await engagement.dropAt(id, recipient.id, sentAt);
  await engagement.entryAt(recipient.id, new Date(sentAt.getTime() + 1));
  await api.query`insert into nectar.encouragement_allowances (user_id, date, daily_allowance)
    values (${first.id}, '2031-05-18', 5)`;
  const check = async () => expect(await engagement.earnedToday(first.id)).toBe(2);
  return { goes: last, first, request: engagement.run, status: 200, check };
}

/** Two results of pushes to the person, of which the deletion has reached the last. */
async function pushed() {
  await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
    select ${goes.id}::uuid, 'https://push.example.test/' || n || ${goes.id}::text, repeat('A', 87), repeat('A', 22)
    from generate_series(1, 2) n`;
  await api.query`insert into nectar.notifications (user_id, type) values (${goes.id}, 'drop_received')`;
  const deliveries = await api.query<{ subscription_id: string }>`
    update private.push_deliveries d set attempts = 1 from nectar.notifications n
    where n.id = d.notification_id and n.user_id = ${goes.id} returning d.notification_id, d.subscription_id`;
  const last = deliveries.map(({ subscription_id }) => subscription_id).toSorted()[1];
  const results = JSON.stringify(deliveries.map((delivery) => ({ ...delivery, attempt: 1, result: "sent" })));
  const request = async () => {
    await api.services.database.asService((tx) => sql`select private.record_push_results(${results})`.execute(tx));
    return { status: 200 };
  };
  return { reached: `private.push_deliveries r on r.subscription_id = '${last}'`, request, status: 200 };
}

type Row = () => Promise<Omit<Race, "goes"> & Partial<Pick<Race, "goes">>>;

const ROWS: Readonly<Record<string, Row>> = {
  "a pack is shared with a person who has it by address": async () => {
    const pack = await makePack(owner);
    await share(pack, { email: goes.email }).ok();
    return { request: () => share(pack, { user_id: goes.id }), status: 404 };
  },
  "a pack is unshared from a person who has it active": async () => {
    const path = `/api/tone-packs/${await activePack()}/share/${goes.id}` as const;
    return { reached: own("accounts"), request: () => api.delete(path, owner), status: 404 };
  },
  "a pack is deleted that the person has active": async () => {
    const path = `/api/tone-packs/${await activePack()}` as const;
    return { reached: own("accounts"), request: () => api.delete(path, owner), status: 200 };
  },
  "a pack of the person is refunded to a buyer who has it active": async () => {
    const pack = await makePack(goes, { is_public: true, price_drops: 1 });
    const { transaction } = await api.post(`/api/tone-packs/${pack}/purchase`, owner).created();
    await api.post(`/api/tone-packs/${pack}/activate`, owner).ok();
    return { held: rowsOf("nectar.accounts", owner), request: refund(transaction.id), status: 200 };
  },
  "a purchase of the person is refunded": async () => {
    const { id } = await api.one<{ id: string }>`
      select id from private.post_drop_transaction(${goes.id}, 'purchase', -20, 'purchase:1', 'Tone pack')`;
    return { request: refund(id), status: 404, body: { code: "drops.transaction_not_found" } };
  },
  "the drops of the month are given to everyone": async () => ({
    request: () => api.post("/api/drops/cron/award-monthly-all", undefined, {}, { "x-cron-secret": DROPS_SECRET }),
    status: 200,
    check: async () =>
      expect(await api.query`select from nectar.monthly_drop_awards where user_id = ${owner.id}`).toHaveLength(1),
  }),
  "a subscription of the person begins": async () => {
    const event = subscriptionOf(goes).changed("created", "active");
    return { request: () => deliver(event), status: 200 };
  },

  "a team removes the person, who shares with it": async () => {
    const { reached, team } = await shared();
    return { reached, request: () => api.delete(`${team}/members/${goes.id}`, owner), status: 404 };
  },
  "an organization removes the person, who shares with it": async () => {
    const { reached, org } = await shared();
    return { reached, request: () => api.delete(`${org}/members/${goes.id}`, owner), status: 404 };
  },
  "a team is deleted with which the person shares": async () => {
    const { reached, team } = await shared();
    return { reached, request: () => api.delete(team, owner), status: 200 };
  },
  "an organization is deleted with which the person shares": async () => {
    const { reached, org } = await shared();
    return { reached, request: () => api.delete(org, owner), status: 200 };
  },
  "the person becomes the primary admin of a team": async () => {
    const path = `/api/teams/${(await found()).teamId}` as const;
    const request = () => api.put(path, owner, { name: "Renamed", admin_id: goes.id });
    return { reached: own("organization_members"), request, status: 400 };
  },
  "the person is replaced as the primary admin of a team": async () => {
    const path = `/api/teams/${(await found()).teamId}` as const;
    await api.put(path, owner, { admin_id: goes.id }).ok();
    return {
      reached: own("team_members"),
      request: () => api.put(path, root, { name: "Renamed", admin_id: owner.id }),
      status: 200,
      check: async () => expect((await api.get(path, owner).ok()).team.admin_id).toBe(owner.id),
    };
  },
  "the person is added to an organization": async () => {
    const { orgId } = await foundTeam(api, owner);
    const held = `select from nectar.organizations where id = '${orgId}' for update`;
    const request = () => api.post(`/api/organizations/${orgId}/members`, owner, { user_id: goes.id });
    return { held, request, status: 201 };
  },
  "the person is added to a team": async () => {
    const { team } = await api.post("/api/teams", owner, { name: "Drones", org_id: (await found()).orgId }).created();
    const request = () => api.post(`/api/teams/${team.id}/members`, owner, { user_id: goes.id });
    return { held: rowsOf("nectar.organization_members", goes), request, status: 201 };
  },
  "the person is added as the primary admin of a new team": async () => {
    const body = { name: "Drones", org_id: (await found()).orgId, admin_id: goes.id };
    const held = rowsOf("private.quota_uses", owner).replace(" for", " and name = 'member_add' for");
    return { held, request: () => api.post("/api/teams", owner, body), status: 201 };
  },
  "an invitation by the person is accepted": async () => {
    const { owner: inviter, orgId } = await invitations.found();
    const { token } = await invitations.invite(inviter, orgId);
    return { goes: inviter, request: () => invitations.accept(owner, { token }), status: 404 };
  },

  "an entry about which the person sent drops is deleted": async () => {
    const { reached, path } = await entryWithDrops();
    return { reached, request: () => api.delete(path, owner), status: 200 };
  },
  "an entry about which the person sent drops is restored": async () => {
    const { reached, path } = await entryWithDrops();
    await api.delete(path, owner).ok();
    return { reached, request: () => api.post(`${path}/restore`, owner), status: 200 };
  },
  "a message is sent to the person, who has unread ones": async () => {
    const { teamId } = await found();
    await say(teamId, owner).created();
    return { reached: own("notifications"), request: () => say(teamId, owner), status: 201 };
  },
  "a message is sent to a team of the person": async () => {
    const { teamId } = await found();
    await say(teamId, owner).created();
    return { reached: own("team_members"), request: () => say(teamId, owner), status: 201 };
  },
  "a message is sent, and waits for a notification of the person": async () => {
    const { teamId } = await foundTeam(api, goes, [owner]);
    await say(teamId, owner).created();
    return { held: rowsOf("nectar.notifications", goes), request: () => say(teamId, owner), status: 201 };
  },
  "a message of the person is deleted by an admin": async () => {
    const { teamId } = await found();
    const { team_message } = await say(teamId, goes).created();
    const request = () => api.delete(`/api/teams/${teamId}/messages/${team_message.id}`, owner);
    return { reached: own("team_messages", "sender_id"), request, status: 404 };
  },
  "an entry of the person gets a comment": async () => {
    const { id } = await write(api, goes, withTeam((await found()).teamId));
    return { reached: own("journal_entry_contents"), request: () => comment(`/api/journal/${id}`, owner), status: 404 };
  },
  "a comment to an entry of the person is deleted by its author": async () => {
    const { id } = await write(api, goes, withTeam((await found()).teamId));
    const sent = await api.post(`/api/journal/${id}/comments`, owner, { content: "Hello" }).created();
    const request = () => api.delete(`/api/journal/${id}/comments/${sent.comment.id}`, owner);
    return { reached: own("journal_entries"), request, status: 404 };
  },
  "a goal with a comment of the person is deleted": async () => {
    const { reached, goal } = await commented();
    return { reached, request: () => api.delete(`/api/goals/${goal}`, owner), status: 200 };
  },
  "an entry with a comment of the person is deleted for good": async () => {
    const { reached, entry } = await commented();
    return { reached, request: () => api.delete(`/api/journal/trash/${entry}`, owner), status: 200 };
  },
  "an entry with a comment of the person is restored": async () => {
    const { reached, entry } = await commented();
    return {
      reached,
      request: () => api.post(`/api/journal/${entry}/restore`, owner),
      status: 200,
      check: async () => expect((await api.get(`/api/journal/${entry}`, owner).ok()).entry.comment_count).toBe(1),
    };
  },

  "an entry of the person is reported": async () => {
    const body = await publicEntry(goes);
    return { reached: own("journal_entries"), request: () => api.post("/api/reports", owner, body), status: 404 };
  },
  "a report about the person is decided": async () => {
    const path = await reported(await publicEntry(goes));
    const request = () => api.put(path, root, { decision: "hide", reason: WHY });
    return { reached: own("reports", "owner_id"), request, status: 404 };
  },
  "a report by the person, and by others, is decided": async () => {
    const body = await publicEntry(owner);
    const path = await reported(body);
    await api.post("/api/reports", goes, body).created();
    const request = () => api.put(path, root, { decision: "hide", reason: WHY });
    return { reached: own("reports", "reporter_id"), request, status: 200 };
  },
  "an appeal of the person is decided": async () => {
    const path = await reported(await publicEntry(goes));
    const { decision } = await api.put(path, root, { decision: "warn", reason: WHY }).ok();
    const reason = "It was meant as a joke among friends.";
    const { appeal } = await api.post(`/api/moderation-decisions/${decision.id}/appeal`, goes, { reason }).created();
    const uphold = { decision: "uphold", answer: "We looked at it again." };
    const request = () => api.put(`/api/admin/appeals/${appeal.id}`, root, uphold);
    return { reached: own("moderation_appeals", "owner_id"), request, status: 404 };
  },

  "a drop of the person is paid": async () => ({ ...(await engaged()), body: { results: { engaged: 1 } } }),
  "a drop of the person is paid after that of another": async () => {
    const { first, ...row } = await engaged();
    return { ...row, held: rowsOf("nectar.encouragement_allowances", first), body: { results: { engaged: 2 } } };
  },
  "the person sends a drop": async () => {
    await sendTo(api, goes, owner).created();
    const request = () => sendTo(api, goes, owner);
    return { held: rowsOf("nectar.encouragement_allowances", goes), request, status: 201 };
  },
  "pushes to the person get their results": pushed,
};

it.each(Object.entries(ROWS))("%s while the account is deleted", async (_, row) => {
  const first = await row();
  await race({ goes, ...first });
  if (first.reached === undefined) return;
  // Once more with the next person, whose deletion has locked only the profile.
  Object.assign(goes, await api.person());
  const { reached: _reached, ...begun } = await row();
  await race({ goes, ...begun });
});

it.each([
  ["create-checkout-session", { priceId: "price_any", successUrl: "https://a.test", cancelUrl: "https://a.test" }],
  ["create-portal-session", { returnUrl: "https://a.test" }],
] as const)("POST %s is 401 if the account is deleted while the payment processor is called", async (name, body) => {
  await api.query`insert into nectar.subscriptions
      (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id, created_at)
    values (${goes.id}, 'cus_1', 'sub_1', 'canceled', now(), 2, 'evt_1', now())`;
  await api.post(`/api/payment/${name}`, goes, body).refused(401, "auth.unknown_account");
});

it("two accounts are deleted one after the other, and the second has no lock while it waits", async () => {
  const isFree = async (id: string) =>
    (await api.query`select from nectar.profiles where id = ${id} for update skip locked`).length === 1;
  const { users } = await api.post("/api/workout-window/admin/ai-users/generate", root, { count: 1 }).created();
  const [synthetic = { id: "" }] = users;
  await api.inTransaction(async (first) => {
    await first.query`delete from auth.users where id = ${goes.id}`;
    const second = api.query`delete from auth.users where id = ${owner.id} returning id`;
    await api.untilWaiting(1, second);
    const third = api.delete(`/api/workout-window/admin/ai-users/${synthetic.id}`, root).ok();
    await api.untilWaiting(2, third);
    expect([await isFree(owner.id), await isFree(synthetic.id)]).toEqual([true, true]);
    await first.query`commit`;
    expect(await second).toHaveLength(1);
    await third;
  });
});
