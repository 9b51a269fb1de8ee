import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { jpegWith, picture } from "#tests/photos";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: { ...(await useFileStore()), CHECKIN_MISSING_EXIF: "review" } });
const { checkIn, photos, player } = checkInsOf(api);

it("accepts a photo without a time as taken now, for review, if configured", async () => {
  api.at("2026-03-04T05:00:00Z");
  const ada = await player(6);
  api.at("2026-03-04T08:15:01Z");
  const photo = await jpegWith(null, picture(1));
  await checkIn(ada, photo).refused(400, "checkin.outside_window");
  api.at("2026-03-04T06:10:00Z");
  const body = await checkIn(ada, photo).created();
  expect(body).toMatchObject({ battleChipsEarned: 0, checkin: { status: "pending", photo_timestamp: null } });
  expect((await photos(ada))[0]?.flags).toEqual(["no_photo_time"]);
});
