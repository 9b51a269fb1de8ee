import { type RawBuilder, sql } from "kysely";
import { AppError } from "#core/errors";
import { textOrNull } from "#core/text/text";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor, type KeysetCursor } from "#database/keyset";
import { isOwn, notYours } from "#database/not-yours";
import { all } from "#database/query";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import type { PublicImages } from "#providers/public-images";
import { type NewTonePack, PRIVATE_PART, type ToneImage, type TonePack, type TonePackUpdate } from "./schema.ts";

/** How many packs of the private sections are on a page. */
export const MAX_PRIVATE_PACKS = 500;

/** The errors for a pack that the caller cannot change. */
const PACK_ERRORS = { unseen: "tone_pack.not_found", foreign: "tone_pack.not_yours" } as const;

/** The store of the images; null if none is configured, and then packs show no images. */
export type ImageStore = PublicImages | null;

type PackRow = Omit<TonePack, "images">;

/**
 * A page of the packs that the reader may see, each once: first those of the private sections, up to 500 on a page, then
 * as many public ones as the query asks for.
 */
export async function listPacks(tx: Tx, store: ImageStore, readerId: string, query: PageQuery) {
  const { cursor, limit } = query;
  const after = (last: KeysetCursor | undefined) => afterCursor(["p.created_at", "p.id"], last);
  const bought = sql`select b.pack_id from tone_pack_purchases b where b.user_id = ${readerId} and b.refunded_at is null`;
  const received = sql`select s.pack_id from tone_pack_shares s where s.user_id = ${readerId}`;
  const sections = [
    sql`p.owner_id = ${readerId} and p.deleted_at is null`,
    sql`p.id in (${bought}) and p.owner_id <> ${readerId}`,
    sql`p.id in (${received}) and p.id not in (${bought})`,
  ];
  const isFirstPart = cursor === undefined || cursor.part === PRIVATE_PART;
  const privatePacks: PackRow[] = [];
  for (const section of isFirstPart ? sections : []) {
    const where = sql`${section} and ${after(cursor)}`;
    privatePacks.push(...(await selectPacks(tx, readerId, where, MAX_PRIVATE_PACKS + 1)));
  }
  privatePacks.sort((one, other) => (isOlder(one, other) ? 1 : -1)).splice(MAX_PRIVATE_PACKS + 1);
  const isFull = privatePacks.length > MAX_PRIVATE_PACKS;
  const publicPacks = isFull
    ? []
    : await selectPacks(
        tx,
        readerId,
        sql`p.is_public and p.owner_id <> ${readerId} and p.id not in (${bought}) and p.id not in (${received})
            and ${after(isFirstPart ? undefined : cursor)}`,
        limit + 1,
      );
  const page = pageOf(
    await withImages(tx, store, [...privatePacks, ...publicPacks]),
    isFull ? MAX_PRIVATE_PACKS : privatePacks.length + limit,
    ({ created_at, id, access }) => ({ at: created_at, id, part: access === "public" ? undefined : PRIVATE_PART }),
  );
  const section = (access: TonePack["access"]) => page.rows.filter((pack) => pack.access === access);
  return {
    own: section("owner"),
    shared: section("shared"),
    public: section("public"),
    purchased: section("purchased"),
    next_cursor: page.next_cursor,
  };
}

/** A page of the packs that a user owns, newest first. */
export async function listOwnPacks(tx: Tx, store: ImageStore, ownerId: string, { cursor, limit }: PageQuery) {
  const after = afterCursor(["p.created_at", "p.id"], cursor);
  const own = sql`p.owner_id = ${ownerId} and p.deleted_at is null and ${after}`;
  const packs = await withImages(tx, store, await selectPacks(tx, ownerId, own, limit + 1));
  const page = pageOf(packs, limit, byCreation);
  return { tone_packs: page.rows, next_cursor: page.next_cursor };
}

/** Whether a pack is older than another one; the id decides between equal times. */
function isOlder(one: PackRow, other: PackRow): boolean {
  return one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;
}

/** Reads one visible pack. @throws AppError 404 */
export async function readPack(tx: Tx, store: ImageStore, readerId: string, id: string): Promise<TonePack> {
  const [pack] = await withImages(tx, store, await selectPacks(tx, readerId, sql`p.id = ${id}`, 1));
  if (pack === undefined) throw new AppError("tone_pack.not_found");
  return pack;
}

/**
 * Reads the reader's active pack and its images by tone.
 * @param mood the mood to find the image of, in any case
 */
export async function readActivePack(tx: Tx, store: ImageStore, readerId: string, mood: string | undefined) {
  const active = sql`p.id = (select a.active_tone_pack_id from accounts a where a.user_id = ${readerId})`;
  const [pack = null] = await withImages(tx, store, await selectPacks(tx, readerId, active, 1));
  const images = new Map(pack?.images.map((image) => [image.tone, image.image_url]));
  return {
    tone_pack: pack,
    images: Object.fromEntries(images),
    image_url: (mood === undefined ? undefined : images.get(mood.trim().toLowerCase())) ?? null,
  };
}

export async function createPack(tx: Tx, store: ImageStore, ownerId: string, input: NewTonePack): Promise<TonePack> {
  const { id } = await tx
    .insertInto("tone_packs")
    .values({ ...input, description: textOrNull(input.description) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return readPack(tx, store, ownerId, id);
}

/** Updates a pack of the caller. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function updatePack(
  tx: Tx,
  store: ImageStore,
  ownerId: string,
  id: string,
  change: TonePackUpdate,
): Promise<TonePack> {
  await lockOwnPack(tx, id);
  await tx
    .updateTable("tone_packs")
    .set({
      ...change,
      description: change.description === undefined ? undefined : textOrNull(change.description),
    })
    .where("id", "=", id)
    .execute();
  return readPack(tx, store, ownerId, id);
}

/** Deletes a pack of the caller; its buyers keep it. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function deletePack(tx: Tx, id: string): Promise<void> {
  const deleted = await call(tx, "delete_tone_pack", { packId: id });
  if (!deleted) throw await packRefusal(tx, id);
}

/** Locks a pack of the caller until the transaction ends. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function lockOwnPack(tx: Tx, id: string): Promise<{ theme: TonePack["theme"] }> {
  const own = await tx.selectFrom("tone_packs").select("theme").where("id", "=", id).forUpdate().executeTakeFirst();
  if (own === undefined) throw await packRefusal(tx, id);
  return own;
}

/** An image as it is sent, with its address. */
export function presentImage(
  image: { id: string; tone: string; file_path: string; created_at: string },
  store: PublicImages,
): ToneImage {
  return { id: image.id, tone: image.tone, image_url: store.urlOf(image.file_path), created_at: image.created_at };
}

/** Requires that a pack is the caller's. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function requireOwnPack(tx: Tx, id: string): Promise<void> {
  const seen = await seenPack(tx, id);
  if (seen?.isOwn !== true) throw notYours(seen, PACK_ERRORS);
}

async function packRefusal(tx: Tx, id: string): Promise<AppError> {
  return notYours(await seenPack(tx, id), PACK_ERRORS);
}

function seenPack(tx: Tx, id: string): Promise<{ isOwn: boolean } | undefined> {
  return tx.selectFrom("tone_packs").select(isOwn("owner_id")).where("id", "=", id).executeTakeFirst();
}

async function selectPacks(tx: Tx, readerId: string, where: RawBuilder<unknown>, limit: number): Promise<PackRow[]> {
  return all<PackRow>(tx)`
    select p.id, p.owner_id, p.name, p.description, p.theme, p.is_public, p.price_drops,
           case when p.owner_id = ${readerId} then 'owner'
                when exists (select from tone_pack_purchases b
                             where b.pack_id = p.id and b.user_id = ${readerId} and b.refunded_at is null) then 'purchased'
                when exists (select from tone_pack_shares s
                             where s.pack_id = p.id and s.user_id = ${readerId}) then 'shared'
                else 'public' end as access,
           exists (select from accounts a where a.user_id = ${readerId} and a.active_tone_pack_id = p.id) as is_active,
           case when p.hidden_at is not null then 'hidden' end as moderation,
           p.created_at, p.updated_at
    from tone_packs p
    where ${where}
    order by p.created_at desc, p.id desc
    limit ${limit}
  `;
}

async function withImages(tx: Tx, store: ImageStore, packs: readonly PackRow[]): Promise<TonePack[]> {
  const images = new Map<string, ToneImage[]>();
  if (store !== null && packs.length > 0) {
    const rows = await tx
      .selectFrom("tone_pack_images")
      .select(["id", "pack_id", "tone", "file_path", "created_at"])
      .where((eb) => eb("pack_id", "=", sql<string>`any(${packs.map(({ id }) => id)}::uuid[])`))
      .orderBy("tone")
      .execute();
    for (const row of rows) images.set(row.pack_id, [...(images.get(row.pack_id) ?? []), presentImage(row, store)]);
  }
  return packs.map((pack) => ({ ...pack, images: images.get(pack.id) ?? [] }));
}
