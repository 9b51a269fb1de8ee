import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { heicTaken, hugeJpeg, hugePng, hugeWebp, jpegWith, MARK, picture, pngWith } from "#tests/photos";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { checkIn, photoAt, player, stored } = checkInsOf(api);
const DAY = "2026-03-04";
const camera = { taken: "2026:03:04 06:20:00", offset: "+00:00", gps: [52.5, 13.4] } as const;

async function someone() {
  api.at(`${DAY}T05:00:00Z`);
  const person = await player(6);
  api.at(`${DAY}T06:30:00Z`);
  return person;
}

it("refuses other files, whatever their name and first bytes", async () => {
  const ada = await someone();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"><script>${MARK}</script></svg>`;
  const files: [string, Uint8Array, number, string][] = [
    ["photo.jpg", Buffer.from("PK\u0003\u0004\u0014\0 a ZIP with a name of its own"), 415, "checkin.unsupported_photo"],
    ["photo.svg", Buffer.from(svg), 415, "checkin.unsupported_photo"],
    ["photo.gif", Buffer.from("GIF89a/*\0\0\0\0\0*/=1;alert(1)"), 415, "checkin.unsupported_photo"],
    ["photo.png", Buffer.from(`<html><script>${MARK}</script></html>`), 415, "checkin.unsupported_photo"],
    ["photo.heic", Buffer.from("\0\0\0\u001cftypmp42\0\0\0\0mp42isom"), 415, "checkin.unsupported_photo"],
    ["photo.jpg", Buffer.alloc(0), 400, "checkin.missing_photo"],
    ["photo.jpg", Buffer.from([0xff, 0xd8, 0xff]), 415, "checkin.unsupported_photo"],
    ["photo.jpg", (await jpegWith(camera)).subarray(0, 8_000), 400, "checkin.unusable_photo"],
    ["photo.heic", (await heicTaken("2026:03:04 06:20:00")).subarray(0, 2_000), 400, "checkin.unusable_photo"],
    ["photo.png", hugePng(16_384, 16_384), 400, "checkin.unusable_photo"],
    ["photo.jpg", hugeJpeg(16_384, 16_384), 400, "checkin.unusable_photo"],
    ["photo.webp", hugeWebp(16_383, 16_383), 400, "checkin.unusable_photo"],
    ["screenshot.png", await pngWith(null), 400, "checkin.no_photo_time"],
  ];
  for (const [fileName, bytes, status, code] of files) {
    const response = await checkIn(ada, bytes, { fileName });
    expect([fileName, response.status, response.body.code]).toEqual([fileName, status, code]);
  }
  expect(await stored(ada)).toEqual([]);
});

it("needs a form: a body of another media type is 415", async () => {
  const ada = await someone();
  const { error } = await api
    .post("/api/workout-window/checkin", ada, { activityType: "run" })
    .refused(415, "request.unsupported_media_type");
  expect(error).toContain("multipart/form-data");
});

it("accepts HEIC by the time in it, and stores a JPEG", async () => {
  const ada = await someone();
  const body = await checkIn(ada, await heicTaken("2026:03:04 06:20:00"), { fileName: "IMG_0001.HEIC" }).created();
  expect(body.checkin?.status).toBe("verified");
  expect(body.checkin.photo_timestamp).toBe(`${DAY}T06:20:00.000Z`);
  const kept = Buffer.from(await (await fetch(body.checkin.photo_url ?? "")).arrayBuffer());
  expect(kept.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  expect(kept.includes("Exif")).toBe(false);
});

it.each([
  ["a page", `</html><script>${MARK}</script>`],
  ["an archive", `PK\u0003\u0004${MARK}`],
])("stores only the picture of a file that is also %s", async (_, tail) => {
  const ada = await someone();
  const seed = tail.length;
  const body = await checkIn(ada, Buffer.concat([await jpegWith(camera, picture(seed)), Buffer.from(tail)])).created();
  const kept = Buffer.from(await (await fetch(body.checkin.photo_url ?? "")).arrayBuffer());
  for (const trace of [MARK, "script", "PK\u0003\u0004", "Exif", "GPS"]) expect(kept.includes(trace)).toBe(false);
});

it("accepts a time up to five minutes in the future", async () => {
  const [ada, ben] = [await someone(), await someone()];
  const { error } = await checkIn(ada, await photoAt(`${DAY}T06:35:01Z`)).refused(400, "checkin.outside_window");
  expect(error).toBe("The photo says that it was taken in the future.");
  await checkIn(ben, await photoAt(`${DAY}T06:35:00Z`)).created();
});

it("accepts both coordinates or none, and only valid ones", async () => {
  const ada = await someone();
  const photo = await photoAt(`${DAY}T06:20:00Z`);
  const wrong: Record<string, string>[] = [
    { latitude: "1" },
    { longitude: "1" },
    { latitude: "90.1", longitude: "1" },
    { latitude: "1", longitude: "-180.1" },
    { latitude: "north", longitude: "1" },
  ];
  for (const fields of wrong) await checkIn(ada, photo, { fields }).refused(400, "request.invalid");
  // An empty field counts as missing.
  const { body } = await checkIn(ada, photo, { fields: { latitude: "", longitude: "" } });
  expect([body.checkin?.location_lat, body.checkin?.location_lng]).toEqual([null, null]);
});
