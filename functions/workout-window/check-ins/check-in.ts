import type { Actor } from "@nectar/http/context";
import type { EndpointRequest, WithTx } from "@nectar/http/endpoint";
import { deliverPushes } from "@nectar/notifications/deliver";
import { generateAround } from "../matching/runs.ts";
import { examineCheckIn } from "./examine.ts";
import type { CheckInForm } from "./photo-form.ts";
import { type Caller, readPlayer, receivePhoto } from "./receive.ts";
import { recordCheckIn } from "./record.ts";
import { removeUnlessRecorded, storePhoto } from "./store.ts";
import { removeUpload } from "./upload-url.ts";

/** Milliseconds that the response waits for the pushes to others; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;

type CheckInRequest = EndpointRequest<Actor, unknown, unknown, CheckInForm>;

/** A check-in: receive, examine, store, record, notify. A photo that is refused leaves nothing behind. */
export const checkInPhases = {
  // Problems with the photo are reported before any other, and an uploaded photo has to be loaded first.
  during: async (request: CheckInRequest) => {
    const caller = callerOf(request);
    const sent = await receivePhoto(caller, request.body.sent);
    const player = await request.transaction((tx) => readPlayer(tx, caller));
    const evidence = await examineCheckIn(caller, request.body, sent, player);
    await matchIfNew(caller, evidence.window.date);
    return { evidence, stored: await storePhoto(caller, evidence.photo.jpeg) };
  },
  after: async (request: WithTx<CheckInRequest>, _before: undefined, { evidence, stored }: ExaminedCheckIn) => {
    const { tx, services, body: form, afterCommit } = request;
    const { body, notified } = await recordCheckIn(tx, callerOf(request), form, evidence, stored);
    afterCommit(() => deliverPushes(services, { recipients: notified, budgetMs: PUSH_BUDGET_MS }));
    afterCommit(() => removeUpload(services, form.sent));
    return body;
  },
  undo: (request: CheckInRequest, { stored }: ExaminedCheckIn) => removeUnlessRecorded(callerOf(request), stored),
};

/** A check-in whose photo was accepted and stored. */
interface ExaminedCheckIn {
  readonly evidence: Awaited<ReturnType<typeof examineCheckIn>>;
  readonly stored: Awaited<ReturnType<typeof storePhoto>>;
}

function callerOf({ actor, services, transaction }: CheckInRequest): Caller {
  return { services, userId: actor.userId, asUser: transaction };
}

/** Matches a person who has no chain yet because the window was set after the last matching. */
async function matchIfNew({ services, userId, asUser }: Caller, date: string): Promise<void> {
  const chain = await asUser((tx) =>
    tx.selectFrom("chains").select("id").where("user_id", "=", userId).where("date", "=", date).executeTakeFirst(),
  );
  if (chain === undefined) await generateAround(services, userId, date);
}
