import type * as z from "zod";
import { AppError } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { MAX_PHOTO_IN_FORM_BYTES, MAX_PICTURE_BYTES } from "#core/limits";
import { inMb } from "#core/text/numbers";
import { type BodyReader, checkInput, JSON_BODY_ERRORS, type ReadBody, toIssue } from "#http/request/inputs";
import { type BodyKb, readJsonBody } from "#http/request/request-body";
import { type PhotoPurpose, photoOfForm, readPhotoForm, type SentPhoto } from "#http/request/sent-photo";
import type { AppContext } from "#http/services/context";
import { PictureFields, UploadedPicture } from "./schema.ts";

export const PICTURES: PhotoPurpose = {
  uploads: "picture-uploads",
  maxBytes: MAX_PICTURE_BYTES,
  tooLarge: "picture.too_large",
  unsupported: "picture.unsupported",
  notUploaded: "picture.not_uploaded",
};

/** A new picture: the file itself, or the key of its upload. */
export interface NewPicture extends z.output<typeof PictureFields> {
  readonly sent: SentPhoto;
}

/** Reads a form with the picture, or JSON with the key of an upload. */
export const pictureBody: BodyReader<NewPicture> = {
  read: (c, maxKb) =>
    /^multipart\//i.test(c.req.header("content-type") ?? "") ? readPictureForm(c) : readPictureKey(c, maxKb),
  errors: [...JSON_BODY_ERRORS, "picture.too_large", "picture.unsupported"],
  document: () => ({
    required: true,
    content: {
      "multipart/form-data": {
        type: "object",
        properties: {
          entry_id: { type: "string", format: "uuid", description: "One of your entries." },
          picture: {
            type: "string",
            format: "binary",
            description: `JPEG, PNG, WebP or HEIC, at most ${inMb(MAX_PHOTO_IN_FORM_BYTES)}. Its metadata are not stored.`,
          },
          picture_key: { type: "string", description: "The key of a finished upload, instead of `picture`." },
          caption: { type: "string", description: `At most ${LENGTHS.entry_pictures.caption.max} characters.` },
        },
        required: ["entry_id"],
      },
      "application/json": UploadedPicture,
    },
  }),
};

async function readPictureForm(c: AppContext): Promise<ReadBody<NewPicture>> {
  const { fields, files, digest } = await readPhotoForm(c, PICTURES);
  // Only an Idempotency-Key needs the digest, which takes a while for a picture.
  const text = c.req.header("idempotency-key") === undefined ? "" : digest();
  const file = files.get("picture");
  if (file === undefined) return { value: uploadedPicture(Object.fromEntries(fields)), text };
  const sent = photoOfForm(file, PICTURES);
  const { data, error } = PictureFields.safeParse(Object.fromEntries(fields));
  const issues = (error?.issues ?? []).map(toIssue);
  if (fields.has("picture_key")) issues.push({ path: "picture_key", message: "comes instead of picture" });
  if (data === undefined || issues.length > 0) throw new AppError("request.invalid", { issues });
  return { value: { ...data, sent }, text };
}

async function readPictureKey(c: AppContext, maxKb: BodyKb): Promise<ReadBody<NewPicture>> {
  const { text, value } = await readJsonBody(c, maxKb);
  return { value: uploadedPicture(value), text };
}

function uploadedPicture(fields: unknown): NewPicture {
  const { picture_key, ...rest } = checkInput(UploadedPicture, fields);
  return { ...rest, sent: { uploadedTo: picture_key } };
}
