import { describe, expect, test } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { nectarOf } from "#tests/nectar";
import { cameraTime, jpegWith, picture } from "#tests/photos";
import { beforeTests } from "#tests/prepare";

const api = useApi({ environment: await useFileStore() });
const ada = beforeTests(() => api.person());

describe("the client", () => {
  test("writes once when the response of the first attempt was lost", async () => {
    let attempts = 0;
    const replayed: (string | null)[] = [];
    const nectar = nectarOf(api, ada, (response) => {
      attempts += 1;
      if (attempts === 1) throw new TypeError("The connection was lost.");
      replayed.push(response.headers.get("idempotent-replayed"));
      return response;
    });
    const { entry } = await nectar.journal.createEntry({ title: "Once", content: "Only once" });
    const { entries } = await nectar.journal.listEntries({ q: "Only once" });
    expect(entries.map(({ id }) => id)).toEqual([entry.id]);
    expect(replayed[0]).toBe("true");
  });

  test("writes a form once as well, though its boundary differs from attempt to attempt", async () => {
    api.at("2026-03-04T05:00:00Z");
    const ben = await api.person();
    const boundaries: string[] = [];
    const nectar = nectarOf(api, ben, (response, { url, headers }) => {
      if (!url.endsWith("/checkin")) return response;
      boundaries.push(headers.get("content-type") ?? "");
      if (boundaries.length === 1) throw new TypeError("The connection was lost.");
      return response;
    });
    const window = { activityType: "walk", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "UTC" } as const;
    await nectar.workoutWindow.set(window);
    api.at("2026-03-04T06:30:00Z");
    const photo = await jpegWith({ taken: cameraTime("2026-03-04T06:20:00Z"), offset: "+00:00" }, picture(1));
    const { checkin } = await nectar.checkIn({ photo: new Blob([new Uint8Array(photo)]), activityType: "walk" });
    expect(checkin.status).toBe("verified");
    expect(new Set(boundaries).size).toBe(2);
  });

  test("checks in with a photo that is too large for a request", async () => {
    api.at("2026-03-04T05:00:00Z");
    const cleo = await api.person();
    const paths: string[] = [];
    const nectar = nectarOf(api, cleo, (response, { url }) => {
      paths.push(new URL(url).pathname);
      return response;
    });
    const window = { activityType: "walk", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "UTC" } as const;
    await nectar.workoutWindow.set(window);
    api.at("2026-03-04T06:30:00Z");
    const photo = await jpegWith({ taken: cameraTime("2026-03-04T06:20:00Z"), offset: "+00:00" }, picture(2));
    // Bytes after the end of a JPEG are ignored.
    const large = new Blob([new Uint8Array(photo), new Uint8Array(5_000_000)], { type: "image/jpeg" });
    const { checkin } = await nectar.checkIn({ photo: large, activityType: "walk" });
    expect(checkin.status).toBe("verified");
    expect(paths.slice(1)).toEqual(["/api/workout-window/checkin/upload-url", "/api/workout-window/checkin"]);
  });

  test("reads all pages of a list, each item once", async () => {
    const dana = await api.person();
    const nectar = nectarOf(api, dana);
    const titles = ["one", "two", "three", "four", "five"];
    for (const title of titles) await nectar.goals.create({ title });
    const read: string[] = [];
    for await (const { title } of nectar.goals.list({ limit: 2 })) read.push(title);
    expect(read).toEqual(titles.toReversed());
    const pages = [];
    for await (const { goals } of nectar.goals.list({ limit: 2 }).pages()) pages.push(goals.length);
    expect(pages).toEqual([2, 2, 1]);
  });

  test("has the problems of a request, its code and its id", async () => {
    const nectar = nectarOf(api, ada);
    await expect(nectar.journal.createEntry({ title: " ", content: "" })).rejects.toMatchObject({
      name: "NectarError",
      status: 400,
      code: "request.invalid",
      issues: [{ path: "title" }, { path: "content" }],
      requestId: expect.stringMatching(/./),
    });
    const signedOut = nectarOf(api, { token: "not-a-token" });
    await expect(signedOut.user.readProfile()).rejects.toMatchObject({ status: 401, code: "auth.invalid_token" });
  });

  test("returns the text of an image, and throws its problems", async () => {
    const nectar = nectarOf(api, ada);
    const { text } = await api.get("/api/journal/mood-calendar.svg?year=2025", ada);
    expect(await nectar.journal.drawMoodCalendar({ year: 2025 })).toBe(text);
    await expect(nectar.journal.drawMoodCalendar({ year: 0 })).rejects.toMatchObject({
      status: 400,
      code: "request.invalid",
      issues: [{ path: "year" }],
    });
  });

  test("changes, reads and deletes what it wrote", async () => {
    const nectar = nectarOf(api, ada);
    const { goal } = await nectar.goals.create({ title: "Run" });
    expect((await nectar.goals.update({ id: goal.id, title: "Run far" })).goal.title).toBe("Run far");
    expect((await nectar.goals.read({ id: goal.id })).goal.title).toBe("Run far");
    await nectar.goals.delete({ id: goal.id });
    await expect(nectar.goals.read({ id: goal.id })).rejects.toMatchObject({ status: 404, code: "goal.not_found" });
  });
});
