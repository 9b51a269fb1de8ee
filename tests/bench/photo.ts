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
const CHECK_IN = "/api/workout-window/checkin";

/** Compares a check-in and a picture of an entry with the least work that they need: decoding and encoding it in the stored size. */
export async function photoFigures(run: Run): Promise<Figure[]> {
  run.note("players, and a photo of 12 megapixels for each");
  const database = await filledDatabase(run, "photo", async (client) => {
    await fillPeople(client, ROUNDS + 1);
    await fillGame(client, { date: DATE, start: "06:00", checkedInUntil: "2026-01-01" });
    await client.query(
      `insert into nectar.journal_entries (id, user_id, title, metadata_audience_id, content_audience_id)
         select id, id, 'Entry', id, id from people;
       insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
         select id, id, 'Text', id, id from people`,
    );
  });
  await allowAnyMoment(database.adminUrl);
  await using store = await temporaryFileStore();
  await using services = servicesOn(database, store.environment, () => new Date(`${DATE}T07:00:00Z`));
  const fetch = routeToGroups(services);
  const photos: Buffer[] = [];
  const requests: Request[] = [];
  const additions: Request[] = [];
  for (let round = 0; round <= sized(ROUNDS); round += 1) {
    const photo = await phonePhoto(round);
    photos.push(photo);
    const person = personWithNumber(round + 1);
    const token = await tokenFor({ sub: person });
    requests.push(
      formWith({ activityType: "walk", latitude: "47.4", longitude: "8.5" }, "photo", photo, CHECK_IN, token),
    );
    additions.push(formWith({ entry_id: person }, "picture", photo, "/api/pictures", token));
  }
  const compared = (name: string, atMost: number, sent: readonly Request[], side: number) => {
    const [sending, reencoding] = [sent.values(), photos.values()];
    return compare({
      name: `${name} of a phone's photo of 12 megapixels / decoding and encoding it with sharp alone`,
      bar: { atMost },
      rounds: ROUNDS,
      ours: () =>
        timed(async () => {
          const { value: request } = sending.next();
          if (request === undefined) throw new Error("There are too few people.");
          const response = await fetch(request);
          if (response.status !== 201) throw new Error(`A photo was not accepted: ${await response.text()}`);
        }),
      theirs: () => timed(() => reencode(reencoding.next().value, side)),
    });
  };
  run.note("checking in, adding pictures, and sharp alone");
  return [
    await compared("check-in", 1.7, requests, 1_600),
    await compared("picture of an entry", 1.5, additions, 2_048),
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

/** A form as an app would send it. @param field the name of the photo */
function formWith(
  fields: Readonly<Record<string, string>>,
  field: string,
  photo: Buffer,
  path: string,
  token: string,
): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set(field, new Blob([new Uint8Array(photo)]), "photo.jpg");
  const headers = { authorization: `Bearer ${token}` };
  return new Request(`http://nectar.bench${path}`, { method: "POST", headers, body });
}

/** Encodes a photo in the same size and quality, upright, and nothing else. */
async function reencode(photo: Buffer | undefined, side: number): Promise<void> {
  await sharp(photo)
    .autoOrient()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();
}
