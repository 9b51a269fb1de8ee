import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { removeUnownedFiles } from "#functions/health/stored-files";
import { withinBudget } from "#http/jobs/jobs";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const game = checkInsOf(api);
const DATE = "2026-11-21";

/** Runs housekeeping of files now. */
const housekeeping = () => removeUnownedFiles(api.services, withinBudget(api.services, 60_000));
const statusOf = async (url: string) => (await fetch(url)).status;

describe("an account that is deleted", () => {
  it("removes its photos and uploads from the file store, and no one else's", async () => {
    api.at(`${DATE}T12:30:00Z`);
    const [ada, bob] = [await game.player(12), await game.player(12)];
    const photos = new Map<string, string>();
    for (const person of [ada, bob]) {
      const body = await game.checkIn(person, await game.photoAt(`${DATE}T12:20:00Z`)).created();
      expect(body.checkin?.status).toBe("verified");
      photos.set(person.id, body.checkin.photo_url ?? "");
    }
    const [hers = "", his = ""] = [photos.get(ada.id), photos.get(bob.id)];
    const spare = await game.photoAt(`${DATE}T12:25:00Z`);
    const order = { contentType: "image/jpeg", size: spare.length };
    const reserved = await api.post("/api/workout-window/checkin/upload-url", ada, order);
    const headers = { "content-type": "image/jpeg" };
    const upload = await fetch(reserved.body.uploadUrl, { method: "PUT", headers, body: new Uint8Array(spare) });
    expect([reserved.status, upload.status, await statusOf(hers), await statusOf(his)]).toEqual([201, 200, 200, 200]);

    await api.query`delete from auth.users where id = ${ada.id}`;
    expect(await housekeeping()).toEqual({ files: 1, files_left: 0 });
    expect([await statusOf(hers), await statusOf(his)]).toEqual([404, 200]);
    // An unused upload is removed an hour after its path was reserved.
    expect(await game.leftovers(ada)).toEqual([]);
    await api.query`update private.stored_files_to_remove set remove_after = '-infinity'
      where path = ${reserved.body.photoKey}`;
    expect(await housekeeping()).toEqual({ files: 1, files_left: 0 });
    expect(await api.services.privateFiles?.download(reserved.body.photoKey, 10_000_000)).toBeNull();
  });

  it("gets 401 for a check-in with an upload, before the upload is looked up", async () => {
    const gone = await game.player(12);
    await api.query`delete from auth.users where id = ${gone.id}`;
    const photoKey = `checkin-uploads/${gone.id}/${randomUUID()}`;
    await game.checkIn(gone, null, { fields: { photoKey } }).refused(401, "auth.unknown_account");
  });

  it("removes its check-ins from all lists, and keeps those that it reviewed", async () => {
    api.at(`${DATE}T14:30:00Z`);
    const [cleo, dana] = [await game.player(14), await game.player(14)];
    const admin = await api.person({ role: "admin" });
    for (const person of [cleo, dana]) await game.checkIn(person, await game.photoAt(`${DATE}T14:20:00Z`));
    const list = async () => {
      const { body } = await api.get(`/api/workout-window/checkins/${DATE}`, dana);
      return body.checkins.map(({ user_id }) => user_id);
    };
    const { checkin } = await api.get(`/api/workout-window/checkin/${DATE}`, dana).ok();
    const path = `/api/workout-window/admin/checkins/${checkin?.id ?? ""}` as const;
    const reviewed = await api.put(path, admin, { status: "rejected", reason: "Not a walk" }).ok();
    expect(reviewed.checkin.reviewed_by).toBe(admin.id);
    expect(await list()).toEqual(expect.arrayContaining([cleo.id, dana.id]));
    await api.query`delete from auth.users where id = any (${[cleo.id, admin.id]})`;
    expect(await list()).not.toContain(cleo.id);
    expect(await list()).toContain(dana.id);
    const kept = await api.one`select status, reviewed_by, review_reason from nectar.workout_checkins
      where user_id = ${dana.id}`;
    expect(kept).toEqual({ status: "rejected", reviewed_by: null, review_reason: "Not a walk" });
  });
});
