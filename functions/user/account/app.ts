import { user } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { wake } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import type { Services } from "#http/services/services";
import { eraseAccounts } from "./erasing.ts";
import { readErasure, requestErasure, restoreAccount } from "./requests.ts";
import { ErasureRequest, ErasureResponse, RequestedErasureResponse } from "./schema.ts";

/** Erasing one's account, and the job that does it. */
export function accountApp(services: Services) {
  return groupApp(services, "account", [
    endpoint(
      "GET /api/user/account/erasure",
      {
        id: "readErasure",
        summary: "Read what erasing your account would do, and when it is scheduled",
        guard: user,
        replica: "shared",
        response: ErasureResponse,
      },
      ({ tx }) => readErasure(tx),
    ),
    endpoint(
      "DELETE /api/user/account",
      {
        id: "deleteAccount",
        summary: "Erase your account",
        description:
          "Until it is erased, your account is closing: you can read, export, restore it or erase it now, and nothing else. You get an email when it is erased. Repeating the request changes nothing. If someone makes you the owner of an organization meanwhile, it goes to the person who has been a member for the longest time.",
        guard: user,
        access: "write while closing",
        body: ErasureRequest,
        response: RequestedErasureResponse,
        errors: ["auth.sign_in_again", "account.owns_organizations", "admin.last_super_admin"],
      },
      async ({ tx, actor, body, now, afterCommit }) => {
        const erasure = await requestErasure(tx, actor, body, now);
        if (body.when === "now") afterCommit(() => wake(services, { name: "erasure" }));
        return { erasure };
      },
    ),
    endpoint(
      "POST /api/user/account/restore",
      {
        id: "restoreAccount",
        summary: "Restore your account before it is erased",
        description: "Repeating it changes nothing. 409 once the erasure has begun.",
        guard: user,
        access: "write while closing",
        response: MessageResponse,
        errors: ["account.being_erased"],
      },
      async ({ tx }) => {
        await restoreAccount(tx);
        return { message: "Your account is open." };
      },
    ),
    jobEndpoint(eraseAccounts, {
      id: "runErasures",
      summary: "Erase the accounts that are due (scheduled)",
    }),
  ]);
}
