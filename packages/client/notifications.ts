export { type NotificationData, notificationText } from "./notification-texts.generated.ts";
