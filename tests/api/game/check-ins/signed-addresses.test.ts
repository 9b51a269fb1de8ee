import { afterEach, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { beforeTests } from "#tests/prepare";
import { checkInsOf } from "../photo-scene.ts";

const DAY = "2026-03-04";
const WRONG_SIGNATURE = { status: 403, code: "SignatureDoesNotMatch" };
const QUARTER_MS = 15 * 60_000;
/** How far the clock of the store is ahead of ours. */
let aheadMs = 0;
const api = useApi({ environment: await useFileStore(() => new Date(Date.now() + aheadMs)) });
const scene = checkInsOf(api);

/** A photo with the addresses that the API gives out for it. */
const photo = beforeTests(async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await scene.player(6);
  api.at(`${DAY}T06:30:00Z`);
  const bytes = await scene.photoAt(`${DAY}T06:20:00Z`);
  const request = { contentType: "image/jpeg" as const, size: bytes.length };
  const { uploadUrl } = await api.post("/api/workout-window/checkin/upload-url", ada, request).created();
  const { checkin } = await scene.checkIn(ada, bytes).created();
  return { bytes, uploadUrl, downloadUrl: checkin.photo_url ?? "" };
});
afterEach(() => {
  aheadMs = 0;
});

function put(url: string, body: Uint8Array, contentType = "image/jpeg"): Promise<Response> {
  return fetch(url, { method: "PUT", body: new Uint8Array(body), headers: { "content-type": contentType } });
}

/** The addresses that differ from a signed one in one place, and the code with which S3 refuses each. */
function forgeries(url: string): [url: string, code: string][] {
  const swapped = (text: string) => (text.endsWith("0") ? "1" : "0");
  return [
    [url.replace(/.(?=\?)/, swapped), "SignatureDoesNotMatch"],
    [url.replace(/(?<=X-Amz-Signature=\w{63})\w/, swapped), "SignatureDoesNotMatch"],
    [url.replace("X-Amz-Expires=900", "X-Amz-Expires=9000"), "SignatureDoesNotMatch"],
    [url.replace("X-Amz-Credential=", "X-Amz-Credential=another-"), "InvalidAccessKeyId"],
    [url.replace(/&X-Amz-Signature=\w+/, ""), "SignatureDoesNotMatch"],
    [url.replace(/\?.*/, ""), "AccessDenied"],
  ];
}

async function refusal(response: Response) {
  const xml = await response.text();
  const textOf = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(xml)?.[1];
  return { status: response.status, code: textOf("Code"), message: textOf("Message") };
}

it("the address of an upload takes only the announced type and size, at its own path and with its own signature", async () => {
  const { bytes, uploadUrl } = photo;
  for (const [url, code] of forgeries(uploadUrl)) {
    expect(url).not.toBe(uploadUrl);
    expect(await refusal(await put(url, bytes))).toMatchObject({ status: 403, code });
  }
  expect(await refusal(await put(uploadUrl, bytes, "text/html"))).toMatchObject(WRONG_SIGNATURE);
  expect(await refusal(await put(uploadUrl, bytes.subarray(1)))).toMatchObject(WRONG_SIGNATURE);
  expect(await refusal(await fetch(uploadUrl))).toMatchObject(WRONG_SIGNATURE);
  expect((await put(uploadUrl, bytes)).status).toBe(200);
});

it("the address of a photo shows only that photo, and cannot be written to", async () => {
  const { bytes, downloadUrl } = photo;
  for (const [url, code] of forgeries(downloadUrl)) {
    expect(url).not.toBe(downloadUrl);
    expect(await refusal(await fetch(url))).toMatchObject({ status: 403, code });
  }
  expect(await refusal(await put(downloadUrl, bytes))).toMatchObject(WRONG_SIGNATURE);
  expect((await fetch(downloadUrl)).status).toBe(200);
});

it("both addresses have expired after a quarter of an hour, and are not valid before they were made", async () => {
  const { bytes, uploadUrl, downloadUrl } = photo;
  const tries = async () => [await refusal(await put(uploadUrl, bytes)), await refusal(await fetch(downloadUrl))];
  aheadMs = QUARTER_MS + 1_000;
  expect(await tries()).toEqual(Array(2).fill({ status: 403, code: "AccessDenied", message: "Request has expired" }));
  aheadMs = -2 * QUARTER_MS;
  expect(await tries()).toEqual(
    Array(2).fill({ status: 403, code: "AccessDenied", message: "Request is not yet valid" }),
  );
});

it("the API's own requests get through although its clock is wrong: the SDK corrects it by the refusal", async () => {
  aheadMs = 2 * QUARTER_MS;
  await api.services.privateFiles?.upload("late.txt", Buffer.from("late"), "text/plain");
  expect(await api.services.privateFiles?.download("late.txt", 10)).toHaveLength(4);
});
