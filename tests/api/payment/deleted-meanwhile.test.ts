import { it } from "vitest";
import { paymentApp } from "#functions/payment/app";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import type { Person } from "#tests/people";

const api = useApi();
const RETURN_URL = "https://app.nectar.test/account";

/** Sends a request while whose call to the payment processor the account is deleted. */
function sendWhileDeleted(person: Person, path: string, body: object) {
  const remove = () => api.query`delete from auth.users where id = ${person.id}`;
  const payments = {
    createCheckout: async () => {
      await remove();
      return { sessionId: "cs_1", url: "https://pay.test/1" };
    },
    listPrices: async () => [],
    cancelSubscription: async () => {},
    createPortal: async () => {
      await remove();
      return { url: "https://pay.test/1" };
    },
  };
  return clientOf(paymentApp({ ...api.services, payments }).fetch).post(path, person, body);
}

it("a user whose account is deleted while the checkout is created gets no payment page", async () => {
  const body = { priceId: "price_any", successUrl: RETURN_URL, cancelUrl: RETURN_URL };
  const path = "/api/payment/create-checkout-session";
  await sendWhileDeleted(await api.person(), path, body).refused(401, "auth.unknown_account");
});

it("a user whose account is deleted while the portal is opened gets no portal", async () => {
  const person = await api.person();
  await api.query`insert into nectar.subscriptions
      (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id, created_at)
    values (${person.id}, 'cus_1', 'sub_1', 'active', now(), 2, 'evt_1', now())`;
  const path = "/api/payment/create-portal-session";
  await sendWhileDeleted(person, path, { returnUrl: RETURN_URL }).refused(401, "auth.unknown_account");
});
