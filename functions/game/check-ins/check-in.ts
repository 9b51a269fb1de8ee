import type { Steps } from "#http/endpoint/run";
import { wakePushes } from "#http/jobs/wake";
import { removeUpload } from "#http/request/sent-photo";
import { generateAround } from "../matching/runs.ts";
import { examineCheckIn } from "./examine.ts";
import { type CheckInRequest, receiveCheckIn } from "./receive.ts";
import { recordCheckIn } from "./record.ts";
import { removeUnlessRecorded, storePhoto } from "./store.ts";

/** A check-in: receive, examine, store, record, notify. A photo that is refused leaves nothing behind. */
export async function createCheckIn(request: CheckInRequest & Pick<Steps, "respond">) {
  const { services, actor, body, respond } = request;
  const { evidence, file, isMatched } = await examineCheckIn(request, await receiveCheckIn(request));
  // They set their window after the last matching.
  if (!isMatched) await generateAround(services, actor.userId, evidence.window.date);
  const stored = await storePhoto(request, file, evidence.photo.jpeg);
  try {
    const response = await respond((tx) => recordCheckIn(tx, request, evidence, stored));
    await Promise.all([wakePushes(services), removeUpload(services, body.sent)]);
    return response;
  } catch (error) {
    await removeUnlessRecorded(request, stored).catch(() => undefined);
    throw error;
  }
}
