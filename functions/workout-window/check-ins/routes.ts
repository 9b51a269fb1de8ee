import { type Endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { admin, user } from "@nectar/http/guards";
import { wakePushes } from "@nectar/http/wake";
import { dayMoment } from "../day-state.ts";
import { DateParam } from "../schema.ts";
import { checkInPhases } from "./check-in.ts";
import { listCheckIns, presentCheckIns, readOwnCheckIn } from "./check-ins.ts";
import { checkInForm } from "./photo-form.ts";
import { listReviews, presentReview, reviewCheckIn } from "./review.ts";
import {
  CheckInId,
  CheckInResponse,
  CheckInsQuery,
  CheckInsResponse,
  NewCheckInResponse,
  Review,
  ReviewListResponse,
  ReviewQuery,
  ReviewResponse,
  UploadRequest,
  UploadResponse,
} from "./schema.ts";
import { reserveUpload, signUpload } from "./upload-url.ts";

/** Check-ins with photos, and their review. */
export const checkInRoutes: readonly Endpoint[] = [
  phasedEndpoint(
    "POST /api/workout-window/checkin/upload-url",
    {
      id: "createPhotoUpload",
      summary: "Get an address to upload a large photo",
      description:
        "Send the photo to `uploadUrl` with PUT within 15 minutes, with the type and size that you named here. Then check in with `photoKey` within one hour. You can request 20 addresses per UTC day.",
      guard: user,
      body: UploadRequest,
      status: 201,
      response: UploadResponse,
      errors: ["checkin.photo_too_large", "checkin.too_many_uploads", "provider.failed", "provider.not_configured"],
    },
    {
      before: ({ tx, services, body }) => reserveUpload(tx, services, body),
      during: ({ services, body }, photoKey) => signUpload(services, photoKey, body),
    },
  ),
  phasedEndpoint(
    "POST /api/workout-window/checkin",
    {
      id: "createWorkoutCheckIn",
      summary: "Check in with a photo taken in your window",
      description:
        "The time in the photo decides: it must be in your window, or at most 15 minutes before or after it. You can send the photo until the end of the local day on which the window ended. A suspicious photo is pending until an admin reviews it. If a photo is not accepted, nothing is stored and you can try again; up to 30 of your photos are examined per UTC day. While the day is open, you can replace a rejected check-in with another photo: the check-in stays, and its review is cleared. Photos of more than about 4 MB need an upload address.",
      guard: user,
      body: checkInForm,
      status: 201,
      response: NewCheckInResponse,
      errors: [
        "checkin.unusable_photo",
        "checkin.no_photo_time",
        "checkin.outside_window",
        "checkin.too_late",
        "game.no_window",
        "checkin.photo_not_found",
        "checkin.already_checked_in",
        "quota.exhausted",
        "provider.failed",
        "provider.not_configured",
      ],
    },
    checkInPhases,
  ),
  phasedEndpoint(
    "GET /api/workout-window/checkin/:date",
    {
      id: "readWorkoutCheckIn",
      summary: "Read your check-in of a date",
      description:
        "If `status` is failed and you have no check-in, you may still be able to send a photo that was taken in time.",
      guard: user,
      statements: "any number",
      params: DateParam.shape,
      response: CheckInResponse,
      errors: ["provider.failed"],
    },
    {
      before: ({ tx, actor, params, ...request }) => readOwnCheckIn(tx, actor.userId, params.date, dayMoment(request)),
      during: async ({ services }, { row, status }) => {
        const [checkin = null] = await presentCheckIns(services, row === null ? [] : [row]);
        return { checkin, status };
      },
    },
  ),
  phasedEndpoint(
    "GET /api/workout-window/checkins/:date",
    {
      id: "listWorkoutCheckIns",
      summary: "List all check-ins of a date",
      description: "Newest first. Send `nextCursor` as `cursor` to read the next page.",
      guard: user,
      statements: "any number",
      params: DateParam.shape,
      query: CheckInsQuery,
      response: CheckInsResponse,
      errors: ["provider.failed"],
    },
    {
      before: ({ tx, params, query, ...request }) => listCheckIns(tx, params.date, query, dayMoment(request)),
      during: async ({ services }, { rows, stats, next_cursor }) => ({
        checkins: await presentCheckIns(services, rows),
        stats,
        nextCursor: next_cursor,
      }),
    },
  ),
  phasedEndpoint(
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
    { during: ({ services, query, now }) => listReviews(services, query, now) },
  ),
  phasedEndpoint(
    "PUT /api/workout-window/admin/checkins/:id",
    {
      id: "reviewCheckIn",
      summary: "Verify or reject a check-in (admin)",
      description:
        "To reject it, give a reason of 10 to 1,000 characters. The owner is notified. While the battle is open, the decision changes the chips of this check-in and of the next player in the chain. If a check-in is verified after its battle has ended, its chips count for the next battle.",
      runAs: "service",
      guard: admin,
      audit: { target: "checkin", id: ({ params }) => params.id },
      params: { id: CheckInId },
      body: Review,
      response: ReviewResponse,
      errors: ["checkin.not_found", "checkin.illegal_transition", "provider.failed"],
    },
    {
      before: ({ tx, actor, params, body, services, afterCommit, ...request }) => {
        afterCommit(() => wakePushes(services));
        return reviewCheckIn(tx, actor.userId, params.id, body, dayMoment({ ...request, services }));
      },
      during: async ({ services }, row) => ({ checkin: await presentReview(services, row) }),
    },
  ),
];
