import { type GroupApp, groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { APPS } from "./apps.generated.ts";
import { GROUPS, type GroupName } from "./groups.ts";

/** The apps of all groups in one process, for development, tests and the reference. */
export function allApps(services: Services): { name: GroupName; paths: readonly string[]; app: GroupApp }[] {
  return GROUPS.map(({ name, paths }) => ({ name, paths, app: APPS[name](services) }));
}

/** Sends each request to the group of its path, as the router does when deployed. */
export function routeToGroups(services: Services): (request: Request) => Response | Promise<Response> {
  const appOf = new Map(allApps(services).flatMap(({ paths, app }) => paths.map((path) => [path, app] as const)));
  // The longest prefix wins, as with SST's router.
  const prefixes = [...appOf.keys()].toSorted((one, other) => other.length - one.length);
  const prefixOfUrl = new RegExp(`^[^/]+//[^/]+(${prefixes.join("|")})(?=[/?#]|$)`);
  // An app without routes answers everything with 404.
  const noGroup = groupApp(services, "none", []);
  return (request) => {
    const prefix = prefixOfUrl.exec(request.url)?.[1] ?? "";
    return (appOf.get(prefix) ?? noGroup).fetch(request);
  };
}
