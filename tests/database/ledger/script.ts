import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { signUp } from "#tests/people";
import { type Acting, become, refusalOf } from "../support/acting.ts";
import { at, type Command, type Sums, type Visible } from "./model.ts";
import { type Reconciled, reconciled } from "./reconciliation.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/** The database that scripts run in, and who may adjust and refund there. */
export interface Setting {
  readonly acting: Acting;
  readonly pool: pg.Pool;
  readonly superAdmin: string;
}

/** Ids in the database, in the order of the model's lists. */
export interface Cast {
  /** The ledger before there was the cast. */
  readonly before: Reconciled;
  readonly people: string[];
  readonly packs: readonly string[];
  /** The movement of each purchase. */
  readonly movements: Map<number, string>;
}

/** How a command ended, and the movement or person that there is since. */
interface Done {
  readonly outcome: number | string;
  readonly made?: string;
}

/** A command whose transaction has begun: what it does, and then its end. */
interface Begun {
  readonly work: () => Promise<Done>;
  readonly end: (done: Done) => Promise<Done>;
}

interface Row {
  readonly outcome: number | string | null;
  readonly made?: string | null;
}

/** Makes the people and packs that `startingWith` has; each pack is on offer and has one image. */
export async function castOf(setting: Setting, prices: readonly number[]): Promise<Cast> {
  const before = await reconciled(setting.acting);
  const people: string[] = [];
  while (people.length < 3) people.push((await signUp(setting.acting.adminUrl)).id);
  const packs = prices.map(() => randomUUID());
  const owners = prices.map((_, index) => at(people, index % 2));
  await setting.pool.query(
    `with offered as (
       insert into nectar.tone_packs (id, owner_id, name, theme, is_public, price_drops)
       select o.id, o.owner_id, 'Cranes', 'origami', true, o.price
       from unnest($1::uuid[], $2::uuid[], $3::int[]) o (id, owner_id, price)
       returning id, owner_id
     )
     insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select o.id, o.owner_id, 'calm', o.owner_id || '/' || o.id || '/calm.png' from offered o`,
    [packs, owners, prices],
  );
  return { before, people, packs, movements: new Map() };
}

/**
 * Runs the commands of a step at the same time, each in a transaction of its own, and adds to the cast what they made.
 * @param firstId the id of the first command; the others follow
 * @param patience for how many milliseconds the one who is done waits for the others before it commits. Without any, a
 *   transaction that another waits for would often have been over before the other began.
 * @returns the outcomes in the order of the commands
 */
export async function run(
  setting: Setting,
  cast: Cast,
  commands: readonly Command[],
  firstId: number,
  patience: number,
): Promise<(number | string)[]> {
  const begun = await Promise.all(commands.map((command) => begin(setting, cast, command)));
  const working = begun.map(({ work }) => work());
  const all = Promise.all(working);
  const ended = await Promise.all(
    begun.map(async ({ end }, index) => {
      const done = await at(working, index);
      if (patience > 0) await Promise.race([all, sleep(patience)]);
      return end(done);
    }),
  );
  for (const [index, { made }] of ended.entries()) {
    if (made === undefined) continue;
    if (at(commands, index).kind === "sign up") cast.people.push(made);
    else cast.movements.set(firstId + index, made);
  }
  return ended.map(({ outcome }) => outcome);
}

/** Reads the state of a cast as a superuser. */
export async function lookBehind({ acting, pool }: Setting, cast: Cast): Promise<Visible> {
  const [people, packs, sums] = await Promise.all([
    pool.query<{ balance: number | null; movements: string[]; bought: string[] }>(
      `select a.drops_balance as balance,
              array(select t.type || ' ' || t.amount || ' = ' || t.balance_after from nectar.drop_transactions t
                    where t.user_id = c.id order by t.created_at) as movements,
              array(select b.pack_id from nectar.tone_pack_purchases b
                    where b.user_id = c.id and b.refunded_at is null) as bought
       from unnest($1::uuid[]) with ordinality c (id, place) left join nectar.accounts a on a.user_id = c.id
       order by c.place`,
      [cast.people],
    ),
    pool.query<{ price: number; isDeleted: boolean; hasImages: boolean }>(
      `select p.price_drops as price, p.deleted_at is not null as "isDeleted",
              -- An image is gone when its row is and its file is to be removed.
              exists (select from nectar.tone_pack_images i where i.pack_id = p.id)
                or not exists (select from private.stored_files_to_remove f
                               where f.store = 'tone-packs' and f.path = p.owner_id || '/' || p.id || '/calm.png') as "hasImages"
       from unnest($1::uuid[]) with ordinality c (id, place) join nectar.tone_packs p on p.id = c.id
       order by c.place`,
      [cast.packs],
    ),
    sumsOfCast(acting, cast),
  ]);
  return {
    books: people.rows.map(({ balance, movements }) => (balance === null ? null : { balance, movements })),
    bought: people.rows.map(({ bought }) => placesOf(cast, bought)),
    packs: packs.rows,
    sums,
  };
}

/** Deletes all accounts of a cast by one statement. */
export async function deleteAll({ acting }: Setting, cast: Cast): Promise<void> {
  await acting.query`delete from auth.users where id = any (${cast.people})`;
}

/** The sums of the people of a cast. @throws Error if the comparison of the ledger finds a difference */
export async function sumsOfCast(acting: Acting, { before }: Cast): Promise<Sums> {
  const { ok, differences, ...now } = await reconciled(acting);
  if (!ok || differences.length > 0) throw new Error(`The ledger does not add up: ${JSON.stringify(differences)}`);
  return {
    accounts: now.accounts - before.accounts,
    movements: now.movements - before.movements,
    issued: now.issued - before.issued,
    spent: now.spent - before.spent,
    refunded: now.refunded - before.refunded,
    adjusted: now.adjusted - before.adjusted,
    erased: now.erased - before.erased,
    circulating: now.circulating - before.circulating,
  };
}

/** The packs of the cast that the policies show to a person. */
export async function packsShownTo(pool: pg.Pool, cast: Cast, person: number): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await become(client, { person: at(cast.people, person) });
    const { rows } = await client.query<{ id: string }>("select id from nectar.tone_packs where id = any ($1)", [
      cast.packs,
    ]);
    await client.query("rollback");
    return placesOf(
      cast,
      rows.map(({ id }) => id),
    );
  } finally {
    client.release();
  }
}

function placesOf(cast: Cast, packs: readonly string[]): number[] {
  return packs.map((id) => cast.packs.indexOf(id)).sort((one, other) => one - other);
}

async function begin(setting: Setting, cast: Cast, command: Command): Promise<Begun> {
  const person = (place: number) => at(cast.people, place);
  const as = (actor: string | null, statement: string, ...values: unknown[]) =>
    beginTransaction(setting.pool, actor, statement, values);
  switch (command.kind) {
    case "sign up":
      return {
        work: async () => ({ outcome: "joined", made: (await signUp(setting.acting.adminUrl)).id }),
        end: async (done) => done,
      };
    case "delete account":
      return as(null, "delete from auth.users where id = $1 returning 'deleted' as outcome", person(command.person));
    case "award":
      return as(
        person(command.person),
        "select nullif(private.award_monthly_drops($1), 0) as outcome",
        command.month.replace(/..$/, "15T12:00Z"),
      );
    case "adjust":
      return as(
        setting.superAdmin,
        "select m.amount as outcome from private.adjust_drops($1, $2, 'a test') m",
        person(command.person),
        command.amount,
      );
    case "purchase":
      return as(
        null,
        `select (b.movement).amount as outcome, (b.movement).id as made
         from (select case when private.lock_profile($1)
           then private.post_drop_transaction($1, 'purchase', $2, $3, 'a test') end as movement offset 0) b`,
        person(command.person),
        -command.price,
        `purchase:${command.event}`,
      );
    case "give":
      return as(
        null,
        `select nullif(count(*)::int, 0) as outcome
         from private.post_drop_transactions($1, 'refund', $2, 'a test')`,
        JSON.stringify(command.gifts.map((gift) => ({ user_id: person(gift.person), amount: gift.amount }))),
        `gift:${command.event}`,
      );
    case "buy pack":
      return as(
        person(command.person),
        `select (r.transaction).amount as outcome, (r.transaction).id as made
         from private.purchase_tone_pack($1, $2) r`,
        at(cast.packs, command.pack),
        command.expected,
      );
    case "refund":
      return as(
        setting.superAdmin,
        "select m.amount as outcome from private.refund_purchase($1, 'a test') m",
        command.purchase === null ? UNKNOWN_ID : cast.movements.get(command.purchase),
      );
    case "change price":
      return as(
        person(command.person),
        "update nectar.tone_packs set price_drops = $2 where id = $1 returning 'changed' as outcome",
        at(cast.packs, command.pack),
        command.price,
      );
    case "delete pack":
      return as(
        person(command.person),
        "select case when private.delete_tone_pack($1) then 'deleted' end as outcome",
        at(cast.packs, command.pack),
      );
  }
}

/**
 * Begins a transaction as a person or (null) as the functions of the database that may book. A person's profile is locked
 * first, as the API does it.
 */
async function beginTransaction(
  pool: pg.Pool,
  actor: string | null,
  statement: string,
  values: readonly unknown[],
): Promise<Begun> {
  const client = await pool.connect();
  await client.query("begin");
  if (actor !== null) await become(client, { person: actor });
  const refused = (error: unknown): Done => ({ outcome: refusalOf(error) });
  return {
    work: async () => {
      try {
        if (actor !== null) {
          const { rows } = await client.query<{ isThere: boolean }>('select private.lock_profile($1) as "isThere"', [
            actor,
          ]);
          if (rows[0]?.isThere !== true) return { outcome: "no account" };
        }
        const { rows } = await client.query<Row>(statement, [...values]);
        const { outcome, made } = rows[0] ?? { outcome: null };
        return { outcome: outcome ?? "nothing", ...(made ? { made } : {}) };
      } catch (error) {
        return refused(error);
      }
    },
    end: async (done) => {
      try {
        // If something was refused, this rolls back.
        await client.query("commit");
        return done;
      } catch (error) {
        return refused(error);
      } finally {
        client.release();
      }
    },
  };
}
