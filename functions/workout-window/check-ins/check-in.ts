import type { AppContext } from "@nectar/http/context";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
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

/** Responds to a check-in: receive, examine, store, record, notify. A photo that is refused leaves nothing behind. */
export function checkIn(c: AppContext, services: Services, form: CheckInForm): Promise<Response> {
  const { asUser, actor } = c.var;
  const caller: Caller = { services, userId: actor.userId, asUser };
  return respondInPhases(c, 201, {
    // Problems with the photo are reported before any other, and an uploaded photo has to be loaded first.
    before: async () => null,
    during: async () => {
      const sent = await receivePhoto(caller, form.sent);
      const player = await asUser((tx) => readPlayer(tx, caller));
      const evidence = await examineCheckIn(caller, form, sent, player);
      await matchIfNew(caller, evidence.window.date);
      return { evidence, stored: await storePhoto(caller, evidence.photo.jpeg) };
    },
    after: async (tx, _, { evidence, stored }, afterCommit) => {
      const { body, notified } = await recordCheckIn(tx, caller, form, evidence, stored);
      afterCommit(() => deliverPushes(services, { recipients: notified, budgetMs: PUSH_BUDGET_MS }));
      afterCommit(() => removeUpload(services, form.sent));
      return body;
    },
    undo: ({ stored }) => removeUnlessRecorded(caller, stored),
  });
}

/** Matches a person who has no chain yet because the window was set after the last matching. */
async function matchIfNew({ services, userId, asUser }: Caller, date: string): Promise<void> {
  const chain = await asUser((tx) =>
    tx.selectFrom("chains").select("id").where("user_id", "=", userId).where("date", "=", date).executeTakeFirst(),
  );
  if (chain === undefined) await generateAround(services, userId, date);
}
