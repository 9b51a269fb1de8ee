import { AppError } from "#core/errors";
import { type BodyReader, type ReadBody, toIssue } from "#http/request/inputs";
import { readForm } from "#http/request/multipart";
import type { AppContext } from "#http/services/context";
import { type PhotoFormat, photoFormat } from "#providers/photo-format";
import { ActivityType } from "../schema.ts";
import { CheckInFields, MAX_PHOTO_BYTES } from "./schema.ts";

/** A file that is a photo by its bytes, and no larger than allowed. */
export interface AcceptedPhoto {
  readonly bytes: Uint8Array;
  readonly format: PhotoFormat;
}

/** A photo as it was sent: the file itself, or the key of its upload. */
export type SentPhoto = AcceptedPhoto | { readonly uploadedTo: string };

/** A form that has been checked. */
export interface CheckInForm extends CheckInFields {
  readonly sent: SentPhoto;
}

/** Bytes of a form beside its photo. */
const FORM_OVERHEAD = 64 * 1024;

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
    mediaType: "multipart/form-data",
    schema: {
      type: "object",
      properties: {
        photo: {
          type: "string",
          format: "binary",
          description: "JPEG, PNG, WebP or HEIC, at most 10 MB. Its EXIF metadata must say when it was taken.",
        },
        photoKey: { type: "string", description: "The key of a finished upload, instead of `photo`." },
        activityType: { type: "string", enum: ActivityType.options },
        latitude: { type: "number", minimum: -90, maximum: 90, description: "In degrees, with the longitude." },
        longitude: { type: "number", minimum: -180, maximum: 180, description: "In degrees, with the latitude." },
      },
      required: ["activityType"],
    },
  }),
};

async function readCheckInForm(c: AppContext): Promise<ReadBody<CheckInForm>> {
  const { fields, files, digest } = await readForm(c, MAX_PHOTO_BYTES + FORM_OVERHEAD, "checkin.photo_too_large");
  // Only an Idempotency-Key needs the digest, which takes a while for a photo.
  const text = c.req.header("idempotency-key") === undefined ? "" : digest();
  const file = files.get("photo");
  const bytes = file === undefined || file.length === 0 ? null : file;
  const uploadedTo = fields.get("photoKey") ?? "";
  if (bytes === null && uploadedTo === "") {
    throw new AppError("checkin.missing_photo", { issues: [{ path: "photo", message: "is missing" }] });
  }
  const sent = bytes === null ? { uploadedTo } : acceptedPhoto(bytes);
  // Forms send fields that were not filled in as empty.
  const filled = Object.fromEntries([...fields].filter(([, value]) => value !== ""));
  const checked = CheckInFields.safeParse(filled);
  const issues = (checked.error?.issues ?? []).map(toIssue);
  if (bytes !== null && uploadedTo !== "") issues.push({ path: "photoKey", message: "comes instead of photo" });
  if (checked.data === undefined || issues.length > 0) throw new AppError("request.invalid", { issues });
  return { value: { ...checked.data, sent }, text };
}

/**
 * A file that is a photo by its bytes.
 * @throws AppError 415 for another kind of file, 413 for one above 10 MB
 */
export function acceptedPhoto(bytes: Uint8Array): AcceptedPhoto {
  const format = photoFormat(bytes);
  if (format === null) throw new AppError("checkin.unsupported_photo");
  if (bytes.length > MAX_PHOTO_BYTES) throw new AppError("checkin.photo_too_large");
  return { bytes, format };
}
