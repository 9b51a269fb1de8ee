import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi({ environment: { LOG_LEVEL: "trace", ...(await useFileStore()) } });
const ada = beforeEachTest(() => api.person());
const ben = beforeTests(() => api.person());

const PHONE = { name: "My phone", scopes: ["wellness:write"] };
const REST = { type: "satisfaction", rating: 7 };
/** Requests that begin after their token was deleted. */
const LATER = LONG ? 700 : 40;
/** Responses before the deletion begins, beside which the others go on. */
const RACED = LONG ? 300 : 20;
const NOBODY = { token: `nct_${"a".repeat(43)}` };

/** Creates a token, with what a program needs to send it. */
async function create(person: Pick<Person, "token">, body: object = PHONE) {
  const { token } = await api.post("/api/user/tokens", person, body).created();
  return { ...token, token: token.secret ?? "" };
}

const expire = (id: string) => api.query`
  update nectar.personal_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where id = ${id}`;

describe("a personal token", () => {
  it("is shown once, and stored as its hash", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const { token } = await api.post("/api/user/tokens", ada, PHONE, headers).created();
    const { secret, ...listed } = token;
    expect(secret).toMatch(/^nct_[\w-]{43}$/);
    expect(listed).toMatchObject({ ...PHONE, hint: secret?.slice(-4), last_used_at: null });
    const lifetime = Date.parse(token.expires_at) - Date.parse(token.created_at);
    expect(lifetime).toBe(90 * 24 * 60 * 60 * 1000);
    expect(await api.get("/api/user/tokens", ada).ok()).toEqual({ tokens: [listed], next_cursor: null });
    const replay = await api.post("/api/user/tokens", ada, PHONE, headers).created();
    expect(replay).toEqual({ token: { ...token, secret: null } });
    expect(await api.get("/api/user/tokens", ben).ok()).toEqual({ tokens: [], next_cursor: null });

    const exported = await exportOf(api, ada);
    expect(exported.data("personal_tokens")).toEqual([listed]);
    const tables = await api.query<{ name: string }>`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace in ('nectar'::regnamespace, 'private'::regnamespace)`;
    const rows = await Promise.all(
      tables.map(({ name }) => api.query<{ row: string }>(`select t::text as row from ${name} t`)),
    );
    const written = [api.logged(), JSON.stringify(rows), ...Object.keys(exported.files).map(exported.text)].join("\n");
    expect(written).toContain(token.id);
    expect(written).not.toContain(secret);
  });

  it("notifies its person", async () => {
    const { id } = await create(ada);
    const { notifications } = await api.get("/api/notifications", ada).ok();
    expect(notifications).toMatchObject([{ type: "token_created", data: { token_id: id } }]);
  });

  it("is not created with one scope twice", async () => {
    await api.post("/api/user/tokens", ada, { ...PHONE, scopes: ["goals:read", "goals:read"] }).invalid("scopes");
  });

  it("exists 20 times for a person, those that expired not counted, also if two are created at once", async () => {
    const tokens = [];
    for (let count = 0; count < 19; count += 1) tokens.push(await create(ada, { ...PHONE, expires_in_days: 366 }));
    const both = await Promise.all([1, 2].map(() => api.post("/api/user/tokens", ada, PHONE)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await api.post("/api/user/tokens", ada, PHONE).refused(409, "token.too_many");
    await expire(tokens[0]?.id ?? "");
    await create(ada);
    const { tokens: listed, next_cursor } = await api.get("/api/user/tokens?limit=15", ada).ok();
    const rest = await api.get(`/api/user/tokens?cursor=${next_cursor}`, ada).ok();
    expect([...listed, ...rest.tokens]).toHaveLength(21);
  });

  it("acts for its person, with the rights of an ordinary one", async () => {
    const root = await api.person({ role: "super_admin" });
    const { entry } = await api.post("/api/journal", ada, { title: "Mine", content: "Alone" }).created();
    const program = await create(root, { name: "Reader", scopes: ["journal:read", "profile:read"] });
    await api.get(`/api/journal/${entry.id}`, root).ok();
    await api.get(`/api/journal/${entry.id}`, program).refused(404, "journal.not_found");
    await api.get("/api/admin/users", program).refused(403, "auth.scope_missing");
    expect((await api.get("/api/user/profile", program).ok()).profile.id).toBe(root.id);
  });

  it("records when it is used, at most once an hour", async () => {
    const program = await create(ada);
    const lastUse = async () => (await api.get("/api/user/tokens", ada).ok()).tokens[0]?.last_used_at;
    const use = () => api.get("/api/wellness-entries", program).ok();
    await Promise.all([use(), use(), use()]);
    const first = await lastUse();
    expect(first).not.toBeNull();
    await use();
    expect(await lastUse()).toBe(first);
    await api.query`update nectar.personal_tokens set last_used_at = now() - interval '61 minutes' where id = ${program.id}`;
    const earlier = await lastUse();
    await use();
    expect(Date.parse((await lastUse()) ?? "")).toBeGreaterThan(Date.parse(earlier ?? ""));
  });

  it("is refused if it is unknown, deleted, expired or of an erased account, and is no access token", async () => {
    await api.get("/api/wellness-entries", NOBODY).refused(401, "auth.invalid_token");
    await api.get("/api/wellness-entries", { token: "nct_" }).refused(401, "auth.invalid_token");
    const [deleted, expired, last] = [await create(ada), await create(ada), await create(ada)];
    await expire(expired.id);
    await api.get("/api/wellness-entries", expired).refused(401, "auth.invalid_token");
    await api.delete(`/api/user/tokens/${expired.id}`, ada).refused(404, "token.not_found");
    await api.delete(`/api/user/tokens/${deleted.id}`, ben).refused(404, "token.not_found");
    await api.get("/api/wellness-entries", deleted).ok();
    await api.delete(`/api/user/tokens/${deleted.id}`, ada).ok();
    await api.get("/api/wellness-entries", deleted).refused(401, "auth.invalid_token");
    await api.delete(`/api/user/tokens/${deleted.id}`, ada).refused(404, "token.not_found");
    await api.post("/api/auth/verify", undefined, { token: last.token }).refused(401, "auth.invalid_token");
    await api.query`delete from auth.users where id = ${ada.id}`;
    await api.get("/api/wellness-entries", last).refused(401, "auth.invalid_token");
  });

  it("can be deleted, but not created, by a suspended person, whose programs may only read", async () => {
    const program = await create(ada);
    await api.query`select private.suspend_user(${ada.id}, '2999-01-01T00:00Z')`;
    await api.get("/api/wellness-entries", program).ok();
    await api.post("/api/wellness-entries", program, REST).refused(403, "auth.suspended");
    await api.post("/api/user/tokens", ada, PHONE).refused(403, "auth.suspended");
    expect((await api.get("/api/user/tokens", ada).ok()).tokens).toHaveLength(1);
    await api.delete(`/api/user/tokens/${program.id}`, ada).ok();
  });
});

it(`${LATER} requests that begin after the deletion of their token are refused, and none that raced with it writes later`, async () => {
  const program = await create(ada);
  const entries = () => api.query`select id from nectar.wellness_entries where user_id = ${ada.id}`;
  let sent = 0;
  let later = 0;
  let deleted: { readonly written: number } | undefined;
  const statuses: { status: number; isLater: boolean }[] = [];
  const lane = async () => {
    while (later < LATER) {
      sent += 1;
      const isLater = deleted !== undefined;
      if (isLater) later += 1;
      const reads = sent % 2 === 0;
      const { status } = reads
        ? await api.get("/api/wellness-entries?limit=1", program)
        : await api.post("/api/wellness-entries", program, REST);
      statuses.push({ status, isLater });
      if (statuses.length === RACED) {
        await api.delete(`/api/user/tokens/${program.id}`, ada).ok();
        deleted = { written: (await entries()).length };
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  const count = (wanted: (one: (typeof statuses)[number]) => boolean) => statuses.filter(wanted).length;
  expect(count(({ status, isLater }) => isLater && status === 401)).toBe(LATER);
  expect(count(({ status }) => status === 201)).toBe(deleted?.written);
  expect((await entries()).length).toBe(deleted?.written);
});
