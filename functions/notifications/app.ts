import { createApp } from "@nectar/http/create-app";
import type { Services } from "@nectar/http/services";

export function notificationsApp(services: Services) {
  return createApp(services);
}
