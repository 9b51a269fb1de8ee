import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import * as z from "zod";
import { AppError } from "#core/errors";
import { KEPT_DAYS } from "#core/retention";
import { parsedJson } from "#core/text/json";

const DAY_MS = 86_400_000;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

const Version = z.string().regex(/^\d+$/);
/** A position in a walk. A version is a transaction of the database. */
const Walk = z.object({
  /** The last thing of the page before; what comes after it by version and id is next. */
  after: Version,
  afterId: z.guid(),
  /** The version at which the walk ends; null before its first page. */
  bound: Version.nullable(),
  /** Whether this walk is the first one, through everything. */
  isFirst: z.boolean(),
  /** When the bound was found, in milliseconds. */
  startedAt: z.number(),
});
export type Walk = z.infer<typeof Walk>;

/** The person, types and database that a cursor belongs to. It cannot be opened with others. */
export interface Owner {
  readonly userId: string;
  readonly types: readonly string[];
  /** The state of the database, which ends with a restore. A client never sees it, so it is the key as well. */
  readonly epoch: string;
}

/** Writes a cursor. It is encrypted, because a version reveals how much everyone writes. */
export function sealCursor(walk: Walk, owner: Owner, random: (bytes: number) => Uint8Array): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(owner), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(walk)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/**
 * Reads a cursor.
 * @param next the next transaction of the database: a later bound is from before a restore
 * @throws AppError sync.cursor_expired if it is none, is too old, or belongs to something else
 */
export function openCursor(cursor: string, owner: Owner, next: string, now: Date): Walk {
  const walk = Walk.safeParse(parsedJson(decrypted(Buffer.from(cursor, "base64url"), owner))).data;
  const isOurs = walk !== undefined && BigInt(walk.bound ?? walk.after) <= BigInt(next);
  if (!isOurs || now.getTime() - walk.startedAt > KEPT_DAYS.removedThings * DAY_MS) {
    throw new AppError("sync.cursor_expired");
  }
  return walk;
}

function decrypted(bytes: Buffer, owner: Owner): string {
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return "";
  const decipher = createDecipheriv(CIPHER, keyOf(owner), bytes.subarray(0, IV_BYTES)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return "";
  }
}

function keyOf({ userId, types, epoch }: Owner): Buffer {
  return createHash("sha256")
    .update(["cursor of changes", epoch, userId, ...types].join("\n"))
    .digest();
}
