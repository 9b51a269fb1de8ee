import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { appealRoutes } from "./appeals/routes.ts";
import { blockRoutes } from "./blocks/routes.ts";
import { reportRoutes } from "./reports/routes.ts";

/** Safety: what people do about other people and about what these write. */
export function safetyApp(services: Services) {
  return groupApp(services, "safety", [...blockRoutes, ...reportRoutes, ...appealRoutes]);
}
