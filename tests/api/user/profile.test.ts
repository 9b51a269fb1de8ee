import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const PATH = "/api/user/profile";
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));

const profile = async (as: { token: string } = ada) => (await api.get(PATH, as).ok()).profile;
const ACTIVE_PACK = "preferences.active_tone_pack_id";
const put = (fields: unknown) => api.put(PATH, ada, fields);
const change = async (fields: object) => (await put(fields).ok()).profile;

describe("GET /api/user/profile", () => {
  it("returns all fields of the caller's own profile", async () => {
    expect(await profile()).toEqual({
      id: ada.id,
      email: ada.email,
      full_name: "Ada",
      avatar_url: null,
      preferences: { active_tone_pack_id: null },
      drops_balance: 50,
      is_ai: false,
      role: "user",
      read_notes_enabled: false,
      check_in_enabled: false,
      timezone: "UTC",
      leaderboard_visible: true,
      is_premium: false,
      suspended_until: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  it("returns the role of an admin, and follows an address that changed in Auth", async () => {
    for (const role of ["admin", "super_admin"] as const) {
      expect((await profile(await api.person({ role }))).role).toBe(role);
    }
    await api.query`update auth.users set email = 'moved@example.test' where id = ${ada.id}`;
    expect((await profile()).email).toBe("moved@example.test");
  });
});

describe("PUT /api/user/profile", () => {
  it("changes the fields of the request and returns the profile", async () => {
    const before = await profile();
    const fields = {
      full_name: "  Ada Lovelace ",
      avatar_url: "https://example.test/a.png?size=1#x",
      preferences: { theme: "dark", notifications: false },
      read_notes_enabled: true,
      check_in_enabled: true,
      timezone: "America/Argentina/Buenos_Aires",
      leaderboard_visible: false,
    };
    const after = await change(fields);
    const preferences = { ...fields.preferences, active_tone_pack_id: null };
    const changed = { ...fields, full_name: "Ada Lovelace", preferences, updated_at: expect.any(String) };
    expect(after).toEqual({ ...before, ...changed });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await profile()).toEqual(after);
  });

  it("keeps fields that are missing, and clears name and picture with null", async () => {
    const kept = { avatar_url: "http://example.test/a", timezone: "Asia/Tokyo", check_in_enabled: true };
    await put({ full_name: "A", ...kept });
    await put({ full_name: null });
    expect(await profile()).toMatchObject({ full_name: null, ...kept, read_notes_enabled: false });
    await put({ avatar_url: null, check_in_enabled: false });
    expect(await profile()).toMatchObject({ avatar_url: null, check_in_enabled: false, timezone: "Asia/Tokyo" });
  });

  it("changes only the caller's own profile", async () => {
    const grace = await api.person({ fullName: "Grace" });
    await put({ full_name: "Changed", id: grace.id, user_id: grace.id });
    expect((await profile(grace)).full_name).toBe("Grace");
  });

  it("measures a name in code points after NFC", async () => {
    const bees = "\u{1f41d}".repeat(100);
    expect((await change({ full_name: bees })).full_name).toBe(bees);
    expect((await change({ full_name: "e\u0301".repeat(100) })).full_name).toBe("\u00e9".repeat(100));
  });

  it.each([
    ["a name of 101 characters", { full_name: "\u{1f41d}".repeat(101) }, "full_name"],
    ["unknown preferences", { full_name: "Ada", preferences: { theme: "dark", sunset: true } }, "preferences"],
    ["a tone pack that is not active", { preferences: { active_tone_pack_id: randomUUID() } }, ACTIVE_PACK],
  ])("is 400 for %s, and nothing changes", async (_, fields, path) => {
    const before = await profile();
    await put({ timezone: "Asia/Tokyo", ...fields }).invalid(path);
    expect(await profile()).toEqual(before);
  });

  it("is 400 for text that PostgreSQL cannot store", async () => {
    for (const text of ["a\u0000b", "a\ud800b"]) {
      await put({ full_name: text }).refused(400);
      await put({ avatar_url: `https://a.test/${text}` }).refused(400);
      await put({ preferences: { theme: text } }).refused(400);
    }
  });

  it("ignores fields that users cannot change", async () => {
    const before = await profile();
    const after = await change({
      timezone: "UTC",
      id: randomUUID(),
      email: "other@example.test",
      drops_balance: 1_000_000,
      is_ai: true,
      is_premium: true,
      role: "super_admin",
      created_at: "2020-01-01T00:00:00.000Z",
      preferences: { theme: "dark" },
    });
    const preferences = { theme: "dark", active_tone_pack_id: null };
    expect(after).toEqual({ ...before, preferences, updated_at: expect.any(String) });
  });
});

describe("preferences", () => {
  it("that are unknown are named in the refusal, and nothing is changed", async () => {
    const { issues } = await put({ preferences: { theme: "sepia", sunset: true, font: "serif" } }).refused(400);
    expect(issues).toEqual([{ path: "preferences", message: "has unknown settings: sunset, font" }]);
    expect((await profile()).preferences).not.toMatchObject({ theme: "sepia" });
  });

  it("are merged: what other parts of the service store there is kept", async () => {
    const kept = { font: "serif", active_tone_pack_id: null };
    await api.query`update nectar.accounts set preferences = ${{ font: "serif", theme: "light" }}
      where user_id = ${ada.id}`;
    for (const [preferences, expected] of [
      [{ notifications: true }, { theme: "light", notifications: true }],
      [{ theme: "dark" }, { theme: "dark", notifications: true }],
      [{}, { theme: "dark", notifications: true }],
      [{ theme: null }, { notifications: true }],
    ]) {
      await put({ preferences });
      expect((await profile()).preferences).toEqual({ ...kept, ...expected });
    }
  });

  it("keep both changes of two devices that change different ones at the same time", async () => {
    await Promise.all([put({ preferences: { theme: "dark" } }), put({ preferences: { notifications: false } })]);
    expect((await profile()).preferences).toMatchObject({ theme: "dark", notifications: false });
  });

  it("can have a theme of 50 characters, where an emoji counts as one", async () => {
    const theme = "\u{1f41d}".repeat(50);
    expect((await change({ preferences: { theme } })).preferences).toMatchObject({ theme });
  });
});

describe("an avatar_url", () => {
  it.each([
    ["http://example.test"],
    ["https://\u00fc.example/\u{1f41d}?a=b"],
    [`https://a.test/${"x".repeat(2048 - 15)}`],
    ["HTTPS://EXAMPLE.TEST/A.png", "https://EXAMPLE.TEST/A.png"],
  ])("can be a web address (%#)", async (avatar_url, stored = avatar_url) => {
    expect((await change({ avatar_url })).avatar_url).toBe(stored);
  });

  it.each([
    "",
    "x",
    "example.test/a.png",
    "//example.test/a.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "ftp://example.test/a.png",
    "https://",
    "http:example.test",
    "https:/example.test",
    "https:\\\\example.test",
    "ht\ntps://example.test",
    `https://a.test/${"x".repeat(2048)}`,
  ])("is 400 if it is not: %j", async (url) => {
    await put({ avatar_url: url }).invalid("avatar_url");
    expect((await profile()).avatar_url).toBeNull();
  });
});

describe("a timezone", () => {
  it("is stored with its current name, whatever it is called", async () => {
    for (const [spelling, timezone] of [
      ["Asia/Calcutta", "Asia/Kolkata"],
      ["europe/kiev", "Europe/Kyiv"],
      ["US/Eastern", "America/New_York"],
      ["GMT", "UTC"],
    ]) {
      expect((await change({ timezone: spelling })).timezone).toBe(timezone);
    }
  });

  it("can be one of the tz database, and no abbreviation, offset or unknown zone", async () => {
    for (const timezone of ["Europe/Zurich", "Asia/Kolkata", "Etc/GMT+5", "America/Indiana/Knox", "UTC"]) {
      expect((await change({ timezone })).timezone).toBe(timezone);
    }
    const abbreviations = ["EST", "PST8PDT", "CET", "Z"];
    for (const timezone of [...abbreviations, "+02:00", "Europe/Nowhere", "europe", "", " Europe/Zurich", null, 1]) {
      await put({ timezone }).refused(400);
      expect((await profile()).timezone).toBe("UTC");
    }
  });
});
