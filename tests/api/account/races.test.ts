import { describe, expect, it } from "vitest";
import { eraseAccounts } from "#functions/user/account/erasing";
import { useApi } from "#tests/api";
import { storedKeys } from "#tests/file-store";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { zipOf } from "#tests/zip";
import { checkInsOf } from "../game/photo-scene.ts";
import { importsOf } from "../imports/import-scene.ts";
import { subscribe, useErasureVendors } from "./vendors.ts";

const { environment, cancelled } = await useErasureVendors();
const api = useApi({ environment });
const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8];

const exists = async ({ id }: Person) => (await api.query`select from auth.users where id = ${id}`).length === 1;
const restore = (person: Person) => api.post("/api/user/account/restore", person);
const eraseDue = () => eraseAccounts.run(api.services);

/** Closes an account whose erasure is due now. */
const makeDue = ({ id }: Person) => api.query`
  update nectar.accounts set erasure_requested_at = now() - interval '7 days', erases_at = now() where user_id = ${id}`;

/** Waits until the account is gone: a run that met another transaction leaves it to the next one. */
async function eraseInTheEnd(person: Person): Promise<void> {
  for (let run = 0; run < 3 && (await exists(person)); run += 1) await eraseDue();
  expect(await exists(person)).toBe(false);
}

describe("an erasure that falls due", () => {
  it.each(ROUNDS)("and a restoration at the same time: exactly one of them wins (%i)", async () => {
    const person = await api.person();
    const subscription = await subscribe(api, person);
    await makeDue(person);
    const [restored] = await Promise.all([restore(person), eraseDue()]);
    if (restored.status === 200) {
      await eraseDue();
      expect(await exists(person)).toBe(true);
      await api.post("/api/journal", person, { title: "Back", content: "Again" }).created();
      expect(cancelled).not.toContain(subscription);
    } else {
      expect(["account.being_erased", "auth.unknown_account"]).toContain(restored.body.code);
      await eraseInTheEnd(person);
      await expect.poll(() => cancelled).toContain(subscription);
    }
  });

  it("waits for a restoration that has begun, and then does nothing", async () => {
    const person = await api.person();
    await makeDue(person);
    const erasing = await api.inTransaction(async ({ query }) => {
      await query`select from nectar.profiles where id = ${person.id} for key share`;
      await query`update nectar.accounts set erasure_requested_at = null, erases_at = null where user_id = ${person.id}`;
      const run = eraseDue();
      await api.untilWaiting(1, run);
      await query`commit`;
      return run;
    });
    expect(erasing.results).toMatchObject({ erased: 0, failed: 0 });
    expect(await exists(person)).toBe(true);
  });

  it.each(ROUNDS)("breaks no request of others about the person, and leaves a ledger that adds up (%i)", async () => {
    const [person, other, buyer] = [await api.person(), await api.person(), await api.person()];
    const { orgId } = await foundTeam(api, other, [person, buyer]);
    const draft = { name: "Sold", theme: "nature", is_public: true, price_drops: 5 };
    const { tone_pack: pack } = await api.post("/api/tone-packs", person, draft).created();
    await makeDue(person);
    const responses = await Promise.all([
      api.post(`/api/tone-packs/${pack.id}/purchase`, buyer),
      api.post("/api/encouragement-drops/send", other, {
        recipient_id: person.id,
        drop_type: "encouragement",
        content: "Well done.",
      }),
      eraseDue(),
      api.post("/api/blocks", other, { user_id: person.id }),
      api.delete(`/api/organizations/${orgId}/members/${person.id}`, other),
      api.post("/api/journal", person, { title: "Late", content: "Too late" }),
      api.get("/api/user/profile", person),
    ]);
    for (const response of responses) if ("status" in response) expect(response.status).toBeLessThan(500);
    await eraseInTheEnd(person);
    const { difference, unbacked } = await api.one<{ difference: string; unbacked: string }>`
      select
        ((select sum(amount) from nectar.drop_transactions) - (select sum(drops_balance) from nectar.accounts))::text
          as difference,
        (select count(*) from nectar.drop_transactions t where t.type = 'purchase' and not exists (
          select from nectar.tone_pack_purchases b where b.transaction_id = t.id))::text as unbacked`;
    expect({ difference, unbacked }).toEqual({ difference: "0", unbacked: "0" });
  });
});

describe("an erasure during other work of the person", () => {
  const game = checkInsOf(api);
  const { uploaded, start } = importsOf(api);
  const keepHouse = () =>
    api
      .send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": environment.MAINTENANCE_CRON_SECRET } })
      .ok();

  it.each(ROUNDS)("ends an export, an import and a check-in, and leaves no file after housekeeping (%i)", async () => {
    api.at("2026-11-21T12:30:00Z");
    const person = await game.player(12);
    const notes = Array.from({ length: 50 }, (_, index) => ({ path: `${index}.md`, content: `# Note ${index}` }));
    const id = await uploaded(person, "markdown", zipOf(notes));
    const photo = await game.photoAt("2026-11-21T12:20:00Z");
    const [exported, imported, checkedIn] = await Promise.all([
      api.post("/api/user/exports", person),
      start(person, id),
      game.checkIn(person, photo),
      api.query`update nectar.accounts set erasure_requested_at = '2026-11-14', erases_at = '2026-11-21'
        where user_id = ${person.id}`.then(eraseDue),
    ]);
    for (const { status } of [exported, imported, checkedIn]) expect(status).toBeLessThan(500);
    await eraseInTheEnd(person);
    await api.idle();
    await api.query`update private.stored_files_to_remove set remove_after = now()`;
    await keepHouse();
    expect((await storedKeys(environment.S3_ENDPOINT, "")).filter((key) => key.includes(person.id))).toEqual([]);
    expect(await api.query`select from private.stored_files_to_remove where path like ${`%${person.id}%`}`).toEqual([]);
  });
});

describe("a request to close an account", () => {
  it("waits for a write of the person that has begun", async () => {
    const person = await api.person();
    const closing = await api.inTransaction(async ({ query }) => {
      await query`select private.lock_writer(${person.id}, false, false)`;
      const request = api.send("DELETE", "/api/user/account", { as: person, body: { confirm: "DELETE" } });
      await api.untilWaiting(1, request);
      expect(
        await api.query`select from nectar.accounts where user_id = ${person.id} and erases_at is not null`,
      ).toEqual([]);
      await query`commit`;
      return request;
    });
    expect(closing.status).toBe(200);
    await api.post("/api/journal", person, { title: "Late", content: "Too late" }).refused(403, "account.closing");
  });
});
