import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { removeUnownedFiles } from "#functions/health/stored-files";
import { deletePicture, updatePicture } from "#functions/pictures/pictures";
import { withinBudget } from "#http/jobs/jobs";
import { useApi } from "#tests/api";
import { storedKeys, useFileStore } from "#tests/file-store";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { jpegWith, MARK, picture } from "#tests/photos";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { load, picturesOf } from "./picture-scene.ts";

const MAX_BYTES = 100_000;
const api = useApi({ environment: { ...(await useFileStore()), PICTURE_BYTES_PER_PERSON: String(MAX_BYTES) } });
const { add, rows, idsOf } = picturesOf(api);
const ada = beforeEachTest(() => api.person());
const ben = beforeTests(() => api.person());
const photo = beforeTests(async () => ({ bytes: await jpegWith({ gps: [52.5, 13.4], orientation: 6 }) }));
const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };
const METADATA = { metadata_visibility: "public", content_visibility: "user" };
const stored = (person: Person, kind = "pictures") =>
  storedKeys(api.services.config.s3?.endpoint, `${kind}/${person.id}/`);
const note = (fields = {}, as = ada) => write(api, as, fields);

describe("POST /api/pictures", () => {
  it("stores the picture and a thumbnail, upright and without metadata", async () => {
    const { id } = await note();
    const large = await jpegWith({ gps: [52.5, 13.4], orientation: 6 }, picture(3, 2_400, 1_200), `<x>${MARK}</x>`);
    const { picture: added } = await add(ada, id, large, { caption: " The lake " }).created();
    expect(added).toMatchObject({ entry_id: id, position: 0, caption: "The lake", width: 1_024, height: 2_048 });
    const [whole, small] = [await load(added.url), await load(added.thumbnail_url)];
    expect(await sharp(whole).metadata()).toMatchObject({ format: "jpeg", width: 1_024, height: 2_048 });
    expect(await sharp(small).metadata()).toMatchObject({ format: "jpeg", width: 200, height: 400 });
    for (const file of [whole, small])
      for (const trace of ["Exif", MARK, "http"]) expect(file.includes(trace)).toBe(false);
    expect(added.size_bytes).toBe(whole.length + small.length);
    expect(new URL(added.url).searchParams.get("X-Amz-Expires")).toBe("3600");
    expect(await stored(ada)).toHaveLength(2);
    expect(await api.query`select from private.stored_files_to_remove where path like ${`%${ada.id}%`}`).toEqual([]);
    const { entry } = await api.get(`/api/journal/${id}`, ada).ok();
    expect(entry.pictures).toMatchObject([{ id: added.id, caption: "The lake", created_at: added.created_at }]);
    expect(await load(entry.pictures[0]?.url ?? "")).toEqual(whole);
  });

  it("adds it as the last one", async () => {
    const { id } = await note();
    const first = await add(ada, id, photo.bytes).created();
    const { picture: second } = await add(ada, id, photo.bytes, { caption: "" }).created();
    expect(second).toMatchObject({ position: 1, caption: null });
    expect(await idsOf(ada, id)).toEqual([first.picture.id, second.id]);
    expect((await api.get("/api/journal?scope=own", ada).ok()).entries).toMatchObject([{ id, picture_count: 2 }]);
  });

  it("is for entries of the caller: 404 if they do not see it, 403 if it belongs to another user", async () => {
    const entries = { hidden: await note(), titled: await note(METADATA), shown: await note(PUBLIC) };
    await add(ben, entries.hidden.id, photo.bytes).refused(404, "journal.not_found");
    await add(ben, entries.titled.id, photo.bytes).refused(403, "journal.not_yours");
    await add(ben, entries.shown.id, photo.bytes).refused(403, "journal.not_yours");
    await add(ada, randomUUID(), photo.bytes).refused(404, "journal.not_found");
    const { body } = await add(ben, entries.shown.id, photo.bytes);
    expect(body).not.toHaveProperty("picture");
  });

  it("checks the file first, then the fields, then the entry, then the room", async () => {
    const full = await note();
    await rows(ada, full.id, 20);
    const text = Buffer.from("No picture at all, but a text.");
    await add(ada, "not-a-uuid", text).refused(415, "picture.unsupported");
    await add(ada, "not-a-uuid", Buffer.concat([photo.bytes, Buffer.alloc(20 * 1024 * 1024)])).refused(
      413,
      "picture.too_large",
    );
    await add(ada, "not-a-uuid", photo.bytes, { caption: "x".repeat(501) }).invalid("entry_id", "caption");
    await add(ada, full.id, photo.bytes, { picture_key: "a" }).invalid("picture_key");
    await leaveQuota(api.adminUrl, ada, "picture_examination", 0);
    await add(ada, full.id, photo.bytes).refused(409, "picture.too_many");
    const form = new FormData();
    form.set("entry_id", full.id);
    await api.post("/api/pictures", ada, form).invalid("picture_key");
  });

  it("examines 100 pictures a day, also those that cannot be used, but not other files", async () => {
    const { id } = await note();
    await leaveQuota(api.adminUrl, ada, "picture_examination", 1);
    await add(ada, id, Buffer.from("A text instead of a picture.")).refused(415, "picture.unsupported");
    await add(ada, id, photo.bytes.subarray(0, 3_000)).refused(400, "picture.unusable");
    const refused = await add(ada, id, photo.bytes);
    expect([refused.status, refused.body.code]).toEqual([429, "quota.exhausted"]);
    const [quota] = await api.query`select max_units, period from private.quotas() where name = 'picture_examination'`;
    expect(quota).toEqual({ max_units: 100, period: "day" });
    expect(await stored(ada)).toEqual([]);
  });

  it("stops at 20 an entry, and at the bytes that a person may store, also when many arrive at once", async () => {
    const { id } = await note();
    await rows(ada, id, 18);
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => add(ada, id, photo.bytes)))).map(({ status, body }) => [
      status,
      body.code,
    ]);
    expect(statuses.toSorted()).toEqual([
      [201, undefined],
      [201, undefined],
      [409, "picture.too_many"],
      [409, "picture.too_many"],
    ]);
    expect(await idsOf(ada, id)).toHaveLength(20);
    const other = await note();
    await rows(ada, other.id, 1, MAX_BYTES);
    await add(ada, other.id, photo.bytes).refused(409, "picture.storage_full");
    // There is room before it is decoded, but not for what is stored of it.
    const cleo = await api.person();
    const hers = await note({}, cleo);
    await rows(cleo, hers.id, 1, MAX_BYTES - 10);
    await add(cleo, hers.id, photo.bytes).refused(409, "picture.storage_full");
    expect(await idsOf(cleo, hers.id)).toHaveLength(1);
  });

  it("takes an upload once, of the caller only", async () => {
    const { id } = await note();
    const request = { content_type: "image/jpeg" as const, size: photo.bytes.length };
    const { upload_url, picture_key, expires_at } = await api.post("/api/pictures/upload-url", ada, request).created();
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    const use = (as = ada) => api.post("/api/pictures", as, { entry_id: id, picture_key, caption: "Sent first" });
    await use().refused(404, "picture.not_uploaded");
    await fetch(upload_url, {
      method: "PUT",
      body: new Uint8Array(photo.bytes),
      headers: { "content-type": "image/jpeg" },
    });
    await use(ben).refused(404, "picture.not_uploaded");
    const both = await Promise.all([use(), use()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 404]);
    expect(await idsOf(ada, id)).toHaveLength(1);
    expect(await stored(ada, "picture-uploads")).toEqual([]);
    await use().refused(404, "picture.not_uploaded");
  });

  it("removes what is sent again to the address of an upload that was used", async () => {
    const { id } = await note();
    const request = { content_type: "image/jpeg" as const, size: photo.bytes.length };
    const { upload_url, picture_key } = await api.post("/api/pictures/upload-url", ada, request).created();
    const send = async () => {
      const headers = { "content-type": "image/jpeg" };
      return (await fetch(upload_url, { method: "PUT", body: new Uint8Array(photo.bytes), headers })).status;
    };
    await send();
    await api.post("/api/pictures", ada, { entry_id: id, picture_key }).created();
    const housekeeping = () => removeUnownedFiles(api.services, withinBudget(api.services, 60_000));
    await housekeeping();
    expect(await send()).toBe(200);
    await api.post("/api/pictures", ada, { entry_id: id, picture_key }).refused(404, "picture.not_uploaded");
    await api.query`update private.stored_files_to_remove set remove_after = now() where path = ${picture_key}`;
    await housekeeping();
    expect(await stored(ada, "picture-uploads")).toEqual([]);
    expect(await api.query`select from private.stored_files_to_remove where path = ${picture_key}`).toEqual([]);
  });

  it("takes up to 4 MB in a form, and what is larger at an upload address", async () => {
    const { id } = await note();
    const padded = (size: number) => Buffer.concat([photo.bytes, Buffer.alloc(size - photo.bytes.length)]);
    await add(ada, id, padded(4 * 1024 * 1024)).created();
    const large = padded(4 * 1024 * 1024 + 1);
    await add(ada, id, large).refused(413, "picture.too_large");
    const request = { content_type: "image/jpeg" as const, size: large.length };
    const { upload_url, picture_key } = await api.post("/api/pictures/upload-url", ada, request).created();
    await fetch(upload_url, { method: "PUT", body: new Uint8Array(large), headers: { "content-type": "image/jpeg" } });
    await api.post("/api/pictures", ada, { entry_id: id, picture_key }).created();
  });

  it("does not wait for the other requests of the person whose picture is first, and leaves the count of who waits too long", async () => {
    const { id } = await note();
    const busy = Promise.withResolvers<void>();
    const first = api.services.photoTurns.take(ada.id, new Request("http://localhost"), () => busy.promise);
    const waiting = add(ada, id, photo.bytes);
    const other = await note({}, ben);
    await add(ben, other.id, photo.bytes).created();
    expect(
      await api.query`select used from private.quota_uses where user_id = ${ada.id} and name = 'picture_examination'`,
    ).toEqual([]);
    busy.resolve();
    await first;
    await waiting.created();
  });

  it("refuses an upload that is no picture, or too large", async () => {
    const { id } = await note();
    const upload = async (bytes: Buffer, size = bytes.length) => {
      const request = { content_type: "image/png" as const, size };
      const { upload_url, picture_key } = await api.post("/api/pictures/upload-url", ada, request).created();
      await fetch(upload_url, { method: "PUT", body: new Uint8Array(bytes), headers: { "content-type": "image/png" } });
      return picture_key;
    };
    const text = await upload(Buffer.from("A text instead of a picture."));
    await api.post("/api/pictures", ada, { entry_id: id, picture_key: text }).refused(415, "picture.unsupported");
    const large = await upload(Buffer.from("A file that grows."));
    await api.services.privateFiles?.upload(large, Buffer.alloc(20 * 1024 * 1024 + 1), "image/png");
    await api.post("/api/pictures", ada, { entry_id: id, picture_key: large }).refused(413, "picture.too_large");
    const tooLarge = { content_type: "image/heic" as const, size: 20 * 1024 * 1024 + 1 };
    await api.post("/api/pictures/upload-url", ada, tooLarge).refused(413, "picture.too_large");
    await leaveQuota(api.adminUrl, ada, "picture_upload", 0);
    await api.post("/api/pictures/upload-url", ada, { ...tooLarge, size: 1 }).refused(429, "quota.exhausted");
  });
});

describe("GET /api/pictures", () => {
  it("lists the pictures of the named entries, each entry once and in the order asked", async () => {
    const [one, two, none] = [await note(PUBLIC), await note(PUBLIC), await note(PUBLIC)];
    const ids = { one: await rows(ada, one.id, 2), two: await rows(ada, two.id, 1) };
    const query = [two, none, one, two, { id: one.id.toUpperCase() }].map(({ id }) => `entry_id=${id}`).join("&");
    const { pictures } = await api.get(`/api/pictures?${query}`, ben).ok();
    expect(pictures.map(({ id }) => id)).toEqual([...ids.two, ...ids.one]);
  });

  it("ends before the entry with the 401st picture", async () => {
    const entries: { readonly id: string }[] = [];
    for (let count = 0; count < 22; count += 1) entries.push(await note());
    for (const [index, { id }] of entries.entries()) await rows(ada, id, index === 0 ? 7 : 20);
    const ask = async (from: number) => {
      const query = entries
        .slice(from)
        .map(({ id }) => `entry_id=${id}`)
        .join("&");
      return (await api.get(`/api/pictures?${query}`, ada).ok()).pictures.map(({ entry_id }) => entry_id);
    };
    const first = await ask(0);
    expect(first).toHaveLength(7 + 19 * 20);
    expect([...new Set(first)]).toEqual(entries.slice(0, 20).map(({ id }) => id));
    expect([...new Set(await ask(20))]).toEqual(entries.slice(20).map(({ id }) => id));
  });

  it("needs 1 to 100 ids", async () => {
    await api.get("/api/pictures", ada).invalid("entry_id");
    await api.get("/api/pictures?entry_id=1", ada).invalid("entry_id.0");
    const many = Array.from({ length: 101 }, () => `entry_id=${randomUUID()}`).join("&");
    await api.get(`/api/pictures?${many}`, ada).invalid("entry_id");
  });

  it("leaves out entries whose content the caller does not see, whose pictures are nowhere counted", async () => {
    const { teamId } = await foundTeam(api, ada, [ben]);
    const team = { metadata_visibility: "team", team_id: teamId };
    const shown = await note({ ...team, content_visibility: "team" });
    const titled = await note(team);
    const hidden = await note();
    for (const { id } of [shown, titled, hidden]) await rows(ada, id, 2);
    const all = [shown, titled, hidden].map(({ id }) => `entry_id=${id}`).join("&");
    const seenBy = async (as: Person) =>
      (await api.get(`/api/pictures?${all}`, as).ok()).pictures.map(({ entry_id }) => entry_id);
    expect(await seenBy(ben)).toEqual([shown.id, shown.id]);
    expect(await seenBy(ada)).toHaveLength(6);
    expect(await seenBy(await api.person())).toEqual([]);
    const listed = (await api.get("/api/journal?scope=shared", ben).ok()).entries;
    expect(listed.map(({ id, picture_count }) => [id, picture_count])).toEqual([
      [titled.id, 0],
      [shown.id, 2],
    ]);
    expect((await api.get(`/api/journal/${titled.id}`, ben).ok()).entry).toMatchObject({
      picture_count: 0,
      pictures: [],
    });
    expect((await api.get(`/api/journal/${shown.id}`, ben).ok()).entry.pictures).toHaveLength(2);
  });
});

describe("PUT /api/pictures/:id", () => {
  it("moves a picture and shifts the others; beyond the end it is the last one", async () => {
    const { id } = await note();
    const [a, b, c, d] = await rows(ada, id, 4);
    const moved = async (picture: string | undefined, position: number) => {
      const body = await api.put(`/api/pictures/${picture}`, ada, { position }).ok();
      return { position: body.picture.position, ids: await idsOf(ada, id) };
    };
    expect(await moved(a, 2)).toEqual({ position: 2, ids: [b, c, a, d] });
    expect(await moved(d, 0)).toEqual({ position: 0, ids: [d, b, c, a] });
    expect(await moved(d, 0)).toEqual({ position: 0, ids: [d, b, c, a] });
    expect(await moved(b, 2 ** 31 - 1)).toEqual({ position: 3, ids: [d, c, a, b] });
  });

  it("changes and clears the caption", async () => {
    const { id } = await note();
    const [picture] = await rows(ada, id, 1);
    const put = (body: object) => api.put(`/api/pictures/${picture}`, ada, body);
    expect((await put({ caption: "Fog" }).ok()).picture.caption).toBe("Fog");
    expect((await put({ position: 0 }).ok()).picture.caption).toBe("Fog");
    expect((await put({ caption: "" }).ok()).picture.caption).toBe(null);
  });

  it.each(["PUT", "DELETE"] as const)(
    "%s is for pictures of the caller: 403 if they see the entry, else 404",
    async (method) => {
      const send = (id: string | undefined, as: Person) =>
        api.send(method, `/api/pictures/${id}`, { as, body: { caption: "Mine" } });
      const pictureOf = async (fields: object) => (await rows(ada, (await note(fields)).id, 1))[0];
      await send(await pictureOf({}), ben).refused(404, "picture.not_found");
      await send(await pictureOf(METADATA), ben).refused(403, "picture.not_yours");
      await send(await pictureOf(PUBLIC), ben).refused(403, "picture.not_yours");
      await send(await pictureOf({}), await api.person({ role: "super_admin" })).refused(403, "picture.not_yours");
      await send(randomUUID(), ada).refused(404, "picture.not_found");
    },
  );
});

it("deletes and moves of one entry's pictures wait for each other without a deadlock", async () => {
  const { id } = await note();
  const [a = "", b = "", c = "", d = ""] = await rows(ada, id, 4);
  const asAda = <Result>(work: (tx: Tx) => Promise<Result>) => api.services.database.asUser(ada.id, work);
  let changes: Promise<unknown>[] = [];
  await api.inTransaction(async ({ query }) => {
    await query`select from nectar.journal_entry_contents where entry_id = ${id} for update`;
    changes = [
      asAda((tx) => deletePicture(tx, a)),
      asAda((tx) => deletePicture(tx, c)),
      asAda((tx) => updatePicture(tx, d, { position: 0, caption: "Fog" })),
    ];
    await api.untilWaiting(3, Promise.all(changes));
  });
  // Without the retries of the service, each deadlock would be an error here.
  await Promise.all(changes);
  expect(await idsOf(ada, id)).toEqual([d, b]);
});

describe("DELETE /api/pictures/:id", () => {
  it("deletes its files, closes the gap and forgets the responses that show it", async () => {
    const { id } = await note();
    const headers = { "idempotency-key": randomUUID() };
    const { picture: first } = await add(ada, id, photo.bytes, {}, headers).created();
    const [second, third] = [
      (await add(ada, id, photo.bytes).created()).picture,
      (await add(ada, id, photo.bytes).created()).picture,
    ];
    expect(await api.delete(`/api/pictures/${first.id}`, ada).ok()).toEqual({ message: "The picture was deleted." });
    expect(await idsOf(ada, id)).toEqual([second.id, third.id]);
    expect((await api.get(`/api/journal/${id}`, ada).ok()).entry.picture_count).toBe(2);
    const due = await api.query`
      select path from private.stored_files_to_remove where remove_after <= now() and path like ${`pictures/${ada.id}/%`}`;
    expect(due).toHaveLength(2);
    expect(await api.query`select from private.idempotency_keys where body like ${`%${first.id}%`}`).toEqual([]);
  });
});

describe("the pictures of an entry that is moved to the trash", () => {
  it("are seen by no one, and come back with it as they were", async () => {
    const { id } = await note(PUBLIC);
    const { picture: added } = await add(ada, id, photo.bytes, { caption: "The lake" }).created();
    const [other] = await rows(ada, (await note()).id, 1);
    await api.delete(`/api/journal/${id}`, ada).ok();
    for (const as of [ada, ben]) expect(await idsOf(as, id)).toEqual([]);
    await api.put(`/api/pictures/${added.id}`, ada, { caption: "Mine" }).refused(404, "picture.not_found");
    await api.delete(`/api/pictures/${added.id}`, ada).refused(404, "picture.not_found");
    await api.put(`/api/pictures/${other}`, ada, { caption: "Still there" }).ok();
    expect((await api.post(`/api/journal/${id}/restore`, ada).ok()).entry.picture_count).toBe(1);
    const { pictures } = await api.get(`/api/pictures?entry_id=${id}`, ben).ok();
    expect(pictures).toMatchObject([{ id: added.id, caption: "The lake", position: 0 }]);
    await load(pictures[0]?.url ?? "");
  });

  it("go for good with it", async () => {
    const { id } = await note();
    await add(ada, id, photo.bytes).created();
    await api.delete(`/api/journal/${id}`, ada).ok();
    await api.delete(`/api/journal/trash/${id}`, ada).ok();
    expect(await api.query`select from nectar.entry_pictures where user_id = ${ada.id}`).toEqual([]);
    const due =
      await api.query`select from private.stored_files_to_remove where remove_after <= now() and path like ${`pictures/${ada.id}/%`}`;
    expect(due).toHaveLength(2);
  });
});
