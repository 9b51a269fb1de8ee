// Written by `npm run generate` from functions/groups.ts.
import type { GroupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import type { GroupName } from "./groups.ts";
import { healthApp } from "./health/app.ts";
import { authApp } from "./user/auth/app.ts";
import { userApp } from "./user/app.ts";
import { accountApp } from "./user/account/app.ts";
import { usersApp } from "./user/people/app.ts";
import { organizationsApp } from "./organizations/app.ts";
import { teamsApp } from "./teams/app.ts";
import { changesApp } from "./changes/app.ts";
import { notebooksApp } from "./notebooks/app.ts";
import { journalApp } from "./journal/app.ts";
import { picturesApp } from "./pictures/app.ts";
import { importsApp } from "./imports/app.ts";
import { aiApp } from "./assistant/tones/app.ts";
import { dropsApp } from "./drops/app.ts";
import { adminApp } from "./admin/app.ts";
import { tonePacksApp } from "./tone-packs/app.ts";
import { paymentApp } from "./payment/app.ts";
import { paymentWebhookApp } from "./payment-webhook/app.ts";
import { goalsApp } from "./goals/app.ts";
import { wellnessEntriesApp } from "./wellness/app.ts";
import { notificationsApp } from "./notifications/app.ts";
import { safetyApp } from "./safety/app.ts";
import { emailApp } from "./mail/app.ts";
import { emailWebhookApp } from "./mail/webhook/app.ts";
import { encouragementDropsApp } from "./encouragement-drops/app.ts";
import { workoutWindowApp } from "./game/app.ts";
import { chatApp } from "./assistant/app.ts";

export const APPS: Readonly<Record<GroupName, (services: Services) => GroupApp>> = {
  "health": healthApp,
  "auth": authApp,
  "user": userApp,
  "account": accountApp,
  "users": usersApp,
  "organizations": organizationsApp,
  "teams": teamsApp,
  "changes": changesApp,
  "notebooks": notebooksApp,
  "journal": journalApp,
  "pictures": picturesApp,
  "imports": importsApp,
  "ai": aiApp,
  "drops": dropsApp,
  "admin": adminApp,
  "tone-packs": tonePacksApp,
  "payment": paymentApp,
  "payment-webhook": paymentWebhookApp,
  "goals": goalsApp,
  "wellness-entries": wellnessEntriesApp,
  "notifications": notificationsApp,
  "safety": safetyApp,
  "email": emailApp,
  "email-webhook": emailWebhookApp,
  "encouragement-drops": encouragementDropsApp,
  "workout-window": workoutWindowApp,
  "chat": chatApp,
};
