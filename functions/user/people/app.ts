import { PLAYED_TOGETHER_DAYS } from "#core/limits";
import { Uuid } from "#core/text/uuid";
import { user } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import { listPeople, readUser } from "./people.ts";
import { PeopleQuery, PeopleResponse, UserResponse } from "./schema.ts";

/** Other people, as far as the caller may find them. */
export function usersApp(services: Services) {
  return groupApp(services, "users", [
    endpoint(
      "GET /api/users",
      {
        id: "findUsers",
        summary: "Find people of your organizations by name",
        description:
          "Ordered by name. Send `q`, `org_id` or both. You, people without a name and blocked people are left out.",
        guard: user,
        replica: "shared",
        query: PeopleQuery,
        response: PeopleResponse,
        errors: ["organization.not_found", "organization.not_a_reader"],
      },
      ({ tx, query }) => listPeople(tx, query),
    ),
    endpoint(
      "GET /api/users/:id",
      {
        id: "readUser",
        summary: "Read the page of a user",
        description: `You can read your own page, the assistant's, and those of people who share an organization with you, were in your chain or squad in the last ${PLAYED_TOGETHER_DAYS} days, sent you a drop or got one from you, or have a public notebook, entry or tone pack. 404 for everyone else, and for users who blocked you or whom you blocked.`,
        guard: user,
        replica: "shared",
        params: { id: Uuid.meta({ description: "The id of the user." }) },
        response: UserResponse,
        errors: ["user.not_found"],
      },
      async ({ tx, params, now }) => ({
        user: await readUser(tx, params.id, { now, assistantName: services.config.assistantName }),
      }),
    ),
  ]);
}
