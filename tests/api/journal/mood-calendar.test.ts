import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const PATH = "/api/journal/mood-calendar.svg";

describe(`GET ${PATH}`, () => {
  it("draws the moods of one's own entries of the year by their dates", async () => {
    const ben = await api.person();
    await write(api, ada, { entry_date: "2020-03-02", mood: "Joyful" });
    await write(api, ada, { entry_date: "2020-03-03" });
    await write(api, ada, { entry_date: "2021-03-04", mood: "sad" });
    await write(api, ben, { entry_date: "2020-03-05", mood: "sad", metadata_visibility: "public" });
    const { text } = await api.get(`${PATH}?year=2020`, ada);
    expect(text).toContain("<title>2020-03-02: Joyful (positive), 1 entry</title>");
    expect(text).toContain("<title>2020-03-03: no mood, 1 entry</title>");
    expect(text).not.toContain(": sad");
  });

  it("is an image that may apply its style and do nothing else, and is not cached", async () => {
    const { status, headers } = await api.get(PATH, ada);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    ["Pacific/Kiritimati", 2021],
    ["America/New_York", 2020],
  ])("is of this year in the time zone of the profile by default: %s", async (timezone, year) => {
    await api.put("/api/user/profile", ada, { timezone }).ok();
    api.at("2020-12-31T22:00:00Z");
    expect((await api.get(PATH, ada)).text).toContain(`<title id="title">Mood calendar of ${year}</title>`);
  });

  it("escapes what a mood says", async () => {
    await write(api, ada, { entry_date: "2020-03-02", mood: "<script>&</script>" });
    const { text } = await api.get(`${PATH}?year=2020`, ada);
    expect(text).toContain("2020-03-02: &lt;script&gt;&amp;&lt;/script&gt;, 1 entry");
  });

  it.each(["1899", "10000", "20", "2020.5", "-2020", "x", ""])("refuses the year %j", async (year) => {
    await api.get(`${PATH}?year=${year}`, ada).invalid("year");
  });
});
