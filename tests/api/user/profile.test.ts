import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const PATH = "/api/user/profile";
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));

const profile = async () => (await api.get(PATH, ada)).body.profile;
const put = (fields: unknown) => api.put(PATH, ada, fields);

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

  it.each(["admin", "super_admin"] as const)("returns the role %s", async (role) => {
    const person = await api.person({ role });
    expect((await api.get(PATH, person)).body.profile.role).toBe(role);
  });

  it("follows an address that changed in Auth", async () => {
    await api.query`update auth.users set email = 'moved@example.test' where id = ${ada.id}`;
    expect((await profile()).email).toBe("moved@example.test");
  });
});

describe("PUT /api/user/profile", () => {
  it("changes the fields of the request and returns the profile", async () => {
    const before = await profile();
    const change = {
      full_name: "  Ada Lovelace ",
      avatar_url: "https://example.test/a.png?size=1#x",
      preferences: { theme: "dark", notifications: false },
      read_notes_enabled: true,
      check_in_enabled: true,
      timezone: "America/Argentina/Buenos_Aires",
      leaderboard_visible: false,
    };
    const body = await put(change).ok();
    expect(body.profile).toEqual({
      ...before,
      ...change,
      full_name: "Ada Lovelace",
      preferences: { ...change.preferences, active_tone_pack_id: null },
      updated_at: expect.any(String),
    });
    expect(Date.parse(body.profile.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await profile()).toEqual(body.profile);
  });

  it("keeps fields that are missing, and clears name and picture with null", async () => {
    await put({ full_name: "A", avatar_url: "http://example.test/a", timezone: "Asia/Tokyo", check_in_enabled: true });
    await put({ full_name: null });
    expect(await profile()).toMatchObject({
      full_name: null,
      avatar_url: "http://example.test/a",
      timezone: "Asia/Tokyo",
      check_in_enabled: true,
      read_notes_enabled: false,
    });
    await put({ avatar_url: null, check_in_enabled: false });
    expect(await profile()).toMatchObject({ avatar_url: null, check_in_enabled: false, timezone: "Asia/Tokyo" });
  });

  it("changes only the caller's own profile", async () => {
    const grace = await api.person({ fullName: "Grace" });
    await put({ full_name: "Changed", id: grace.id, user_id: grace.id });
    expect((await api.get(PATH, grace)).body.profile.full_name).toBe("Grace");
  });

  it("measures a name in code points after NFC", async () => {
    const bees = "\u{1f41d}".repeat(100);
    expect((await put({ full_name: bees })).body.profile.full_name).toBe(bees);
    expect((await put({ full_name: "e\u0301".repeat(100) })).body.profile.full_name).toBe("\u00e9".repeat(100));
  });

  it.each([
    ["a blank name", { full_name: "  " }, "full_name"],
    ["a name of 101 characters", { full_name: "\u{1f41d}".repeat(101) }, "full_name"],
    ["a name that is no text", { full_name: 1 }, "full_name"],
    ["a theme of 51 characters", { preferences: { theme: "x".repeat(51) } }, "preferences.theme"],
    ["a theme that is no text", { preferences: { theme: true } }, "preferences.theme"],
    ["unknown preferences alone", { full_name: "Ada", preferences: { sunset: true } }, "preferences"],
    ["notifications that are no boolean", { preferences: { notifications: "true" } }, "preferences.notifications"],
    ["preferences that are no object", { preferences: [] }, "preferences"],
    ["preferences that are null", { preferences: null }, "preferences"],
    ["a flag that is no boolean", { read_notes_enabled: 1 }, "read_notes_enabled"],
    ["a flag that is null", { check_in_enabled: null }, "check_in_enabled"],
  ])("is 400 for %s, and nothing changes", async (_, fields, path) => {
    const before = await profile();
    const body = await put({ timezone: "Asia/Tokyo", ...fields }).refused(400);
    expect(body.issues).toMatchObject([{ path }]);
    expect(await profile()).toEqual(before);
  });

  it.each(["a\u0000b", "a\ud800b"])("is 400 for text that PostgreSQL cannot store (%j)", async (text) => {
    for (const fields of [
      { full_name: text },
      { avatar_url: `https://a.test/${text}` },
      { preferences: { theme: text } },
    ]) {
      await put(fields).refused(400);
    }
  });

  it("is 400 without a field that can be changed", async () => {
    for (const body of [{}, { unknown: 1 }, { drops_balance: 1000, role: "admin" }]) {
      await put(body).refused(400);
    }
  });

  it("ignores fields that users cannot change", async () => {
    const before = await profile();
    const { body } = await put({
      timezone: "UTC",
      id: randomUUID(),
      email: "other@example.test",
      drops_balance: 1_000_000,
      is_ai: true,
      is_premium: true,
      role: "super_admin",
      created_at: "2020-01-01T00:00:00.000Z",
      preferences: { theme: "dark", active_tone_pack_id: randomUUID(), admin: true },
    });
    expect(body.profile).toEqual({
      ...before,
      preferences: { theme: "dark", active_tone_pack_id: null },
      updated_at: expect.any(String),
    });
  });
});

describe("preferences", () => {
  it("are merged: what other parts of the service store there is kept", async () => {
    const kept = { font: "serif", active_tone_pack_id: null };
    await api.query`update nectar.accounts set preferences = ${{ font: "serif", theme: "light" }}
      where user_id = ${ada.id}`;
    await put({ preferences: { notifications: true } });
    expect((await profile()).preferences).toEqual({ ...kept, theme: "light", notifications: true });
    await put({ preferences: { theme: "dark" } });
    expect((await profile()).preferences).toEqual({ ...kept, theme: "dark", notifications: true });
    await put({ preferences: {} });
    expect((await profile()).preferences).toEqual({ ...kept, theme: "dark", notifications: true });
    await put({ preferences: { theme: null } });
    expect((await profile()).preferences).toEqual({ ...kept, notifications: true });
  });

  it("keep both changes of two devices that change different ones at the same time", async () => {
    await Promise.all([put({ preferences: { theme: "dark" } }), put({ preferences: { notifications: false } })]);
    expect((await profile()).preferences).toMatchObject({ theme: "dark", notifications: false });
  });

  it("can have a theme of 50 characters, where an emoji counts as one", async () => {
    const theme = "\u{1f41d}".repeat(50);
    expect((await put({ preferences: { theme } })).body.profile.preferences).toMatchObject({ theme });
  });
});

describe("an avatar_url", () => {
  it.each(["http://example.test", "https://\u00fc.example/\u{1f41d}?a=b", `https://a.test/${"x".repeat(2048 - 15)}`])(
    "can be a web address (%#)",
    async (url) => {
      expect((await put({ avatar_url: url })).body.profile.avatar_url).toBe(url);
    },
  );

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
    7,
    ["https://example.test"],
  ])("is 400 if it is not: %j", async (url) => {
    const body = await put({ avatar_url: url }).refused(400);
    expect(body.issues).toMatchObject([{ path: "avatar_url" }]);
    expect((await profile()).avatar_url).toBeNull();
  });

  it("can have an upper-case scheme", async () => {
    const body = await put({ avatar_url: "HTTPS://EXAMPLE.TEST/A.png" }).ok();
    expect(body.profile.avatar_url).toMatch(/^https:\/\/example\.test\/A\.png$/i);
  });
});

describe("a timezone", () => {
  it.each(["UTC", "Europe/Zurich", "Asia/Kolkata", "Etc/GMT+5", "America/Indiana/Knox"])(
    "can be %s",
    async (timezone) => {
      expect((await put({ timezone })).body.profile.timezone).toBe(timezone);
    },
  );

  it.each(["EST", "PST8PDT", "CET", "GMT", "Z", "+02:00", "Europe/Nowhere", "europe", "", " Europe/Zurich", null, 1])(
    "cannot be %j",
    async (timezone) => {
      await put({ timezone }).refused(400);
      expect((await profile()).timezone).toBe("UTC");
    },
  );
});
