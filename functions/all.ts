import type { GroupApp } from "@nectar/http/group-app";
import type { Services } from "@nectar/http/services";
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
import { journalApp } from "./journal/app.ts";
import { notebooksApp } from "./notebooks/app.ts";
import { notificationsApp } from "./notifications/app.ts";
import { organizationsApp } from "./organizations/app.ts";
import { paymentApp } from "./payment/app.ts";
import { paymentWebhookApp } from "./payment-webhook/app.ts";
import { teamsApp } from "./teams/app.ts";
import { tonePacksApp } from "./tone-packs/app.ts";
import { userApp } from "./user/app.ts";
import { wellnessEntriesApp } from "./wellness-entries/app.ts";
import { workoutWindowApp } from "./workout-window/app.ts";

const APPS: Readonly<Record<GroupName, (services: Services) => GroupApp>> = {
  health: healthApp,
  auth: authApp,
  user: userApp,
  organizations: organizationsApp,
  teams: teamsApp,
  notebooks: notebooksApp,
  journal: journalApp,
  ai: aiApp,
  drops: dropsApp,
  admin: adminApp,
  "tone-packs": tonePacksApp,
  payment: paymentApp,
  "payment-webhook": paymentWebhookApp,
  goals: goalsApp,
  "wellness-entries": wellnessEntriesApp,
  notifications: notificationsApp,
  email: emailApp,
  "email-webhook": emailWebhookApp,
  "encouragement-drops": encouragementDropsApp,
  chat: chatApp,
  "workout-window": workoutWindowApp,
};

/** Every group's app, for what runs them all in one process: development, tests, the reference. */
export function allApps(services: Services): { name: GroupName; paths: readonly string[]; app: GroupApp }[] {
  return GROUPS.map(({ name, paths }) => ({ name, paths, app: APPS[name](services) }));
}

/** Hands a request to the group that its path belongs to, as the router does when deployed. */
export function routeToGroups(services: Services): (request: Request) => Response | Promise<Response> {
  const routes = allApps(services)
    .flatMap(({ paths, app }) => paths.map((path) => ({ path, app })))
    // The longest prefix wins, as with SST's router.
    .toSorted((one, other) => other.path.length - one.path.length);
  const [anyRoute] = routes;
  if (anyRoute === undefined) throw new Error("There is no group.");
  return (request) => {
    const pathname = pathOf(request.url);
    const found = routes.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    // A path of no group still gets an answer in our form; any app gives it.
    return (found ?? anyRoute).app.fetch(request);
  };
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
