import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { battleRoutes } from "./battles/routes.ts";
import { calendarRoutes } from "./calendar/routes.ts";
import { chainRoutes } from "./chains/routes.ts";
import { checkInRoutes } from "./check-ins/routes.ts";
import { dayRoutes } from "./days/routes.ts";
import { matchingRoutes } from "./matching/routes.ts";
import { mosaicRoutes } from "./mosaics/routes.ts";
import { squadMessageRoutes } from "./squad-messages/routes.ts";
import { syntheticUserRoutes } from "./synthetic-users/routes.ts";
import { todayRoutes } from "./today/routes.ts";
import { windowRoutes } from "./windows/routes.ts";

/** The daily game: windows, chains, squads, check-ins with photos, mosaics and battles. */
export function workoutWindowApp(services: Services) {
  return groupApp(services, "workout-window", [
    ...windowRoutes,
    ...matchingRoutes,
    ...chainRoutes,
    ...checkInRoutes,
    ...mosaicRoutes,
    ...battleRoutes,
    ...dayRoutes,
    ...calendarRoutes,
    ...syntheticUserRoutes,
    ...squadMessageRoutes,
    ...todayRoutes,
  ]);
}
