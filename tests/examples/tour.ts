import { personNamed } from "#local/demo/data";
import { type Person, query, tokenFor } from "#tests/people";
import { type Recorder, textAt } from "./recorder.ts";
import type { Stop, TourOptions } from "./stop.ts";
import { visitEmail, visitNotifications, visitSafety, visitUser, visitUsers } from "./visits/accounts.ts";
import {
  visitBadges,
  visitDrops,
  visitDropTemplates,
  visitEncouragement,
  visitPayment,
  visitTonePacks,
} from "./visits/drops.ts";
import { visitCheckIns, visitGame, visitSyntheticUsers } from "./visits/game.ts";
import { visitInvitations, visitOrganizations, visitTeams } from "./visits/groups.ts";
import {
  visitAssistant,
  visitEntryPictures,
  visitGoals,
  visitImports,
  visitJournal,
  visitNotebooks,
  visitPictures,
} from "./visits/journal.ts";
import { visitAdmin, visitHealth, visitJobs } from "./visits/service.ts";

/**
 * Calls every operation as the people of the demo data would. Each group is visited by itself: where a call fails, the
 * problem is printed and the next group goes on.
 */
export async function takeTour({ call }: Recorder, options: TourOptions): Promise<void> {
  const people = new Map<string, Promise<Person>>();
  const stop: Stop = {
    call,
    options,
    today: new Date().toISOString().slice(0, 10),
    person: (name) => {
      const person = people.get(name) ?? signIn(name, options);
      people.set(name, person);
      return person;
    },
  };
  const visits = [
    visitHealth,
    visitUser,
    visitUsers,
    visitOrganizations,
    visitInvitations,
    visitTeams,
    visitNotebooks,
    visitJournal,
    visitEntryPictures,
    visitImports,
    visitPictures,
    visitGoals,
    visitNotifications,
    visitSafety,
    visitEmail,
    visitDrops,
    visitAdmin,
    visitTonePacks,
    visitPayment,
    visitEncouragement,
    visitDropTemplates,
    visitBadges,
    visitGame,
    visitCheckIns,
    visitSyntheticUsers,
    visitJobs,
    visitAssistant,
  ];
  for (const visit of visits) {
    await visit(stop).catch((error: unknown) => console.error(`${visit.name}:`, error));
  }
}

async function signIn(name: string, { adminUrl, jwtSecret }: TourOptions): Promise<Person> {
  const { email } = personNamed(name);
  const id = textAt(await query(adminUrl, "select id from auth.users where email = $1", [email]), "0.id");
  return { id, email, token: await tokenFor({ sub: id, email }, { secret: jwtSecret }) };
}
