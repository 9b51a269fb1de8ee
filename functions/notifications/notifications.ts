import { sql } from "kysely";
import { AppError } from "#core/errors";
import { MAX_COUNTED_NOTIFICATIONS } from "#core/limits";
import { type NotificationData, type NotificationType, notificationText } from "#core/people/notification-texts";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import type { SentNotification } from "#database/types.generated";
import { byCreation, pageOf } from "#http/response/paging";
import type { Notification, NotificationQuery } from "./schema.ts";

function present({ id, type, created_at, read_at, ...row }: SentNotification): Notification {
  // The database knows only that it is an object; each statement that inserts a notification gives it the data of its type.
  const data = row.data as NotificationData[NotificationType];
  return { id, type, ...notificationText(type, data), data, created_at, read_at };
}

/** A page of the caller's notifications, newest first, and how many of all are unread. */
export async function listNotifications(tx: Tx, userId: string, { type, unread, cursor, limit }: NotificationQuery) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const { notifications, unread_count } = await call(tx, "list_notifications", {
    userId,
    type: type ?? null,
    unread,
    after: at,
    afterId: id,
    max: limit + 1,
    maxCounted: MAX_COUNTED_NOTIFICATIONS,
  });
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
    .select(["id", "type", "data", "created_at", "read_at"])
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
