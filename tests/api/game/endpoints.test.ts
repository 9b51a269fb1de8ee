import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { CRON_SECRET, GAME } from "./chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const user = beforeTests(() => api.person());
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));

it("the list of check-ins to review refuses an unknown status", async () => {
  await api.get(`${GAME}/admin/checkins?status=completed`, superAdmin).invalid("status");
});

it.each(["chain", "squad", "team-stats", "checkin", "checkins", "mosaic", "battle/week", "admin/teams"])(
  "a date of %s is valid if there are dates after it",
  async (path) => {
    const dates = { "9999-12-31": false, "2026-02-30": false, "0001-01-01": true, "9999-12-20": true };
    for (const [date, isDate] of Object.entries(dates)) {
      const { status, body } = await api.get(`${GAME}/${path}/${date}`, superAdmin);
      expect(status, date).toBeLessThan(500);
      expect(body.code === "request.invalid", date).toBe(!isDate);
    }
  },
);

it.each(['name="activityType"', "name=activityType", "name = activityType; x=y"])(
  "a form may name a field by %s",
  async (name) => {
    const body = `--b\r\ncontent-disposition: form-data; ${name}\r\n\r\nwalk\r\n--b--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const sent = api.send("POST", `${GAME}/checkin`, { as: user, headers, body });
    expect((await sent.refused(400, "checkin.missing_photo")).issues).toMatchObject([{ path: "photo" }]);
  },
);

it.each([
  'filename="a; name=b.jpg"; name="photo"',
  'filename="a\\"; name=\\"b.jpg"; name=photo',
  "name=photo; FILENAME*=UTF-8''a",
])("a form may have a file by %s", async (parameters) => {
  const body = `--b\r\ncontent-disposition: form-data; ${parameters}\r\n\r\nno photo\r\n--b--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  await api.send("POST", `${GAME}/checkin`, { as: user, headers, body }).refused(415, "checkin.unsupported_photo");
});

it("without a file store, what needs one is 503 before anything is done", async () => {
  const scheduler = { headers: { "x-cron-secret": CRON_SECRET } };
  for (const response of [
    api.post(`${GAME}/checkin/upload-url`, user, { contentType: "image/jpeg", size: 1_000 }),
    api.send("POST", `${GAME}/mosaic/generate/2026-11-21`, scheduler),
  ]) {
    await response.refused(503, "provider.not_configured");
  }
  expect((await api.send("POST", `${GAME}/cron/mosaics`, scheduler).ok()).results).toEqual({ queued: 0 });
});
