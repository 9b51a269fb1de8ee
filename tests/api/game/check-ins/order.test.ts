import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { cameraTime, jpegWith, picture } from "#tests/photos";
import { leaveQuota } from "#tests/quota";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const scene = checkInsOf(api);
const DAY = "2026-03-04";

/** The problems of a check-in, in the documented order. */
const FAULTS = [
  ["missing", 400, "checkin.missing_photo"],
  ["otherKind", 415, "checkin.unsupported_photo"],
  ["tooLarge", 413, "checkin.photo_too_large"],
  ["badField", 400, "request.invalid"],
  ["noWindow", 404, "game.no_window"],
  ["twice", 409, "checkin.already_checked_in"],
  ["overQuota", 429, "quota.exhausted"],
  ["blank", 400, "checkin.unusable_photo"],
  ["noMoment", 400, "checkin.no_photo_time"],
  ["outside", 400, "checkin.outside_window"],
  ["dayOver", 400, "checkin.too_late"],
] as const;
type Fault = (typeof FAULTS)[number][0];

/** Problems that exclude each other: without a window there is no check-in, without a photo no content, without a time no distance. */
const APART: readonly (readonly [Fault, Fault])[] = [
  ["missing", "otherKind"],
  ["missing", "tooLarge"],
  ["missing", "blank"],
  ["missing", "noMoment"],
  ["missing", "outside"],
  ["noWindow", "twice"],
  ["noWindow", "dayOver"],
  ["noMoment", "outside"],
  // Only the photo tells which date is over.
  ["twice", "dayOver"],
];
const PAIRS = FAULTS.flatMap(([first, status, code], at) =>
  FAULTS.slice(at + 1)
    .filter(([second]) => !APART.some(([a, b]) => a === first && b === second))
    .map(([second]) => ({ first, second, status, code })),
);

let players: { windowless: Person; done: Person; ada: Person } | undefined;
async function cast() {
  if (players === undefined) {
    api.at(`${DAY}T05:00:00Z`);
    players = { windowless: await api.person(), done: await scene.player(6), ada: await scene.player(6) };
    api.at(`${DAY}T06:30:00Z`);
    await scene.checkIn(players.done, await scene.photoAt(`${DAY}T06:20:00Z`)).created();
  }
  return players;
}

async function fileWith(faults: ReadonlySet<Fault>, maxMb: number): Promise<Buffer> {
  const taken = cameraTime(`${DAY}T${faults.has("outside") ? "03" : "06"}:20:00Z`);
  const image = faults.has("blank") ? picture(1).linear(0, 250) : picture(1);
  const photo = await jpegWith(faults.has("noMoment") ? null : { taken, offset: "+00:00" }, image);
  const head = faults.has("otherKind") ? [Buffer.from("PK\u0003\u0004")] : [];
  return Buffer.concat([...head, photo, Buffer.alloc(faults.has("tooLarge") ? maxMb * 1024 * 1024 : 0)]);
}

async function tryWith(faults: ReadonlySet<Fault>, way: "in the form" | "uploaded before") {
  const { windowless, done, ada } = await cast();
  const who = faults.has("noWindow") ? windowless : faults.has("twice") ? done : ada;
  api.at(faults.has("dayOver") ? "2026-03-05T00:00:00Z" : `${DAY}T06:30:00Z`);
  await leaveQuota(api.adminUrl, who, "photo_examination", faults.has("overQuota") ? 0 : 1);
  const fields: Record<string, string> = faults.has("badField") ? { latitude: "1" } : {};
  const file = faults.has("missing") ? null : await fileWith(faults, way === "in the form" ? 4 : 10);
  if (way === "uploaded before") {
    const key = `checkin-uploads/${who.id}/${randomUUID()}`;
    if (file !== null) await api.services.privateFiles?.upload(key, file, "image/jpeg");
    fields.photoKey = key;
  }
  const { status, body } = await scene.checkIn(who, way === "in the form" ? file : null, { fields });
  return [status, body.code];
}

describe("of two problems the first in the documented order is reported", () => {
  it.each(PAIRS)("$first before $second", async ({ first, second, status, code }) => {
    expect(await tryWith(new Set([first, second]), "in the form")).toEqual([status, code]);
  });

  // Other fields are checked before an upload is loaded; one that is too large is not loaded to find its type.
  const uploaded = PAIRS.filter(
    ({ first, second }) =>
      first !== "badField" && second !== "badField" && !(first === "otherKind" && second === "tooLarge"),
  );
  it.each(uploaded)("$first before $second, for an uploaded photo", async ({ first, second, status, code }) => {
    const expected = first === "missing" ? [404, "checkin.photo_not_found"] : [status, code];
    expect(await tryWith(new Set([first, second]), "uploaded before")).toEqual(expected);
  });

  it("nothing is stored for refused requests", async () => {
    const { ada, windowless } = await cast();
    expect([...(await scene.stored(ada)), ...(await scene.stored(windowless))]).toEqual([]);
    expect(await scene.photos(ada)).toEqual([]);
  });
});
