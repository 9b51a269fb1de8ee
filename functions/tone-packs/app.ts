import type { Tx } from "@nectar/database/database";
import { consumeQuota } from "@nectar/database/quota";
import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondInPhases, respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
import { activatePack, countShareByAddress, purchasePack, sharePack, unsharePack } from "./access.ts";
import { drawImages, requireImageTools } from "./images.ts";
import { createPack, deletePack, listPacks, lockOwnPack, readActivePack, readPack, updatePack } from "./packs.ts";
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
  ShareParams,
  ShareResponse,
  TonePackUpdate,
} from "./schema.ts";

/** Tone packs: images for tones, made, shared, sold and activated. */
export function tonePacksApp(services: Services) {
  const store = services.publicImages;
  return createApp(services)
    .get(
      "/api/tone-packs",
      describe({
        summary: "List the tone packs that the caller may see",
        description:
          "Each pack is in one section only: own, else purchased, else shared, else public. The first page holds the packs of the other sections, up to 500, and `limit` public ones; what does not fit follows on the next pages. A priced public pack shows its images before it is bought: a purchase is what lets you activate the pack.",
        response: PacksResponse,
      }),
      user,
      query(PacksQuery),
      async (c) => {
        const { userId } = c.var.actor;
        return answer(c, 200, await c.var.asUser((tx) => listPacks(tx, store, userId, c.req.valid("query"))));
      },
    )
    .get(
      "/api/tone-packs/active",
      describe({ summary: "Read one's active tone pack, and the image of a mood", response: ActivePackResponse }),
      user,
      query(ActiveQuery),
      async (c) => {
        const { mood } = c.req.valid("query");
        return answer(c, 200, await c.var.asUser((tx) => readActivePack(tx, store, c.var.actor.userId, mood)));
      },
    )
    .get(
      "/api/tone-packs/:id",
      describe({ summary: "Read one tone pack", response: PackResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const pack = await c.var.asUser((tx) => readPack(tx, store, c.var.actor.userId, id));
        return answer(c, 200, { tone_pack: pack });
      },
    )
    .post(
      "/api/tone-packs",
      describe({ summary: "Create a tone pack", status: 201, response: PackResponse, errors: [409] }),
      user,
      json(NewTonePack),
      (c) =>
        respondOnce(c, 201, async (tx) => ({
          tone_pack: await createPack(tx, store, c.var.actor.userId, c.req.valid("json")),
        })),
    )
    .put(
      "/api/tone-packs/:id",
      describe({ summary: "Change a tone pack (owner)", response: PackResponse, errors: [403, 404] }),
      user,
      json(TonePackUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const { userId } = c.var.actor;
        const pack = await c.var.asUser((tx) => updatePack(tx, store, userId, id, c.req.valid("json")));
        return answer(c, 200, { tone_pack: pack });
      },
    )
    .delete(
      "/api/tone-packs/:id",
      describe({
        summary: "Delete a tone pack (owner); its buyers keep it",
        response: MessageResponse,
        errors: [403, 404],
      }),
      user,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deletePack(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The tone pack was deleted." });
      },
    )
    .post(
      "/api/tone-packs/:id/generate-images",
      describe({
        summary: "Have images drawn for tones of a pack (owner)",
        description: "An image that a tone has already is replaced. Some tones may fail while others succeed.",
        response: ImagesResponse,
        errors: [403, 404, 409, 429, 500, 503],
      }),
      user,
      json(ImageRequest),
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        const request = c.req.valid("json");
        const { userId } = c.var.actor;
        return respondInPhases(c, 200, {
          before: async (tx) => {
            const { theme } = await lockOwnPack(tx, id);
            const tools = requireImageTools(services);
            await consumeQuota(tx, "tone_pack_images", request.tones.length);
            return { tools, theme };
          },
          during: ({ tools, theme }) =>
            drawImages(
              { ...tools, clock: services.clock, asOwner: c.var.asUser },
              { packId: id, ownerId: userId, theme },
              request,
            ),
          after: async (_tx, _before, images) => images,
        });
      },
    )
    .post(
      "/api/tone-packs/:id/share",
      describe({
        summary: "Share a tone pack with a user (owner)",
        description:
          "If you share by address, the response does not say who the user is: `user_id` is null. Use the `id` of the share to end it. You can try 30 addresses in a UTC day; addresses without an account count too.",
        response: ShareResponse,
        errors: [403, 404, 409, 429],
      }),
      user,
      json(NewShare),
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        const share = c.req.valid("json");
        const shared = async (tx: Tx) => ({
          message: "The tone pack is shared.",
          share: await sharePack(tx, c.var.actor.userId, id, share),
        });
        if (share.email === undefined) return respondOnce(c, 200, shared);
        return respondInPhases(c, 200, {
          before: (tx) => countShareByAddress(tx, id),
          during: async () => {},
          after: shared,
        });
      },
    )
    .delete(
      "/api/tone-packs/:id/share/:userId",
      describe({
        summary: "End a share, as owner or as the one it is shared with",
        description:
          "`userId` is the id of the user; the owner of the pack can also pass the `id` of the share. The owner ends a share by address with the `id` of the share; the recipient can end it with their own user id.",
        response: MessageResponse,
        errors: [403, 404],
      }),
      user,
      param(ShareParams),
      async (c) => {
        const { id, userId } = c.req.valid("param");
        await c.var.asUser((tx) => unsharePack(tx, c.var.actor.userId, id, userId));
        return answer(c, 200, { message: "The tone pack is not shared any more." });
      },
    )
    .post(
      "/api/tone-packs/:id/activate",
      describe({
        summary: "Make a tone pack one's active one",
        response: ActivationResponse,
        errors: [402, 404, 409],
      }),
      user,
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 200, async (tx) => {
          await activatePack(tx, id);
          return { message: "The tone pack is active.", active_tone_pack_id: id };
        });
      },
    )
    .post(
      "/api/tone-packs/:id/purchase",
      describe({
        summary: "Buy a tone pack with drops",
        status: 201,
        response: PurchaseResponse,
        errors: [402, 404, 409],
      }),
      user,
      json(PurchaseRequest, { mayBeAbsent: true }),
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 201, (tx) => purchasePack(tx, id, c.req.valid("json").expected_price_drops));
      },
    );
}
