import { sql } from "kysely";
import { AppError } from "#core/errors";
import { type NotificationData, type NotificationType, notificationText } from "#core/people/notification-texts";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { value } from "#database/query";
import { byCreation, pageOf } from "#http/response/paging";
import type { Notification, NotificationQuery } from "./schema.ts";

/** More unread notifications than this are not counted. */
const MAX_COUNTED = 1_000;

/** A notification as it is stored: without its text. */
interface NotificationRow extends Omit<Notification, "title" | "body" | "data"> {
  readonly data: NotificationData[NotificationType];
}
const DATA = sql<NotificationRow["data"]>`data`.as("data");

function present({ id, type, data, created_at, read_at }: NotificationRow): Notification {
  return { id, type, ...notificationText(type, data), data, created_at, read_at };
}

/** A page of the caller's notifications, newest first, and how many are unread. */
export async function listNotifications(tx: Tx, userId: string, { unread, cursor, limit }: NotificationQuery) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const { notifications, unread_count } = await value<{ notifications: NotificationRow[]; unread_count: number }>(tx)`
    select private.list_notifications(${userId}, ${unread}, ${at}, ${id}, ${limit + 1}, ${MAX_COUNTED})
  `;
  const page = pageOf(notifications.map(present), limit, byCreation);
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
  const row = await tx
    .selectFrom("notifications")
    .select(["id", "type", DATA, "created_at", "read_at"])
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("notification.not_found"));
  return present(row);
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
