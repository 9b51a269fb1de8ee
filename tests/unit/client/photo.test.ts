import { describe, expect, test } from "vitest";
import { refusal, scripted } from "./scripted.ts";

const LARGE = 4_000_001;
const address = { uploadUrl: "https://files.test/photo?signature=1", photoKey: "uploads/1" };
const checkedIn = Response.json({ checkin: {} }, { status: 201 });

function photo(firstBytes: readonly number[], size: number, type = ""): Blob {
  const bytes = new Uint8Array(size);
  bytes.set(firstBytes);
  return new Blob([bytes], { type });
}

describe("a check-in with a photo", () => {
  test("sends a small photo with the check-in", async () => {
    const { nectar, sent } = scripted([checkedIn]);
    await nectar.checkIn({ photo: photo([0xff, 0xd8], LARGE - 1), activityType: "walk" });
    expect(sent.map(({ url }) => url)).toEqual(["https://api.test/api/workout-window/checkin"]);
  });

  test("uploads a large one first, without the token, and sends its key", async () => {
    const { nectar, sent } = scripted([Response.json(address), refusal(503, "x"), new Response(), checkedIn]);
    await nectar.checkIn({ photo: photo([0xff, 0xd8], LARGE), activityType: "walk" }, { idempotencyKey: "mine" });
    expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([
      "POST https://api.test/api/workout-window/checkin/upload-url",
      `PUT ${address.uploadUrl}`,
      `PUT ${address.uploadUrl}`,
      "POST https://api.test/api/workout-window/checkin",
    ]);
    expect(sent[0]?.init.body).toBe(`{"contentType":"image/jpeg","size":${LARGE}}`);
    expect(sent[0]?.headers.get("idempotency-key")).not.toBe("mine");
    expect(sent[1]?.headers.get("authorization")).toBeNull();
    expect(sent[1]?.headers.get("content-type")).toBe("image/jpeg");
    expect(sent[3]?.headers.get("idempotency-key")).toBe("mine");
    const form = sent[3]?.init.body;
    expect(form instanceof FormData && [...form]).toEqual([
      ["activityType", "walk"],
      ["photoKey", "uploads/1"],
    ]);
  });

  test("is the same for a picture of an entry", async () => {
    const upload = { upload_url: address.uploadUrl, picture_key: "uploads/2" };
    const added = Response.json({ picture: {} }, { status: 201 });
    const small = scripted([added]);
    await small.nectar.addPicture({ picture: photo([0x89], 1), entry_id: "e" });
    expect(small.sent.map(({ url }) => url)).toEqual(["https://api.test/api/pictures"]);
    const { nectar, sent } = scripted([
      Response.json(upload),
      new Response(),
      Response.json({ picture: {} }, { status: 201 }),
    ]);
    await nectar.addPicture({ picture: photo([0x89], LARGE), entry_id: "e", caption: "c" }, { idempotencyKey: "mine" });
    expect(sent[0]?.init.body).toBe(`{"content_type":"image/png","size":${LARGE}}`);
    expect(sent.map(({ headers }) => headers.get("idempotency-key") === "mine")).toEqual([false, false, true]);
    const form = sent[2]?.init.body;
    expect(form instanceof FormData && [...form]).toEqual([
      ["entry_id", "e"],
      ["caption", "c"],
      ["picture_key", "uploads/2"],
    ]);
  });

  test.each([
    ["image/heif", [], "image/heif"],
    ["", [0xff, 0xd8], "image/jpeg"],
    ["", [0x89, 0x50], "image/png"],
    ["", [0x52, 0x49], "image/webp"],
    ["", [0x00, 0x00], "image/heic"],
  ])("uploads a photo of type '%s' that starts with %o as %s", async (type, bytes, contentType) => {
    const { nectar, sent } = scripted([Response.json(address), new Response(), checkedIn]);
    await nectar.checkIn({ photo: photo(bytes, LARGE, type), activityType: "walk" });
    expect(sent[1]?.headers.get("content-type")).toBe(contentType);
  });

  test("does not check in if the file store refuses the photo", async () => {
    const { nectar, sent } = scripted([Response.json(address), new Response("<Error/>", { status: 403 })]);
    await expect(nectar.checkIn({ photo: photo([], LARGE), activityType: "walk" })).rejects.toMatchObject({
      code: "client.upload_refused",
      status: 403,
    });
    expect(sent).toHaveLength(2);
  });
});
