import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import { MAX_PICTURE_BYTES } from "#core/limits";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { UPLOAD_TYPES } from "#http/request/sent-photo";
import { Picture } from "#journal/picture";

const MAX_ENTRIES = 100;

export const PictureId = Uuid.meta({ description: "The id of the picture." });

const Caption = text({ ...LENGTHS.entry_pictures.caption, min: 0 })
  .nullish()
  .meta({ description: "An empty one means no caption." });

export const PictureFields = z.object({
  entry_id: Uuid.meta({ description: "One of your entries." }),
  caption: Caption,
});

export const UploadedPicture = PictureFields.extend({
  picture_key: z.string().min(1).max(200).meta({ description: "The key of a finished upload." }),
}).meta({ id: "UploadedPicture" });

export const PictureUploadRequest = z
  .object({
    content_type: z.enum(UPLOAD_TYPES),
    size: z
      .int32()
      .min(1)
      .meta({ description: `In bytes, at most ${MAX_PICTURE_BYTES}.` }),
  })
  .meta({ id: "PictureUploadRequest" });

export const PictureUploadResponse = z
  .object({
    upload_url: z.string().meta({ description: "Send the picture here with PUT." }),
    picture_key: z.string().meta({ description: "Send it instead of the picture." }),
    expires_at: z.iso.datetime().meta({ description: "upload_url works until then." }),
  })
  .meta({ id: "PictureUpload" });

export const PicturesQuery = z.object({
  entry_id: z
    .array(Uuid)
    .min(1)
    .max(MAX_ENTRIES)
    .meta({
      description: `The entry whose pictures to return. Repeat the parameter for up to ${MAX_ENTRIES} entries.`,
    }),
});

export const PictureUpdate = atLeastOneField(
  z.object({
    caption: Caption,
    position: z.int32().min(0).optional().meta({
      description: "Its new place, from 0; the pictures after it move. Beyond the end it becomes the last one.",
    }),
  }),
).meta({ id: "PictureUpdate" });
export type PictureUpdate = z.output<typeof PictureUpdate>;

export const PictureResponse = z.object({ picture: Picture });
export const PicturesResponse = z.object({ pictures: z.array(Picture) });
