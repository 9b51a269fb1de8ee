import sharp from "sharp";
import { routeToGroups } from "#functions/all";
import { allowAnyMoment } from "#tests/moments";
import { tokenFor } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import { fillPeople, personWithNumber } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { compare, type Figure, type Run, sized, timed } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { temporaryFileStore } from "./processes.ts";

const ROUNDS = 11;
const [WIDTH, HEIGHT] = [4_032, 3_024];
const DATE = "2026-11-18";

/** Compares a check-in with the least work that it needs: decoding the photo and encoding it in the stored size. */
export async function photoFigures(run: Run): Promise<Figure[]> {
  run.note("players, and a photo of 12 megapixels for each");
  const database = await filledDatabase(run, "photo", async (client) => {
    await fillPeople(client, ROUNDS + 1);
    await fillGame(client, { date: DATE, start: "06:00", checkedInUntil: "2026-01-01" });
  });
  await allowAnyMoment(database.adminUrl);
  await using store = await temporaryFileStore();
  await using services = servicesOn(database, store.environment, () => new Date(`${DATE}T07:00:00Z`));
  const fetch = routeToGroups(services);
  const photos: Buffer[] = [];
  const requests: Request[] = [];
  for (let round = 0; round <= sized(ROUNDS); round += 1) {
    const photo = await phonePhoto(round);
    photos.push(photo);
    requests.push(checkInWith(photo, await tokenFor({ sub: personWithNumber(round + 1) })));
  }
  run.note("checking in, and sharp alone");
  const [checkingIn, reencoding] = [requests.values(), photos.values()];
  return [
    await compare({
      name: "check-in of a phone's photo of 12 megapixels / decoding and encoding it with sharp alone",
      bar: { atMost: 1.7 },
      rounds: ROUNDS,
      ours: () =>
        timed(async () => {
          const { value: request } = checkingIn.next();
          if (request === undefined) throw new Error("There are too few players.");
          const response = await fetch(request);
          if (response.status !== 201) throw new Error(`A check-in was not accepted: ${await response.text()}`);
        }),
      theirs: () => timed(() => reencode(reencoding.next().value)),
    }),
  ];
}

/** A photo as phones make it: light that changes slowly, the grain of a sensor, and EXIF; some 4 MB. */
async function phonePhoto(seed: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 58 } as const;
  const grain = { create: { width: WIDTH, height: HEIGHT, channels: 3, background: "grey", noise } } as const;
  const scene = await picture(seed, 504, 378).resize(WIDTH, HEIGHT).png({ compressionLevel: 1 }).toBuffer();
  const grainy = sharp(scene).composite([{ input: grain, blend: "soft-light" }]);
  const camera = { taken: `${DATE.replaceAll("-", ":")} 06:40:00`, offset: "+00:00", gps: [47.4, 8.5] } as const;
  const thumbnail = await picture(seed, 160, 120).jpeg().toBuffer();
  return jpegWith({ ...camera, make: "Bench", software: "18.1", orientation: 6, thumbnail }, grainy);
}

/** A check-in as an app would send it. */
function checkInWith(photo: Buffer, token: string): Request {
  const body = new FormData();
  body.set("activityType", "walk");
  body.set("latitude", "47.4");
  body.set("longitude", "8.5");
  body.set("photo", new Blob([new Uint8Array(photo)]), "photo.jpg");
  const headers = { authorization: `Bearer ${token}` };
  return new Request("http://nectar.bench/api/workout-window/checkin", { method: "POST", headers, body });
}

/** Encodes a photo in the same size and quality, upright, and nothing else. */
async function reencode(photo: Buffer | undefined): Promise<void> {
  await sharp(photo)
    .autoOrient()
    .resize({ width: 1_600, height: 1_600, fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();
}
