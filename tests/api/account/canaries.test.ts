import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "#core/cards/all";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { freePort } from "#local/support/ports";
import { useApi } from "#tests/api";
import { type Canaries, foundIn, plantCanaries, plantFiles } from "#tests/canaries";
import { type DownloadedExport, exportOf } from "#tests/exports";
import { storedKeys } from "#tests/file-store";
import { asSuperuser, type Person, tokenFor } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";
import { setStage } from "../../database/support/stage.ts";
import { importsOf } from "../imports/import-scene.ts";
import { runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment, mail } = await useErasureVendors();
const port = await freePort();
const api = useApi({
  environment: {
    ...environment,
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_SECRET_KEY: LOCAL_SUPABASE_KEYS.secretKey,
  },
});
const { uploaded } = importsOf(api);

/** Starts Supabase Storage for the images of tone packs. */
async function startStorage(): Promise<void> {
  const supabase = await startTestSupabase(api.adminUrl, port);
  afterAll(() => supabase.stop());
}

/** Everything that is stored in any table of the database, by its name; the tables of Supabase Storage list its files. */
async function dump(): Promise<Map<string, Buffer[]>> {
  const tables = await api.query<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'storage')`;
  const rows = tables.map(async ({ name }) => {
    const lines = await api.query<{ line: string }>(`select t::text as line from ${name} t`);
    return [name, lines.map(({ line }) => Buffer.from(line))] as const;
  });
  return new Map(await Promise.all(rows));
}

const rowsOf = async () => [...(await dump()).values()].flat();

/** The tables of which the cards say that something of a person stays. */
const KEPT = Object.keys(TABLES).filter((name) => {
  const { erased, stays } = TABLES[name] ?? {};
  return stays !== undefined || erased === "kept";
});

/** Texts of groups that others run now. */
const OF_GROUPS = /^nectar\.(organizations|teams|invitations)\./;

async function storedFiles(): Promise<Buffer[]> {
  const { privateFiles, publicImages } = api.services;
  const images = await api.query<{ name: string }>`select name from storage.objects`;
  const files = await Promise.all([
    ...(await storedKeys(environment.S3_ENDPOINT, "")).map(async (key) => [
      Buffer.from(key),
      await privateFiles?.download(key, 1_000_000),
    ]),
    ...images.map(async ({ name }) => [Buffer.from(name), await publicImages?.download(name)]),
  ]);
  return files
    .flat()
    .filter((part) => part instanceof Buffer || part instanceof Uint8Array)
    .map(Buffer.from);
}

describe("after an erasure", () => {
  let canaries: Canaries;
  let files: Canaries;
  let ofOthers: Canaries;
  let person: string;
  let mailed: Buffer[];
  let exportsBefore: readonly (DownloadedExport & { readonly of: Person })[];

  /** What others and Supabase Auth know of the person. */
  async function addThings(): Promise<void> {
    const address = `${canaries.get("auth.users.email")}@example.test`;
    const writer = await api.person();
    await api.query`update auth.users set email = ${address}, email_confirmed_at = now() where id = ${person}`;
    await api.query`insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
      values (${writer.id}, upper(${address}), 'Hello', 'sent', now(), now())`;
    await api.query`insert into private.email_received (event_id, is_verified, sender, recipients, subject, body_text)
      values ('evt_1', true, ${`Robin <${address}>`}, '{us@nectar.test}', 'Help', 'Please'),
        ('evt_2', true, 'ada@nectar.test', array['us@nectar.test', ${address}], 'Also', 'Us')`;
    const card = { user_id: person, full_name: canaries.get("nectar.profiles.full_name") };
    await api.query`insert into private.idempotency_keys (user_id, route, key, body_hash, status, body)
      values (${writer.id}, 'POST /api/teams/:id/members', 'key', 'hash', 201, ${JSON.stringify({ member: card })})`;
    await api.query`insert into auth.audit_log_entries (id, payload, ip_address)
      values (gen_random_uuid(), ${JSON.stringify({ actor_id: person, actor_username: address })}, '')`;
    await api.query`insert into nectar.invitations
        (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at)
      select id, owner_id, sha256(gen_random_uuid()::text::bytea), ${address}, 'sent', 'member', '{}', 1, now() + interval '1 week'
      from nectar.organizations where owner_id <> ${person}`;
  }

  /** The file of an export, and an archive to import whose address cannot be used any more. */
  async function storeArchives(): Promise<Canaries> {
    const [archive, exported] = [`canary${randomUUID()}`, `canary${randomUUID()}`];
    const someone = { id: person, email: "someone@example.test", token: await tokenFor({ sub: person }) };
    const id = await uploaded(someone, "markdown", new TextEncoder().encode(archive));
    const { path } = await api.one<{ path: string }>`
      update nectar.journal_imports set created_at = now() - interval '2 hours' where id = ${id} returning path`;
    const { key } = await api.one<{ key: string }>`
      select file_key as key from nectar.exports where user_id = ${person}`;
    await api.services.privateFiles?.upload(key, Buffer.from(exported), "application/zip");
    return new Map([
      [path, archive],
      [key, exported],
    ]);
  }

  /** New exports of everyone else. */
  async function exportsOfOthers() {
    const others = await api.query<{ id: string }>`
      select p.id from nectar.profiles p
      where not p.is_ai and p.id <> ${person}
        and not exists (select from nectar.exports x where x.user_id = p.id and x.status = 'pending')`;
    const exports = [];
    for (const { id } of others) {
      const of = { id, email: "someone@example.test", token: await tokenFor({ sub: id }) };
      exports.push({ ...(await exportOf(api, of)), of });
    }
    return exports;
  }
  /** Also in capitals, as someone wrote the address. */
  function foundInExport({ files: inside }: DownloadedExport): string[] {
    const texts = Object.values(inside).map((bytes) =>
      Buffer.from(Buffer.from(bytes).toString("latin1").toLowerCase()),
    );
    return foundIn(texts, canaries).filter((place) => !OF_GROUPS.test(place));
  }

  beforeAll(async () => {
    await startStorage();
    const { ids } = await asSuperuser(api.adminUrl, (client) => setStage(api.adminUrl, client));
    const other = await asSuperuser(api.adminUrl, (client) => setStage(api.adminUrl, client));
    person = ids.owner;
    ({ canaries } = await plantCanaries(api.adminUrl, person));
    files = new Map([...(await plantFiles(api.services, api.adminUrl, person)), ...(await storeArchives())]);
    const planted = await plantCanaries(api.adminUrl, other.ids.owner);
    ofOthers = new Map([...planted.canaries, ...(await plantFiles(api.services, api.adminUrl, other.ids.owner))]);
    expect(foundIn(await rowsOf(), canaries)).toHaveLength(canaries.size);
    expect(foundIn(await storedFiles(), files)).toHaveLength(files.size);
    await addThings();
    exportsBefore = await exportsOfOthers();
    await api.query`
      update nectar.accounts set erasure_requested_at = now(), erases_at = now() where user_id = ${person}`;
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, failed: 0 });
    mailed = mail.mails.map((one) => Buffer.from(JSON.stringify(one)));
    await api
      .send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": environment.MAINTENANCE_CRON_SECRET } })
      .ok();
  });

  it("no text of the person is in any row, but for the names of groups that others run now, and addresses that they invited", async () => {
    const left = foundIn(await rowsOf(), canaries);
    expect(left.filter((place) => !OF_GROUPS.test(place))).toEqual([]);
  });

  it("the id and the texts of the person are soon only where the cards say that something stays", async () => {
    // As a job does every few minutes.
    await api.query`select private.count_leaderboard(now(), 0)`;
    // The stage names an event by its owner.
    await api.query`update private.email_received set event_id = 'evt_0' where event_id = ${`msg_${person}`}`;
    const traces = new Map([...canaries, ["id", person]]);
    const found = [...(await dump())].filter(([, rows]) => foundIn(rows, traces).length > 0).map(([name]) => name);
    expect(found).toContain("nectar.audit_events");
    expect(found.filter((name) => !KEPT.includes(name))).toEqual([]);
  });

  it("no file of the person is in the bucket or Supabase Storage, but for the images of packs that others bought", async () => {
    const sold = await api.query<{ file_path: string }>`
      select i.file_path from nectar.tone_pack_images i join nectar.tone_pack_purchases using (pack_id)
      where i.file_path like ${`${person}/%`}`;
    const left = sold.map(({ file_path }) => file_path);
    expect(left).toHaveLength(1);
    expect(foundIn(await storedFiles(), files)).toEqual(left);
  });

  it("no text of the person was logged or mailed, but for the address of the receipt", () => {
    const logged = [Buffer.from(api.logged())];
    expect(foundIn(logged, new Map([...canaries, ...files]))).toEqual([]);
    expect(foundIn(mailed, canaries)).toEqual(["auth.users.email"]);
  });

  it("the exports of others that have a text of the person can no longer be downloaded, and new ones have none", async () => {
    api.at(new Date());
    const showing = exportsBefore.filter((one) => foundInExport(one).length > 0);
    expect(showing.length).toBeGreaterThan(0);
    expect(showing.length).toBeLessThan(exportsBefore.length);
    for (const one of exportsBefore) {
      const { export: now } = await api.get(`/api/user/exports/${one.id}`, one.of).ok();
      expect(now.status).toBe(showing.includes(one) ? "expired" : "ready");
    }
    expect((await exportsOfOthers()).flatMap(foundInExport)).toEqual([]);
  });

  it("everything of another person is where it was", async () => {
    expect(foundIn([...(await rowsOf()), ...(await storedFiles())], ofOthers)).toHaveLength(ofOthers.size);
  });
});
