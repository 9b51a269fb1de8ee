import type { EndpointRequest, WithTx } from "@nectar/http/endpoint";
import { wakePushes } from "@nectar/http/wake";
import { generateAround } from "../matching/runs.ts";
import { type Evidence, examineCheckIn } from "./examine.ts";
import { type CheckInRequest, receivePhoto } from "./receive.ts";
import { recordCheckIn } from "./record.ts";
import { removeUnlessRecorded, type StoredPhoto, storePhoto } from "./store.ts";
import { removeUpload } from "./upload-url.ts";

/** A check-in: receive, examine, store, record, notify. A photo that is refused leaves nothing behind. */
export const checkInPhases = {
  during: async (request: CheckInRequest): Promise<AcceptedCheckIn> => {
    const { evidence, file, isMatched } = await examineCheckIn(request, await receivePhoto(request));
    // They set their window after the last matching.
    if (!isMatched) await generateAround(request.services, request.actor.userId, evidence.window.date);
    return { evidence, stored: await storePhoto(request, file, evidence.photo.jpeg) };
  },
  after: async (request: WithTx<CheckInRequest> & AfterCommit, _: undefined, { evidence, stored }: AcceptedCheckIn) => {
    const { tx, services, body, afterCommit } = request;
    const response = await recordCheckIn(tx, request, evidence, stored);
    afterCommit(() => wakePushes(services));
    afterCommit(() => removeUpload(services, body.sent));
    return response;
  },
  undo: (request: CheckInRequest, { stored }: AcceptedCheckIn) => removeUnlessRecorded(request, stored),
};

type AfterCommit = Pick<EndpointRequest<unknown, unknown, unknown, unknown>, "afterCommit">;

/** A check-in whose photo was accepted and stored. */
interface AcceptedCheckIn {
  readonly evidence: Evidence;
  readonly stored: StoredPhoto;
}
