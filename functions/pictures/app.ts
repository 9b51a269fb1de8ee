import {
  MAX_MEGAPIXELS,
  MAX_PHOTO_IN_FORM_BYTES,
  MAX_PICTURES_LISTED,
  MAX_PICTURES_OF_ENTRY,
  PHOTO_TURN_SECONDS,
  PHOTO_UPLOAD_SECONDS,
  PICTURE_SIDE,
  THUMBNAIL_SIDE,
  UNUSED_UPLOAD_SECONDS,
} from "#core/limits";
import { grouped, inMb, inWords } from "#core/text/numbers";
import { userOrProgram } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { reserveUpload, signUpload } from "#http/request/sent-photo";
import { MessageResponse } from "#http/response/message";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { presentPicture, presentPictures } from "#journal/picture";
import { PICTURES, pictureBody } from "./picture-body.ts";
import { createPicture, deletePicture, listPictures, updatePicture } from "./pictures.ts";
import {
  PictureId,
  PictureResponse,
  PicturesQuery,
  PicturesResponse,
  PictureUpdate,
  PictureUploadRequest,
  PictureUploadResponse,
} from "./schema.ts";

/** Pictures of entries. */
export function picturesApp(services: Services) {
  return groupApp(services, "pictures", [
    endpointInSteps(
      "POST /api/pictures/upload-url",
      {
        id: "createPictureUpload",
        summary: "Get an address to upload a large picture",
        description: `Send the picture to \`upload_url\` with PUT within ${inWords(PHOTO_UPLOAD_SECONDS)}, with the type and size that you named here. Then add it to an entry with \`picture_key\` within ${inWords(UNUSED_UPLOAD_SECONDS)}.`,
        guard: userOrProgram("journal:write"),
        body: PictureUploadRequest,
        status: 201,
        response: PictureUploadResponse,
        quota: "picture_upload",
        errors: ["picture.too_large", "provider.failed", "provider.not_configured"],
      },
      async ({ commit, body: { content_type, size } }) => {
        const key = await commit((tx) => reserveUpload(tx, services, size, PICTURES));
        const { url, expiresAt } = await signUpload(services, key, content_type, size);
        return { upload_url: url, picture_key: key, expires_at: expiresAt };
      },
    ),
    endpointInSteps(
      "POST /api/pictures",
      {
        id: "createPicture",
        summary: "Add a picture to an entry",
        description: `It becomes the last one of at most ${MAX_PICTURES_OF_ENTRY}. It may have ${MAX_MEGAPIXELS} megapixels. Stored are a JPEG of at most ${grouped(PICTURE_SIDE)} pixels on a side and a thumbnail of at most ${THUMBNAIL_SIDE}, upright and without metadata. Whoever may read the content of the entry sees it. Pictures of more than ${inMb(MAX_PHOTO_IN_FORM_BYTES)} need an upload address. Send one picture after the other: a second one waits for the first, and is 429 after ${inWords(PHOTO_TURN_SECONDS)}.`,
        guard: userOrProgram("journal:write"),
        body: pictureBody,
        takesPhoto: true,
        status: 201,
        response: PictureResponse,
        quota: { name: "picture_examination", counted: "by the handler" },
        errors: [
          "picture.unusable",
          "picture.not_uploaded",
          "picture.too_many",
          "picture.storage_full",
          "journal.not_found",
          "journal.not_yours",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      createPicture,
    ),
    endpointInSteps(
      "GET /api/pictures",
      {
        id: "listPictures",
        summary: "List the pictures of entries",
        description: `In the order of the entries that you name and, for each, of their positions. Entries whose content you may not see are left out. A response has at most ${MAX_PICTURES_LISTED} pictures and ends with a whole entry: if it has more than ${MAX_PICTURES_LISTED - MAX_PICTURES_OF_ENTRY}, ask again for the entries after the last one that it shows.`,
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        replica: "shared",
        query: PicturesQuery,
        response: PicturesResponse,
        errors: ["provider.failed", "provider.not_configured"],
      },
      async ({ read, query }) => {
        const pictures = await read((tx) => listPictures(tx, query.entry_id));
        return { pictures: await presentPictures(services.privateFiles, pictures) };
      },
    ),
    endpointInSteps(
      "PUT /api/pictures/:id",
      {
        id: "updatePicture",
        summary: "Change the caption or the place of a picture",
        guard: userOrProgram("journal:write"),
        params: { id: PictureId },
        body: PictureUpdate,
        response: PictureResponse,
        errors: ["picture.not_found", "picture.not_yours", "provider.failed", "provider.not_configured"],
      },
      async ({ commit, params, body }) => {
        const { store, picture } = await commit(async (tx) => {
          const picture = await updatePicture(tx, params.id, body);
          return { store: configured(services.privateFiles), picture };
        });
        return { picture: await presentPicture(store, picture) };
      },
    ),
    endpoint(
      "DELETE /api/pictures/:id",
      {
        id: "deletePicture",
        summary: "Delete a picture for good",
        guard: userOrProgram("journal:write"),
        params: { id: PictureId },
        response: MessageResponse,
        errors: ["picture.not_found", "picture.not_yours"],
      },
      async ({ tx, params }) => {
        await deletePicture(tx, params.id);
        return { message: "The picture was deleted." };
      },
    ),
  ]);
}
