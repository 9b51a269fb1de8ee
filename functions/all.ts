import { type GroupApp, groupApp } from "@nectar/http/group-app";
import type { Services } from "@nectar/http/services";
import { accountApp } from "./account/app.ts";
import { adminApp } from "./admin/app.ts";
import { aiApp } from "./ai/app.ts";
import { authApp } from "./auth/app.ts";
import { chatApp } from "./chat/app.ts";
import { dropsApp } from "./drops/app.ts";
import { emailApp } from "./email/app.ts";
import { emailWebhookApp } from "./email-webhook/app.ts";
import { encouragementDropsApp } from "./encouragement-drops/app.ts";
import { goalsApp } from "./goals/app.ts";
import { GROUPS, type GroupName } from "./groups.ts";
import { healthApp } from "./health/app.ts";
import { importsApp } from "./imports/app.ts";
import { journalApp } from "./journal/app.ts";
import { notebooksApp } from "./notebooks/app.ts";
import { notificationsApp } from "./notifications/app.ts";
import { organizationsApp } from "./organizations/app.ts";
import { paymentApp } from "./payment/app.ts";
import { paymentWebhookApp } from "./payment-webhook/app.ts";
import { safetyApp } from "./safety/app.ts";
import { teamsApp } from "./teams/app.ts";
import { tonePacksApp } from "./tone-packs/app.ts";
import { userApp } from "./user/app.ts";
import { usersApp } from "./users/app.ts";
import { wellnessEntriesApp } from "./wellness-entries/app.ts";
import { workoutWindowApp } from "./workout-window/app.ts";

const APPS: Readonly<Record<GroupName, (services: Services) => GroupApp>> = {
  health: healthApp,
  auth: authApp,
  user: userApp,
  account: accountApp,
  users: usersApp,
  organizations: organizationsApp,
  teams: teamsApp,
  notebooks: notebooksApp,
  journal: journalApp,
  imports: importsApp,
  ai: aiApp,
  drops: dropsApp,
  admin: adminApp,
  "tone-packs": tonePacksApp,
  payment: paymentApp,
  "payment-webhook": paymentWebhookApp,
  goals: goalsApp,
  "wellness-entries": wellnessEntriesApp,
  notifications: notificationsApp,
  safety: safetyApp,
  email: emailApp,
  "email-webhook": emailWebhookApp,
  "encouragement-drops": encouragementDropsApp,
  chat: chatApp,
  "workout-window": workoutWindowApp,
};

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
  // Its only response is 404.
  const noGroup = groupApp(services, "none", []);
  return (request) => {
    const prefix = prefixOfUrl.exec(request.url)?.[1] ?? "";
    return (appOf.get(prefix) ?? noGroup).fetch(request);
  };
}
