import { describe, expect, test } from "vitest";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { verifyEmailEvent } from "#providers/email";

const SECRET = `whsec_${Buffer.from("the secret of the mail tests").toString("base64")}`;

describe("the signature of a mail event", () => {
  const body = JSON.stringify({ type: "email.sent", data: {} });
  /** Seconds since 1970, read in each test: minutes may pass between the start of this file and a test on a busy machine. */
  const now = () => Math.floor(Date.now() / 1000);
  const signed = (given: { secret?: string; at?: number; of?: string } = {}) => {
    const headers = svixHeaders(given.of ?? body, given.secret ?? SECRET, "msg_1", given.at ?? now());
    return { body, id: headers["svix-id"], timestamp: headers["svix-timestamp"], signature: headers["svix-signature"] };
  };

  test("is valid five minutes before and after its time, also among other signatures", async () => {
    const good = signed();
    await verifyEmailEvent(SECRET, good);
    await verifyEmailEvent(SECRET, signed({ at: now() - 240 }));
    await verifyEmailEvent(SECRET, signed({ at: now() + 280 }));
    await verifyEmailEvent(SECRET, { ...good, signature: `v1,AAAA v2,BBBB ${good.signature}` });
  });

  test.each([
    ["too old", () => signed({ at: now() - 310 })],
    ["from the future", () => signed({ at: now() + 360 })],
    ["of another secret", () => signed({ secret: `whsec_${Buffer.from("another").toString("base64")}` })],
    ["of another body", () => signed({ of: `${body} ` })],
    ["for another id", () => ({ ...signed(), id: "msg_2" })],
    ["for another time", () => ({ ...signed(), timestamp: String(now() - 1) })],
    ["missing", () => ({ ...signed(), signature: undefined })],
    ["without an id", () => ({ ...signed(), id: undefined })],
    ["without a time", () => ({ ...signed(), timestamp: undefined })],
    ["of another version", () => ({ ...signed(), signature: String(signed().signature).replace("v1,", "v2,") })],
    ["without a value", () => ({ ...signed(), signature: "v1" })],
    ["empty", () => ({ ...signed(), signature: "v1," })],
    ["nonsense", () => ({ ...signed(), signature: "nonsense" })],
    ["with an invalid time", () => ({ ...signed(), timestamp: "now" })],
  ])("is refused when it is %s", async (_, given) => {
    await expect(verifyEmailEvent(SECRET, given())).rejects.toMatchObject({ code: "email.invalid_signature" });
  });

  test("cannot be checked with an invalid secret, which is our mistake and not the provider's", async () => {
    await expect(verifyEmailEvent("whsec_§§§", signed())).rejects.toMatchObject({ code: "provider.not_configured" });
  });
});
