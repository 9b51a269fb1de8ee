import { type NotificationData, type NotificationType, notificationText } from "#core/people/notification-texts";
import type { TestApi } from "./api.ts";
import type { Person } from "./people.ts";

/** The notifications of a type, to everyone or to one person, oldest first, as the API shows them. */
export async function sentNotifications<Type extends NotificationType>(api: TestApi, type: Type, person?: Person) {
  const rows = await api.query<{ user_id: string; data: NotificationData[Type] }>`
    select user_id, data from nectar.notifications
    where type::text = ${type} and user_id = coalesce(${person?.id ?? null}::uuid, user_id)
    order by created_at, user_id, data, id`;
  return rows.map(({ user_id, data }) => ({ user_id, data, ...notificationText(type, data) }));
}
