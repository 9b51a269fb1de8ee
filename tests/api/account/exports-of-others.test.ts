import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { buildExport } from "#functions/workers/exports/build";
import { useApi } from "#tests/api";
import { foundIn } from "#tests/canaries";
import { downloadExport, exportOf } from "#tests/exports";
import { storedKeys } from "#tests/file-store";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { makeVisible } from "../safety/moderating.ts";
import { close, runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment } = await useErasureVendors();
const api = useApi({ environment: { ...environment, PUBLIC_URL: "http://127.0.0.1:9" } });

const name = `Zelda ${randomUUID()}`;
const words = `canary ${randomUUID()}`;
const person = beforeEachTest(() => api.person({ fullName: name }));
const reader = beforeEachTest(() => api.person());

const sendDrop = (from: Person, to: Person, content: string) =>
  api
    .post("/api/encouragement-drops/send", from, { recipient_id: to.id, content, drop_type: "encouragement" })
    .created();
const readExport = async (as: Person, id: string) => (await api.get(`/api/user/exports/${id}`, as).ok()).export;
const keepHouse = () =>
  api
    .send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": environment.MAINTENANCE_CRON_SECRET } })
    .ok();

async function erase(): Promise<void> {
  await close(api, person);
  expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, failed: 0 });
  api.at(new Date());
}

/** Which texts of the person the export has. */
const foundInExport = (files: Readonly<Record<string, Uint8Array>>) =>
  foundIn(
    Object.values(files),
    new Map([
      ["name", name],
      ["words", words],
      ["address", person.email],
    ]),
  );

/** By what the data of a reader shows the person, and which texts of the person it has. */
const RELATIONS: Readonly<Record<string, readonly [relate: () => Promise<unknown>, has: readonly string[]]>> = {
  "a drop that they received": [() => sendDrop(person, reader, words), ["name", "words"]],
  "a drop that they sent": [() => sendDrop(reader, person, "Well done."), ["name"]],
  "a comment on their entry": [
    async () => {
      const { teamId } = await foundTeam(api, reader, [person]);
      const sharing = { metadata_visibility: "team", content_visibility: "team", team_id: teamId };
      const { id } = await write(api, reader, sharing);
      await api.post(`/api/journal/${id}/comments`, person, { content: words }).created();
    },
    ["name", "words"],
  ],
  "a block": [
    async () => {
      await makeVisible(api, person.id);
      await api.post("/api/blocks", reader, { user_id: person.id }).created();
    },
    ["name"],
  ],
  "an invitation": [
    async () => {
      const { organization } = await api.post("/api/organizations", reader, { name: "Hive" }).created();
      const invitation = { email: person.email, max_uses: 1 };
      await api.post(`/api/organizations/${organization.id}/invitations`, reader, invitation).created();
    },
    ["address"],
  ],
  "a mail": [
    () => api.query`insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
      values (${reader.id}, ${person.email}, 'Hello', 'sent', now(), now())`,
    ["address"],
  ],
  "a notification": [
    () => api.query`insert into nectar.notifications (user_id, type, data, caused_by)
      values (${reader.id}, 'baton_pass', jsonb_build_object('full_name', ${name}::text), ${person.id})`,
    ["name"],
  ],
  "the log of who read an entry": [
    () => api.query`insert into private.logged_reads (entry_id, user_id, reader_id, date)
      values (gen_random_uuid(), ${reader.id}, ${person.id}, current_date)`,
    ["name"],
  ],
};

describe("a ready export of someone else", () => {
  it.each(Object.keys(RELATIONS))(
    "that shows an erased person by %s expires, and the next one does not",
    async (which) => {
      const [relate, has] = RELATIONS[which] ?? [];
      await relate?.();
      const { id, files } = await exportOf(api, reader);
      expect(foundInExport(files)).toEqual(has);
      await erase();
      const expired = await readExport(reader, id);
      expect(expired).toMatchObject({ status: "expired", url: null });
      expect(Date.parse(expired.expires_at ?? "")).toBeLessThanOrEqual(Date.now());
      await keepHouse();
      expect((await storedKeys(environment.S3_ENDPOINT, "")).filter((key) => key.includes(id))).toEqual([]);
      expect(foundInExport((await exportOf(api, reader)).files)).toEqual([]);
    },
  );

  it("that does not show the person stays", async () => {
    await sendDrop(reader, await api.person(), "Well done.");
    const { id } = await exportOf(api, reader);
    await erase();
    expect(await readExport(reader, id)).toMatchObject({ status: "ready", url: expect.any(String) });
  });
});

it("an export of someone else that is being built begins again", async () => {
  await sendDrop(person, reader, words);
  const { id } = await api.one<{ id: string }>`insert into nectar.exports (user_id) values (${reader.id}) returning id`;
  const { privateFiles } = api.services;
  if (privateFiles === null) throw new Error("There is no store.");
  const erasesMeanwhile: typeof privateFiles.uploadStream = async (key, pieces, type) => {
    await privateFiles.uploadStream(key, pieces, type);
    await erase();
  };
  const services = { ...api.services, privateFiles: { ...privateFiles, uploadStream: erasesMeanwhile } };
  expect(await buildExport(services, id, 60_000)).toEqual({ status: "begun again" });
  await api.idle();
  expect(await readExport(reader, id)).toMatchObject({ status: "ready" });
  expect(foundInExport((await downloadExport(api, reader, id)).files)).toEqual([]);
});
