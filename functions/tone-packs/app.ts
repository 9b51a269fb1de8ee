import { userOrProgram } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { activatePack, countShareByAddress, listShares, purchasePack, sharePack, unsharePack } from "./access.ts";
import { drawImages } from "./images.ts";
import {
  createPack,
  deletePack,
  listPacks,
  lockOwnPack,
  MAX_PRIVATE_PACKS,
  readActivePack,
  readPack,
  updatePack,
} from "./packs.ts";
import {
  ActivationResponse,
  ActivePackResponse,
  ActiveQuery,
  ImageRequest,
  ImagesResponse,
  NewShare,
  NewTonePack,
  PackResponse,
  PacksQuery,
  PacksResponse,
  PurchaseRequest,
  PurchaseResponse,
  RecipientOrShareId,
  ShareResponse,
  SharesResponse,
  TonePackId,
  TonePackUpdate,
} from "./schema.ts";

/** Tone packs: sets of images for tones, which users create, share, sell and activate. */
export function tonePacksApp(services: Services) {
  const store = services.publicImages;
  return groupApp(services, "tone-packs", [
    endpoint(
      "GET /api/tone-packs",
      {
        id: "listTonePacks",
        summary: "List the tone packs that you may see",
        description: `Each pack is in one section only: own, else purchased, else shared, else public. The first page has the packs of the other sections, up to ${MAX_PRIVATE_PACKS}, and \`limit\` public ones; the rest follows on the next pages. A public pack with a price shows its images before you buy it; buying it lets you activate it.`,
        guard: userOrProgram("drops:read"),
        access: "read",
        replica: "shared",
        query: PacksQuery,
        response: PacksResponse,
      },
      ({ tx, actor, query }) => listPacks(tx, store, actor.userId, query),
    ),
    endpoint(
      "GET /api/tone-packs/active",
      {
        id: "readActiveTonePack",
        summary: "Read your active tone pack and the image of a mood",
        guard: userOrProgram("drops:read"),
        access: "read",
        replica: "shared",
        query: ActiveQuery,
        response: ActivePackResponse,
      },
      ({ tx, actor, query }) => readActivePack(tx, store, actor.userId, query.mood),
    ),
    endpoint(
      "GET /api/tone-packs/:id",
      {
        id: "readTonePack",
        summary: "Read a tone pack",
        guard: userOrProgram("drops:read"),
        access: "read",
        replica: "shared",
        params: { id: TonePackId },
        response: PackResponse,
        errors: ["tone_pack.not_found"],
      },
      async ({ tx, actor, params }) => ({ tone_pack: await readPack(tx, store, actor.userId, params.id) }),
    ),
    endpoint(
      "POST /api/tone-packs",
      {
        id: "createTonePack",
        summary: "Create a tone pack",
        guard: userOrProgram("drops:write"),
        body: NewTonePack,
        status: 201,
        response: PackResponse,
      },
      async ({ tx, actor, body }) => ({ tone_pack: await createPack(tx, store, actor.userId, body) }),
    ),
    endpoint(
      "PUT /api/tone-packs/:id",
      {
        id: "updateTonePack",
        summary: "Update a tone pack (owner)",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        body: TonePackUpdate,
        response: PackResponse,
        errors: ["tone_pack.not_yours", "tone_pack.not_found"],
      },
      async ({ tx, actor, params, body }) => ({
        tone_pack: await updatePack(tx, store, actor.userId, params.id, body),
      }),
    ),
    endpoint(
      "DELETE /api/tone-packs/:id",
      {
        id: "deleteTonePack",
        summary: "Delete a tone pack (owner)",
        description: "Users who bought it keep it.",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        response: MessageResponse,
        errors: ["tone_pack.not_yours", "tone_pack.not_found"],
      },
      async ({ tx, params }) => {
        await deletePack(tx, params.id);
        return { message: "The tone pack was deleted." };
      },
    ),
    endpointInSteps(
      "POST /api/tone-packs/:id/generate-images",
      {
        id: "generateTonePackImages",
        summary: "Generate images for tones of a pack (owner)",
        description:
          "If a tone already has an image, it is replaced. Some tones may fail while others succeed; 422 if the model refuses all of them.",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        body: ImageRequest,
        quota: { name: "tone_pack_images", units: ({ body }) => body.tones.length },
        response: ImagesResponse,
        errors: [
          "tone_pack.not_yours",
          "tone_pack.not_found",
          "ai.refused",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      async ({ commit, actor, params, body }) => {
        const { theme } = await commit(async (tx) => {
          const pack = await lockOwnPack(tx, params.id);
          configured(services.ai);
          configured(store);
          return pack;
        });
        return drawImages(services, commit, { packId: params.id, ownerId: actor.userId, theme, ...body });
      },
    ),
    endpointInSteps(
      "POST /api/tone-packs/:id/share",
      {
        id: "shareTonePack",
        summary: "Share a tone pack with a user (owner)",
        description: "If you share by email address, the response does not say who the user is: `user_id` is null.",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        body: NewShare,
        quota: { name: "tone_pack_share", counted: "by the handler" },
        response: ShareResponse,
        errors: ["tone_pack.self_share", "tone_pack.not_yours", "user.not_found", "tone_pack.not_found"],
      },
      async ({ commit, respond, actor, params, body }) => {
        // An attempt with an address counts even if sharing fails.
        if (body.email !== undefined) await commit((tx) => countShareByAddress(tx, params.id));
        return respond((tx) => sharePack(tx, actor.userId, params.id, body));
      },
    ),
    endpoint(
      "GET /api/tone-packs/:id/shares",
      {
        id: "listTonePackShares",
        summary: "List who a tone pack is shared with (owner)",
        description: "Newest first. A share by email address has the address, and not who the user is.",
        guard: userOrProgram("drops:read"),
        access: "read",
        replica: "shared",
        params: { id: TonePackId },
        query: PageQuery,
        response: SharesResponse,
        errors: ["tone_pack.not_yours", "tone_pack.not_found"],
      },
      ({ tx, params, query }) => listShares(tx, params.id, query),
    ),
    endpoint(
      "DELETE /api/tone-packs/:id/share/:userId",
      {
        id: "unshareTonePack",
        summary: "End a share of a tone pack (owner or recipient)",
        description:
          "`userId` is the id of the user, and ends every share of the pack with them, also one by their email address. If you own the pack, you can send the `id` of a share instead. If the pack is shared with you, send your own user id.",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId, userId: RecipientOrShareId },
        response: MessageResponse,
        errors: ["tone_pack.not_yours", "tone_pack.not_found", "tone_pack.share_not_found"],
      },
      async ({ tx, actor, params }) => {
        await unsharePack(tx, actor.userId, params.id, params.userId);
        return { message: "The tone pack is not shared any more." };
      },
    ),
    endpoint(
      "POST /api/tone-packs/:id/activate",
      {
        id: "activateTonePack",
        summary: "Make a tone pack your active one",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        response: ActivationResponse,
        errors: ["tone_pack.not_purchased", "tone_pack.not_found"],
      },
      async ({ tx, params }) => {
        await activatePack(tx, params.id);
        return { message: "The tone pack is active.", active_tone_pack_id: params.id };
      },
    ),
    endpoint(
      "POST /api/tone-packs/:id/purchase",
      {
        id: "purchaseTonePack",
        summary: "Buy a tone pack with drops",
        guard: userOrProgram("drops:write"),
        params: { id: TonePackId },
        body: PurchaseRequest,
        status: 201,
        response: PurchaseResponse,
        errors: [
          "tone_pack.own_pack",
          "drops.insufficient_balance",
          "tone_pack.not_found",
          "tone_pack.already_purchased",
          "tone_pack.price_changed",
        ],
      },
      ({ tx, params, body }) => purchasePack(tx, params.id, body.expected_price_drops),
    ),
  ]);
}
