import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { FIRST_PAGE } from "@nectar/database/keyset";
import { value } from "@nectar/database/query";
import { byCreation, pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import type { Notification, NotificationQuery } from "./schema.ts";

/** More unread notifications than this are not counted. */
const MAX_COUNTED = 1_000;

/** `data` is always an object: the table checks it. */
const DATA = sql<Record<string, unknown>>`data`.as("data");
const COLUMNS = ["id", "type", "title", "body", DATA, "created_at", "read_at"] as const;

/** A page of the caller's notifications, newest first, and how many are unread. */
export async function listNotifications(tx: Tx, userId: string, { unread, cursor, limit }: NotificationQuery) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const { notifications, unread_count } = await value<{ notifications: Notification[]; unread_count: number }>(tx)`
    select private.list_notifications(${userId}, ${unread}, ${at}, ${id}, ${limit + 1}, ${MAX_COUNTED})
  `;
  const page = pageOf(notifications, limit, byCreation);
  return { notifications: page.rows, next_cursor: page.next_cursor, unread_count };
}

/** Marks one of the caller's notifications as read; the first time is kept. @throws AppError 404 */
export async function markRead(tx: Tx, userId: string, id: string) {
  await tx
    .updateTable("notifications")
    .set({ read_at: sql<string>`now()` })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .execute();
  return tx
    .selectFrom("notifications")
    .select(COLUMNS)
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("notification.not_found"));
}

/** Marks all of the caller's notifications as read. @returns how many were unread */
export async function markAllRead(tx: Tx, userId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("notifications")
    .set({ read_at: sql<string>`now()` })
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
