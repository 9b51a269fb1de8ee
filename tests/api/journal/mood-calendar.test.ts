import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const PATH = "/api/journal/mood-calendar.svg";
const draw = async (query = "") => (await api.get(`${PATH}${query}`, ada)).text;

describe(`GET ${PATH}`, () => {
  it("draws the moods of one's own entries of the year by their dates, escaped", async () => {
    const ben = await api.person();
    await write(api, ada, { entry_date: "2020-03-02", mood: "Joyful" });
    await write(api, ada, { entry_date: "2020-03-03" });
    await write(api, ada, { entry_date: "2020-03-04", mood: "<script>&</script>" });
    await write(api, ada, { entry_date: "2021-03-04", mood: "sad" });
    await write(api, ben, { entry_date: "2020-03-05", mood: "sad", metadata_visibility: "public" });
    const text = await draw("?year=2020");
    expect(text).toContain("<title>2020-03-02: Joyful (positive), 1 entry</title>");
    expect(text).toContain("<title>2020-03-03: no mood, 1 entry</title>");
    expect(text).toContain("2020-03-04: &lt;script&gt;&amp;&lt;/script&gt;, 1 entry");
    expect(text).not.toContain(": sad");
  });

  it("is an image that may apply its style and do nothing else, and is not cached", async () => {
    const { status, headers } = await api.get(PATH, ada);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });

  it("is of this year in the time zone of the profile by default, and refuses other years", async () => {
    api.at("2020-12-31T22:00:00Z");
    for (const [timezone, year] of [
      ["Pacific/Kiritimati", 2021],
      ["America/New_York", 2020],
    ]) {
      await api.put("/api/user/profile", ada, { timezone }).ok();
      expect(await draw()).toContain(`<title id="title">Mood calendar of ${year}</title>`);
    }
    for (const year of ["1899", "10000", "20", "2020.5", "-2020", "x", ""]) {
      await api.get(`${PATH}?year=${year}`, ada).invalid("year");
    }
  });
});
