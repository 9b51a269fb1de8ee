import type { EndpointRequest, WithTx } from "@nectar/http/endpoint";
import { deliverPushes } from "@nectar/notifications/deliver";
import { generateAround } from "../matching/runs.ts";
import { type Evidence, examineCheckIn } from "./examine.ts";
import { type CheckInRequest, type Player, readPlayer, receivePhoto, requireMayCheckIn } from "./receive.ts";
import { recordCheckIn } from "./record.ts";
import { expectPhoto, removeUnlessRecorded, type StoredPhoto, storePhoto } from "./store.ts";
import { removeUpload } from "./upload-url.ts";

/** Milliseconds that the response waits for the pushes to others; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;

/** A check-in: receive, examine, store, record, notify. A photo that is refused leaves nothing behind. */
export const checkInPhases = {
  before: ({ tx, ...request }: WithTx<CheckInRequest>) => readPlayer(tx, request),
  during: async (request: CheckInRequest, player: Player): Promise<ExaminedCheckIn> => {
    // Problems with the photo are reported before any other.
    const sent = await receivePhoto(request);
    requireMayCheckIn(request, player);
    const evidence = await examineCheckIn(request, sent, player);
    const { file, isMatched } = await expectPhoto(request, evidence.window.date);
    // They set their window after the last matching.
    if (!isMatched) await generateAround(request.services, request.actor.userId, evidence.window.date);
    return { evidence, stored: await storePhoto(request, file, evidence.photo.jpeg) };
  },
  after: async (request: WithTx<CheckInRequest> & AfterCommit, _: Player, { evidence, stored }: ExaminedCheckIn) => {
    const { tx, services, body, afterCommit } = request;
    const recorded = await recordCheckIn(tx, request, evidence, stored);
    afterCommit(() => deliverPushes(services, { recipients: recorded.notified, budgetMs: PUSH_BUDGET_MS }));
    afterCommit(() => removeUpload(services, body.sent));
    return recorded.response;
  },
  undo: (request: CheckInRequest, { stored }: ExaminedCheckIn) => removeUnlessRecorded(request, stored),
};

type AfterCommit = Pick<EndpointRequest<unknown, unknown, unknown, unknown>, "afterCommit">;

/** A check-in whose photo was accepted and stored. */
interface ExaminedCheckIn {
  readonly evidence: Evidence;
  readonly stored: StoredPhoto;
}
