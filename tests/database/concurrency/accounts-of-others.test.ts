import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { asSuperuser, type Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import type { Queries } from "#tests/sql";
import { refusalOf } from "../support/acting.ts";

/*
 * An account is deleted while a request of another person changes its rows. A request locks the person's profile
 * before their other rows, as the deletion does, so neither ever loses a deadlock. Here a deadlock would always end the
 * deletion and never the request, because requests are tried again: it looks for deadlocks soon, and requests much later.
 */

const api = useApi();

beforeAll(() =>
  asSuperuser(api.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>("select quote_ident(current_database()) as name");
    const name = rows[0]?.name ?? "";
    await client.query(`alter database ${name} set deadlock_timeout = '60s'`);
    await client.query(`alter role current_user in database ${name} set deadlock_timeout = '200ms'`);
  }),
);

const root = beforeTests(() => api.person({ role: "super_admin" }));
const owner = beforeEachTest(() => api.person());
const goes = beforeEachTest(() => api.person());
const hive = beforeEachTest(() => foundTeam(api, owner, [goes]));

const deletion = (client: Queries, person: Person) =>
  client.query("delete from auth.users where id = $1", [person.id]).then(
    async () => {
      await client.query("commit");
      return "deleted";
    },
    async (error: unknown) => {
      await client.query("rollback");
      return refusalOf(error);
    },
  );

/**
 * The deletion has come as far as some rows of the person when the request begins; it goes on when the request is done or
 * waits.
 * @param reached what the deletion has locked beside the profile: a table, with the alias r and a condition
 */
function deletedBefore(person: Person, reached: string, request: () => Promise<Pick<ApiResponse, "status">>) {
  return api.inTransaction(async (client) => {
    await client.query(`select from nectar.profiles p join ${reached} where p.id = $1 for update`, [person.id]);
    const answering = request();
    await api.untilWaiting(1, answering);
    return { deletion: await deletion(client, person), status: (await answering).status };
  });
}

/** The request waits for rows that a third transaction has locked; then the deletion starts. */
function deletedAfter(person: Person, held: string, request: () => Promise<Pick<ApiResponse, "status">>) {
  return api.inTransaction(async (third) => {
    await third.query(held);
    const answering = request();
    await api.untilWaiting(1, answering);
    const deleting = api.inTransaction((client) => deletion(client, person));
    await api.untilWaiting(2, deleting);
    await third.query("rollback");
    return { deletion: await deleting, status: (await answering).status };
  });
}

async function makePack(seller: Person, fields: object = {}): Promise<string> {
  const body = { name: "Cranes", theme: "origami", ...fields };
  return (await api.post("/api/tone-packs", seller, body)).body.tone_pack.id;
}

describe("a tone pack", () => {
  const share = (pack: string, body: object) => api.post(`/api/tone-packs/${pack}/share`, owner, body);
  const ACCOUNT = "nectar.accounts r on r.user_id = p.id";

  it("is shared with a person whose account is being deleted, and who has it by address already", async () => {
    const pack = await makePack(owner);
    await share(pack, { email: goes.email });
    const shares = "nectar.profiles r on r.id = p.id";
    expect(await deletedBefore(goes, shares, () => share(pack, { user_id: goes.id }))).toEqual({
      deletion: "deleted",
      status: 404,
    });
  });

  it("is unshared from a person who has it active and whose account is being deleted", async () => {
    const pack = await makePack(owner);
    await share(pack, { user_id: goes.id });
    await api.post(`/api/tone-packs/${pack}/activate`, goes);
    const end = () => api.delete(`/api/tone-packs/${pack}/share/${goes.id}`, owner);
    expect(await deletedBefore(goes, ACCOUNT, end)).toEqual({ deletion: "deleted", status: 404 });
  });

  it("is deleted while the account of a person who has it active is being deleted", async () => {
    const pack = await makePack(owner);
    await share(pack, { user_id: goes.id });
    await api.post(`/api/tone-packs/${pack}/activate`, goes);
    const remove = () => api.delete(`/api/tone-packs/${pack}`, owner);
    expect(await deletedBefore(goes, ACCOUNT, remove)).toEqual({ deletion: "deleted", status: 200 });
  });

  it("is refunded while its seller's account is being deleted and its buyer has it active", async () => {
    const buyer = await api.person();
    const pack = await makePack(goes, { is_public: true, price_drops: 1 });
    const bought = (await api.post(`/api/tone-packs/${pack}/purchase`, buyer)).body.transaction.id;
    await api.post(`/api/tone-packs/${pack}/activate`, buyer);
    await api.query`delete from nectar.organization_members where user_id = ${goes.id}`;
    const refund = () => api.post("/api/admin/drops/refund", root, { transaction_id: bought });
    const buyersAccount = `select from nectar.accounts where user_id = '${buyer.id}' for update`;
    expect(await deletedAfter(goes, buyersAccount, refund)).toEqual({ deletion: "deleted", status: 200 });
  });
});

describe("an organization or a team, with a notebook and an entry that the person shares with it,", () => {
  const NOTEBOOK = "nectar.notebooks r on r.user_id = p.id";
  beforeEach(async () => {
    await api.post("/api/notebooks", goes, { name: "Notes", metadata_visibility: "team", team_id: hive.teamId });
    await api.post("/api/notebooks", goes, { name: "Notes", metadata_visibility: "org", org_id: hive.orgId });
    await write(api, goes, { metadata_visibility: "team", team_id: hive.teamId });
    await write(api, goes, { metadata_visibility: "org", org_id: hive.orgId });
  });

  it.each<[string, string, () => Promise<ApiResponse>, number]>([
    [
      "removes them from the team",
      NOTEBOOK,
      () => api.delete(`/api/teams/${hive.teamId}/members/${goes.id}`, owner),
      404,
    ],
    [
      "removes them from the organization",
      NOTEBOOK,
      () => api.delete(`/api/organizations/${hive.orgId}/members/${goes.id}`, owner),
      404,
    ],
    ["is deleted: the team", NOTEBOOK, () => api.delete(`/api/teams/${hive.teamId}`, owner), 200],
    ["is deleted: the organization", NOTEBOOK, () => api.delete(`/api/organizations/${hive.orgId}`, owner), 200],
    [
      "makes them the primary admin",
      "nectar.organization_members r on r.user_id = p.id",
      () => api.put(`/api/teams/${hive.teamId}`, owner, { name: "Renamed", admin_id: goes.id }),
      400,
    ],
  ])("%s", async (_, reached, request, status) => {
    expect(await deletedBefore(goes, reached, request)).toEqual({ deletion: "deleted", status });
  });

  it("replaces them as the primary admin", async () => {
    await api.put(`/api/teams/${hive.teamId}`, owner, { admin_id: goes.id });
    const replace = () => api.put(`/api/teams/${hive.teamId}`, root, { name: "Renamed", admin_id: owner.id });
    const reached = "nectar.team_members r on r.user_id = p.id";
    expect(await deletedBefore(goes, reached, replace)).toEqual({ deletion: "deleted", status: 200 });
    expect((await api.get(`/api/teams/${hive.teamId}`, owner)).body.team.admin_id).toBe(owner.id);
  });
});

describe("an entry about which the person sent a drop", () => {
  it.each(["moved to the trash", "restored"])("is %s while their account is being deleted", async (change) => {
    const entry = await write(api, owner, { metadata_visibility: "public" });
    for (const content of ["Well said.", "Go on."]) {
      const drop = { recipient_id: owner.id, content, entry_id: entry.id };
      await api.post("/api/encouragement-drops/send", goes, drop).created();
    }
    const trash = () => api.delete(`/api/journal/${entry.id}`, owner);
    const restore = () => api.post(`/api/journal/${entry.id}/restore`, owner);
    if (change === "restored") await trash().ok();
    const reached = "nectar.encouragement_drops r on r.sender_id = p.id";
    expect(await deletedBefore(goes, reached, change === "restored" ? restore : trash)).toEqual({
      deletion: "deleted",
      status: 200,
    });
  });
});

describe("a message to a team", () => {
  const send = (by: Person) => api.post(`/api/teams/${hive.teamId}/messages`, by, { content: "Hello" });

  it.each(["nectar.notifications", "nectar.team_members"])(
    "is sent while the account of a member with unread messages is being deleted, which has reached %s",
    async (table) => {
      await send(owner).created();
      const reached = `${table} r on r.user_id = p.id`;
      expect(await deletedBefore(goes, reached, () => send(owner))).toEqual({ deletion: "deleted", status: 201 });
    },
  );

  it("is sent, and waits for the notification of a member whose account is then deleted", async () => {
    await send(goes).created();
    const locked = `select from nectar.notifications where user_id = '${owner.id}' and type = 'team_message' for update`;
    expect(await deletedAfter(owner, locked, () => send(goes))).toEqual({ deletion: "deleted", status: 201 });
  });

  it("is deleted by an admin of the team while its sender's account is being deleted", async () => {
    const { team_message } = await send(goes).created();
    const remove = () => api.delete(`/api/teams/${hive.teamId}/messages/${team_message.id}`, owner);
    const reached = "nectar.team_messages r on r.sender_id = p.id";
    expect(await deletedBefore(goes, reached, remove)).toEqual({ deletion: "deleted", status: 404 });
  });
});

describe("a comment", () => {
  const shared = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: hive.teamId });
  const comment = (entry: string, by: Person) => api.post(`/api/journal/${entry}/comments`, by, { content: "Hello" });
  const MESSAGES = "nectar.team_messages r on r.sender_id = p.id";

  it("is written while the account of the author is being deleted", async () => {
    const { id } = await write(api, goes, shared());
    const contents = "nectar.journal_entry_contents r on r.user_id = p.id";
    expect(await deletedBefore(goes, contents, () => comment(id, owner))).toEqual({ deletion: "deleted", status: 404 });
  });

  it("is deleted by its author while the account of the author of the entry is being deleted", async () => {
    const { id } = await write(api, goes, shared());
    const sent = (await comment(id, owner).created()).comment.id;
    const remove = () => api.delete(`/api/journal/${id}/comments/${sent}`, owner);
    const entries = "nectar.journal_entries r on r.user_id = p.id";
    expect(await deletedBefore(goes, entries, remove)).toEqual({ deletion: "deleted", status: 404 });
  });

  it.each(["deleted with a goal", "deleted with an entry", "restored with an entry"])(
    "is %s while the account of its author is being deleted",
    async (change) => {
      const { goal } = await api.post("/api/goals", owner, { title: "Run", ...shared() }).created();
      await api.post(`/api/goals/${goal.id}/comments`, goes, { content: "Hello" }).created();
      const { id } = await write(api, owner, shared());
      for (const person of [goes, owner]) await comment(id, person).created();
      await api.delete(`/api/journal/${id}`, owner).ok();
      const request = () => {
        if (change === "restored with an entry") return api.post(`/api/journal/${id}/restore`, owner);
        return api.delete(
          change === "deleted with a goal" ? `/api/goals/${goal.id}` : `/api/journal/trash/${id}`,
          owner,
        );
      };
      expect(await deletedBefore(goes, MESSAGES, request)).toEqual({ deletion: "deleted", status: 200 });
      if (change !== "restored with an entry") return;
      expect((await api.get(`/api/journal/${id}`, owner).ok()).entry.comment_count).toBe(1);
    },
  );
});

describe("a person whose account is being deleted while they are added", () => {
  // Each request stops, after it has found the person, at rows that a third transaction has locked.
  it.each<[string, () => Promise<{ path: string; body: object; stop: string; person?: Person }>]>([
    [
      "to an organization",
      async () => {
        const person = await api.person();
        const stop = `select from nectar.organizations where id = '${hive.orgId}' for update`;
        return { path: `/api/organizations/${hive.orgId}/members`, body: { user_id: person.id }, stop, person };
      },
    ],
    [
      "to a team",
      async () => {
        const { team } = (await api.post("/api/teams", owner, { name: "Drones", org_id: hive.orgId })).body;
        const stop = `select from nectar.organization_members where user_id = '${goes.id}' for update`;
        return { path: `/api/teams/${team.id}/members`, body: { user_id: goes.id }, stop };
      },
    ],
    [
      "as the primary admin of a new team",
      async () => ({
        path: "/api/teams",
        body: { name: "Drones", org_id: hive.orgId, admin_id: goes.id },
        stop: `select from private.quota_uses where user_id = '${owner.id}' and name = 'member_add' for update`,
      }),
    ],
  ])("%s is waited for", async (_, requestOf) => {
    const { path, body, stop, person = goes } = await requestOf();
    expect(await deletedAfter(person, stop, () => api.post(path, owner, body))).toEqual({
      deletion: "deleted",
      status: 201,
    });
  });
});

describe("a report of a person whose account is being deleted", () => {
  async function reported() {
    const { id } = await write(api, goes, { metadata_visibility: "public" });
    return { target_type: "entry", target_id: id, reason: "spam" };
  }

  it("is not made", async () => {
    const body = await reported();
    const entries = "nectar.journal_entries r on r.user_id = p.id";
    expect(await deletedBefore(goes, entries, () => api.post("/api/reports", owner, body))).toEqual({
      deletion: "deleted",
      status: 404,
    });
  });

  it.each([
    ["the owner of the thing", "owner_id", 404],
    ["one of the reporters", "reporter_id", 200],
  ] as const)("is decided while it is %s who goes", async (_, column, status) => {
    const body =
      column === "owner_id"
        ? await reported()
        : { ...(await reported()), target_id: (await write(api, owner, { metadata_visibility: "public" })).id };
    const third = await api.person();
    const { report } = (await api.post("/api/reports", third, body)).body;
    if (column === "reporter_id") await api.post("/api/reports", goes, body);
    const decision = { decision: "hide", reason: "It insults other people." };
    const decide = () => api.put(`/api/admin/reports/${report.id}`, root, decision);
    const rows = `nectar.reports r on r.${column} = p.id`;
    expect(await deletedBefore(goes, rows, decide)).toEqual({ deletion: "deleted", status });
  });
});

it("an appeal of a person whose account is being deleted is not decided", async () => {
  const { id } = await write(api, goes, { metadata_visibility: "public" });
  const { report } = (await api.post("/api/reports", owner, { target_type: "entry", target_id: id, reason: "spam" }))
    .body;
  const warning = { decision: "warn", reason: "It insults other people." };
  const { decision } = (await api.put(`/api/admin/reports/${report.id}`, root, warning)).body;
  const reason = "It was meant as a joke among friends.";
  const { appeal } = (await api.post(`/api/moderation-decisions/${decision.id}/appeal`, goes, { reason })).body;
  const uphold = { decision: "uphold", answer: "We looked at it again." };
  const decide = () => api.put(`/api/admin/appeals/${appeal.id}`, root, uphold);
  const rows = "nectar.moderation_appeals r on r.owner_id = p.id";
  expect(await deletedBefore(goes, rows, decide)).toEqual({ deletion: "deleted", status: 404 });
});

describe("deliveries of pushes", () => {
  it("get their results while their recipient's account is being deleted", async () => {
    await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
      select ${goes.id}::uuid, 'https://push.example.test/' || n || ${goes.id}::text, repeat('A', 87), repeat('A', 22)
        from generate_series(1, 2) n`;
    await api.query`insert into nectar.notifications (user_id, type)
      values (${goes.id}, 'drop_received')`;
    const deliveries = await api.query`update private.push_deliveries d set attempts = 1 from nectar.notifications n
      where n.id = d.notification_id and n.user_id = ${goes.id} returning d.notification_id, d.subscription_id`;
    expect(deliveries).toHaveLength(2);
    const last = deliveries
      .map(({ subscription_id }) => subscription_id)
      .toSorted()
      .at(-1);
    const results = JSON.stringify(deliveries.map((delivery) => ({ ...delivery, attempt: 1, result: "sent" })));
    const settle = async () => {
      await api.services.database.asService((tx) => sql`select private.record_push_results(${results})`.execute(tx));
      return { status: 200 };
    };
    const reached = `private.push_deliveries r on r.subscription_id = '${last}'`;
    expect(await deletedBefore(goes, reached, settle)).toEqual({ deletion: "deleted", status: 200 });
  });
});

describe("two accounts that are deleted at once", () => {
  const isFree = (id: string) =>
    api.query`select from nectar.profiles where id = ${id} for update skip locked`.then((rows) => rows.length === 1);

  it("are deleted one after the other, and the second has no lock while it waits", async () => {
    const other = await api.person();
    const [synthetic] = (await api.post("/api/workout-window/admin/ai-users/generate", root, { count: 1 })).body.users;
    await api.inTransaction(async (first) => {
      await first.query("delete from auth.users where id = $1", [goes.id]);
      const second = api.inTransaction((client) => deletion(client, other));
      await api.untilWaiting(1, second);
      const third = api.delete(`/api/workout-window/admin/ai-users/${synthetic.id}`, root);
      await api.untilWaiting(2, third);
      expect([await isFree(other.id), await isFree(synthetic.id)]).toEqual([true, true]);
      await first.query("commit");
      expect([await second, (await third).status]).toEqual(["deleted", 200]);
    });
  });
});
