import { describe, expect, it } from "vitest";
import { eraseAccounts } from "#functions/user/account/erasing";
import type { Services } from "#http/services/services";
import { useApi } from "#tests/api";
import { asSuperuser, type Person } from "#tests/people";
import { setStage } from "../../database/support/stage.ts";
import { close, subscribe, useErasureVendors, whenDue } from "./vendors.ts";

const { environment, cancelled } = await useErasureVendors();
const api = useApi({ environment });

const exists = async ({ id }: Person) => (await api.query`select from auth.users where id = ${id}`).length === 1;
const entriesOf = ({ id }: Person) => api.query`select from nectar.journal_entries where user_id = ${id}`;
const write = ({ id }: Person, entries: number) => api.query`
  with entry as (
    insert into nectar.journal_entries (user_id, title) select ${id}, 'Day ' || n from generate_series(1, ${entries}::int) n
    returning id, user_id
  )
  insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, user_id, 'Text' from entry`;

/** The people of the accounts that were erased, in this order. */
async function erasedOf(people: readonly Person[]): Promise<(Person | undefined)[]> {
  const rows = await api.query<{ target_id: string }>`
    select target_id from nectar.audit_events
    where action = 'deleteAccount' and target_id = any (${people.map(({ id }) => id)}::uuid[]) order by created_at`;
  return rows.map(({ target_id }) => people.find(({ id }) => id === target_id));
}

/** People who closed their accounts one after the other, and whose erasures are due. */
async function closedAccounts<People extends readonly Person[]>(...people: People): Promise<People> {
  for (const [minute, person] of people.entries()) {
    api.at(new Date(Date.now() - (people.length - minute) * 60_000));
    await close(api, person);
  }
  api.at(whenDue());
  return people;
}

/** Services whose clock moves by a second each time that it is read. */
function withTickingClock(more: Partial<Services> = {}): Services {
  let now = whenDue().getTime();
  return {
    ...api.services,
    ...more,
    clock: {
      now: () => {
        now += 1_000;
        return new Date(now);
      },
    },
  };
}

describe("an account with many entries", () => {
  it("is erased in batches, and smaller ones that are due later do not wait for it", async () => {
    const people = await closedAccounts(await api.person(), await api.person(), await api.person());
    const [large, first, second] = people;
    await write(large, 45);
    expect((await eraseAccounts.run(api.services, { batch: 3 })).results).toMatchObject({ erased: 3, failed: 0 });
    expect(await erasedOf(people)).toEqual([first, second, large]);
  });

  it("is left to the next run when the time is up, which goes on with what is left", async () => {
    const [large] = await closedAccounts(await api.person());
    await write(large, 20);
    const left = [];
    while (await exists(large)) {
      const { results } = await eraseAccounts.run(withTickingClock(), { batch: 2, budgetSeconds: 4 });
      expect(results).toMatchObject({ failed: 0 });
      left.push((await entriesOf(large)).length);
    }
    expect(left.length).toBeGreaterThan(2);
    expect(left.at(-1)).toBe(0);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
  });

  it("loses all rows of which it may have many before the account is deleted", async () => {
    const { ids } = await asSuperuser(api.adminUrl, (client) => setStage(api.adminUrl, client));
    await api.query`insert into private.imported_entries (user_id, source, external_id) values (${ids.owner}, 'markdown', sha256('x')) on conflict do nothing`;
    const counts = () => api.one<Record<string, number>>`
      select
        (select count(*)::int from nectar.journal_entries where user_id = p) as entries,
        (select count(*)::int from nectar.journal_entry_contents where user_id = p) as contents,
        (select count(*)::int from nectar.trashed_entries where user_id = p) as trash,
        (select count(*)::int from private.imported_entries where user_id = p) as imported,
        (select count(*)::int from private.logged_reads where user_id = p) as reads,
        (select count(*)::int from nectar.goal_check_ins where user_id = p) as check_ins,
        (select count(*)::int from nectar.wellness_entries where user_id = p) as wellness,
        (select count(*)::int from nectar.notifications where user_id = p) as notifications,
        (select count(*)::int from nectar.token_usage where user_id = p) as uses,
        (select count(*)::int from nectar.team_messages where sender_id = p) as messages
      from (select ${ids.owner}::uuid as p) person`;
    const before = await counts();
    expect(Object.keys(before).filter((name) => before[name] === 0)).toEqual([]);
    const eraseRows = () => api.one`select private.erase_rows(${ids.owner}, 1000) as deleted`;
    expect(await eraseRows()).toEqual({ deleted: 0 });
    expect(await counts()).toEqual(before);
    await api.query`update nectar.accounts
      set erasure_requested_at = now(), erases_at = now(), erasing_since = now() where user_id = ${ids.owner}`;
    await eraseRows();
    expect(new Set(Object.values(await counts()))).toEqual(new Set([0]));
    await api.query`delete from auth.users where id = ${ids.owner}`;
  });
});

describe("an account that cannot be erased", () => {
  it("goes behind the others, also if a run has time for one account only", async () => {
    const people = await closedAccounts(await api.person(), await api.person(), await api.person());
    const [failing, first, second] = people;
    const subscription = await subscribe(api, failing);
    const run = async () =>
      (await eraseAccounts.run(withTickingClock({ payments: null }), { budgetSeconds: 1.5 })).results;
    expect(await run()).toMatchObject({ erased: 0, failed: 1 });
    expect([await run(), await run()]).toMatchObject([{ erased: 1 }, { erased: 1 }]);
    expect(await erasedOf(people)).toEqual([first, second]);
    await eraseAccounts.run(api.services);
    expect(await exists(failing)).toBe(false);
    await expect.poll(() => cancelled).toContain(subscription);
  });
});
