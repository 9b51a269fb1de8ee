import { stripeSignature } from "#local/stand-ins/webhooks";
import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

// Drops, what they buy, and encouragement.

export async function visitDrops({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readDropsBalance", { token });
  await call("listDropTransactions", { token });
  await call("awardMonthlyDrops", { token });
}

export async function visitTonePacks({ call, person }: Stop): Promise<void> {
  const [{ token }, hana] = [await person("demo"), await person("hana")];
  await call("listTonePacks", { token });
  await call("readActiveTonePack", { token, query: { mood: "joyful" } });
  const created = await call("createTonePack", {
    token,
    body: { name: "Tram Windows", description: "Rain, from the inside.", theme: "minimalist", price_drops: 10 },
  });
  const id = textAt(created, "tone_pack.id");
  await call("generateTonePackImages", { token, params: { id }, body: { tones: ["calm"] } });
  await call("readTonePack", { token, params: { id } });
  await call("updateTonePack", { token, params: { id }, body: { is_public: true } });
  await call("shareTonePack", { token, params: { id }, body: { user_id: hana.id } });
  await call("listTonePackShares", { token, params: { id } });
  await call("unshareTonePack", { token, params: { id, userId: hana.id } });
  await call("purchaseTonePack", { token: hana.token, params: { id }, body: { expected_price_drops: 10 } });
  await call("activateTonePack", { token: hana.token, params: { id } });
  await call("deleteTonePack", { token, params: { id } });
}

export async function visitPayment({ call, person, options }: Stop): Promise<void> {
  const [{ token, id }, maya] = [await person("demo"), await person("maya")];
  await call("listPrices", { token: maya.token });
  await call("readSubscription", { token: maya.token });
  await call("createCheckoutSession", {
    token,
    body: {
      priceId: "price_premium_monthly",
      successUrl: "https://app.example.test/welcome",
      cancelUrl: "https://app.example.test/plans",
    },
  });
  await call("createPortalSession", { token: maya.token, body: { returnUrl: "https://app.example.test/settings" } });
  const event = {
    id: "evt_example",
    type: "customer.subscription.updated",
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: "sub_example", customer: "cus_example", status: "active", metadata: { user_id: id } } },
  };
  const signature = stripeSignature(JSON.stringify(event), options.paymentSecret);
  await call("receivePaymentEvent", { body: event, headers: { "stripe-signature": signature } });
}

export async function visitEncouragement({ call, person }: Stop): Promise<void> {
  const [{ token }, leila] = [await person("demo"), await person("leila")];
  await call("readDropAllowance", { token });
  await call("listDropTemplates", { token });
  await call("sendEncouragementDrop", {
    token,
    body: { recipient_id: leila.id, drop_type: "encouragement", content: "One comment a day is a pace." },
  });
  const received = await call("listReceivedDrops", { token });
  await call("listSentDrops", { token });
  await call("markDropRead", { token, params: { id: textAt(received, "drops.0.id") } });
  await call("readDropConfig", { token });
}

export async function visitDropTemplates({ call, person }: Stop): Promise<void> {
  const { token } = await person("admin");
  await call("listAllDropTemplates", { token });
  const created = await call("createDropTemplate", {
    token,
    body: { type: "encouragement", title: "Small steps", content: "A small step is a step.", is_approved: true },
  });
  const id = textAt(created, "template.id");
  await call("updateDropTemplate", { token, params: { id }, body: { title: "A small step" } });
  await call("deleteDropTemplate", { token, params: { id } });
  await call("readDropConfigAsAdmin", { token });
  await call("updateDropConfig", { token, body: { daily_allowance: 5 } });
  await call("processEngagement", { token });
}

export async function visitBadges({ call, person }: Stop): Promise<void> {
  const [{ token }, leila, priya] = [await person("demo"), await person("leila"), await person("priya")];
  await call("updateBadge", { token });
  await call("readBadge", { token });
  await call("listBadgeMilestones", { token });
  await call("readBadgeOfUser", { token, params: { userId: leila.id } });
  await call("readBadges", { token, body: { user_ids: [leila.id, priya.id] } });
  await call("readLeaderboard", { token });
  await call("listBadgeDefinitions", { token });
}
