import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { badgeRoutes } from "./badges/routes.ts";
import { dropRoutes } from "./drops/routes.ts";

/** Encouragement drops: words, media and facts that people send each other, and what they earn for it. */
export function encouragementDropsApp(services: Services) {
  return groupApp(services, "encouragement-drops", [...dropRoutes, ...badgeRoutes]);
}
