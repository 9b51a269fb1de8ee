import { LENGTHS } from "#core/lengths.generated";
import { MAX_PHOTO_IN_FORM_BYTES, PHOTO_UPLOAD_SECONDS, UNUSED_UPLOAD_SECONDS } from "#core/limits";
import { grouped, inMb, inWords } from "#core/text/numbers";
import { admin, userOrProgram } from "#http/access/guards";
import { type Endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { wakePushes } from "#http/jobs/wake";
import { reserveUpload, signUpload } from "#http/request/sent-photo";
import { dayMoment } from "../day-state.ts";
import { DateParam } from "../schema.ts";
import { createCheckIn } from "./check-in.ts";
import { listCheckIns, presentCheckIns, readOwnCheckIn } from "./check-ins.ts";
import { CHECK_IN_PHOTOS, checkInForm } from "./photo-form.ts";
import { listReviews, presentReview, reviewCheckIn } from "./review.ts";
import {
  CheckInId,
  CheckInResponse,
  CheckInsQuery,
  CheckInsResponse,
  GRACE,
  MIN_REJECTION_REASON,
  NewCheckInResponse,
  Review,
  ReviewListResponse,
  ReviewQuery,
  ReviewResponse,
  UploadRequest,
  UploadResponse,
} from "./schema.ts";

/** Check-ins with photos, and their review. */
export const checkInRoutes: readonly Endpoint[] = [
  endpointInSteps(
    "POST /api/workout-window/checkin/upload-url",
    {
      id: "createPhotoUpload",
      summary: "Get an address to upload a large photo",
      description: `Send the photo to \`uploadUrl\` with PUT within ${inWords(PHOTO_UPLOAD_SECONDS)}, with the type and size that you named here. Then check in with \`photoKey\` within ${inWords(UNUSED_UPLOAD_SECONDS)}.`,
      guard: userOrProgram("game:write"),
      body: UploadRequest,
      status: 201,
      response: UploadResponse,
      quota: "checkin_upload",
      errors: ["checkin.photo_too_large", "provider.failed", "provider.not_configured"],
    },
    async ({ commit, services, body: { contentType, size } }) => {
      const photoKey = await commit((tx) => reserveUpload(tx, services, size, CHECK_IN_PHOTOS));
      const { url, expiresAt } = await signUpload(services, photoKey, contentType, size);
      return { uploadUrl: url, photoKey, expiresAt };
    },
  ),
  endpointInSteps(
    "POST /api/workout-window/checkin",
    {
      id: "createWorkoutCheckIn",
      summary: "Check in with a photo taken in your window",
      description: `The time in the photo decides: it must be in your window, or in the grace before or after it (${GRACE}). You can send the photo until the end of the local day on which the window ended. A suspicious photo is pending until an admin reviews it. If a photo is not accepted, nothing is stored and you can try again. While the day is open, you can replace a rejected check-in with another photo: the check-in stays, and its review is cleared. Photos of more than ${inMb(MAX_PHOTO_IN_FORM_BYTES)} need an upload address.`,
      guard: userOrProgram("game:write"),
      body: checkInForm,
      takesPhoto: true,
      status: 201,
      response: NewCheckInResponse,
      quota: { name: "photo_examination", counted: "by the handler" },
      errors: [
        "checkin.unusable_photo",
        "checkin.no_photo_time",
        "checkin.outside_window",
        "checkin.too_late",
        "game.no_window",
        "checkin.photo_not_found",
        "checkin.already_checked_in",
        "provider.failed",
        "provider.not_configured",
      ],
    },
    createCheckIn,
  ),
  endpointInSteps(
    "GET /api/workout-window/checkin/:date",
    {
      id: "readWorkoutCheckIn",
      summary: "Read your check-in of a date",
      description:
        "If `status` is failed and you have no check-in, you may still be able to send a photo that was taken in time.",
      guard: userOrProgram("game:read"),
      access: "read",
      replica: "shared",
      params: DateParam.shape,
      response: CheckInResponse,
      errors: ["provider.failed"],
    },
    async ({ read, actor, params, ...request }) => {
      const { row, status } = await read((tx) => readOwnCheckIn(tx, actor.userId, params.date, dayMoment(request)));
      const [checkin = null] = await presentCheckIns(request.services, row === null ? [] : [row]);
      return { checkin, status };
    },
  ),
  endpointInSteps(
    "GET /api/workout-window/checkins/:date",
    {
      id: "listWorkoutCheckIns",
      summary: "List all check-ins of a date",
      description: "Newest first. Send `nextCursor` as `cursor` to read the next page.",
      guard: userOrProgram("game:read"),
      access: "read",
      replica: "shared",
      params: DateParam.shape,
      query: CheckInsQuery,
      response: CheckInsResponse,
      errors: ["provider.failed"],
    },
    async ({ read, params, query, ...request }) => {
      const page = await read((tx) => listCheckIns(tx, params.date, query, dayMoment(request)));
      const checkins = await presentCheckIns(request.services, page.rows);
      return { checkins, stats: page.stats, nextCursor: page.next_cursor };
    },
  ),
  endpointInSteps(
    "GET /api/workout-window/admin/checkins",
    {
      id: "listCheckInsForReview",
      summary: "List check-ins for review (admin)",
      description: "Newest first. `?status=pending` returns those that wait for review.",
      guard: admin,
      query: ReviewQuery,
      response: ReviewListResponse,
      errors: ["provider.failed"],
    },
    ({ services, query, now }) => listReviews(services, query, now),
  ),
  endpointInSteps(
    "PUT /api/workout-window/admin/checkins/:id",
    {
      id: "reviewCheckIn",
      summary: "Verify or reject a check-in (admin)",
      description: `To reject it, give a reason of ${MIN_REJECTION_REASON} to ${grouped(LENGTHS.workout_checkins.review_reason.max)} characters. The owner is notified, and can appeal a rejection as a moderation decision. While the battle is open, the decision changes the chips of this check-in and of the next player in the chain. If a check-in is verified after its battle has ended, its chips count for the next battle.`,
      access: "service",
      guard: admin,
      audit: { target: "checkin", id: ({ params }) => params.id },
      params: { id: CheckInId },
      body: Review,
      response: ReviewResponse,
      errors: ["checkin.not_found", "checkin.illegal_transition", "provider.failed"],
    },
    async ({ commit, actor, params, body, ...request }) => {
      const row = await commit((tx) => reviewCheckIn(tx, actor.userId, params.id, body, dayMoment(request)));
      await wakePushes(request.services);
      return { checkin: await presentReview(request.services, row) };
    },
  ),
];
