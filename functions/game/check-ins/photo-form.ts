import { AppError } from "#core/errors";
import { MAX_PHOTO_BYTES, MAX_PHOTO_IN_FORM_BYTES } from "#core/limits";
import { inMb } from "#core/text/numbers";
import { type BodyReader, type ReadBody, toIssue } from "#http/request/inputs";
import { type PhotoPurpose, photoOfForm, readPhotoForm, type SentPhoto } from "#http/request/sent-photo";
import type { AppContext } from "#http/services/context";
import { ActivityType } from "../schema.ts";
import { CheckInFields } from "./schema.ts";

export const CHECK_IN_PHOTOS: PhotoPurpose = {
  uploads: "checkin-uploads",
  maxBytes: MAX_PHOTO_BYTES,
  tooLarge: "checkin.photo_too_large",
  unsupported: "checkin.unsupported_photo",
  notUploaded: "checkin.photo_not_found",
};

/** A form that has been checked. */
export interface CheckInForm extends CheckInFields {
  readonly sent: SentPhoto;
}

/** Reads the form of a check-in. The order of its checks is part of the contract. */
export const checkInForm: BodyReader<CheckInForm> = {
  read: readCheckInForm,
  errors: [
    "request.invalid",
    "request.aborted",
    "request.unsupported_media_type",
    "checkin.missing_photo",
    "checkin.photo_too_large",
    "checkin.unsupported_photo",
  ],
  document: () => ({
    required: true,
    content: {
      "multipart/form-data": {
        type: "object",
        properties: {
          photo: {
            type: "string",
            format: "binary",
            description: `JPEG, PNG, WebP or HEIC, at most ${inMb(MAX_PHOTO_IN_FORM_BYTES)}. Its EXIF metadata must say when it was taken.`,
          },
          photoKey: { type: "string", description: "The key of a finished upload, instead of `photo`." },
          activityType: { type: "string", enum: ActivityType.options },
          latitude: { type: "number", minimum: -90, maximum: 90, description: "In degrees, with the longitude." },
          longitude: { type: "number", minimum: -180, maximum: 180, description: "In degrees, with the latitude." },
        },
        required: ["activityType"],
      },
    },
  }),
};

async function readCheckInForm(c: AppContext): Promise<ReadBody<CheckInForm>> {
  const { fields, files, digest } = await readPhotoForm(c, CHECK_IN_PHOTOS);
  // Only an Idempotency-Key needs the digest, which takes a while for a photo.
  const text = c.req.header("idempotency-key") === undefined ? "" : digest();
  const file = files.get("photo");
  const bytes = file === undefined || file.length === 0 ? null : file;
  const uploadedTo = fields.get("photoKey") ?? "";
  if (bytes === null && uploadedTo === "") {
    throw new AppError("checkin.missing_photo", { issues: [{ path: "photo", message: "is missing" }] });
  }
  const sent = bytes === null ? { uploadedTo } : photoOfForm(bytes, CHECK_IN_PHOTOS);
  // Forms send fields that were not filled in as empty.
  const filled = Object.fromEntries([...fields].filter(([, value]) => value !== ""));
  const checked = CheckInFields.safeParse(filled);
  const issues = (checked.error?.issues ?? []).map(toIssue);
  if (bytes !== null && uploadedTo !== "") issues.push({ path: "photoKey", message: "comes instead of photo" });
  if (checked.data === undefined || issues.length > 0) throw new AppError("request.invalid", { issues });
  return { value: { ...checked.data, sent }, text };
}
