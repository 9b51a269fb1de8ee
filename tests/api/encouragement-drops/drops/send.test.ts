import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "#core/errors";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";
import { countSent, createTemplate, ROOM, SYSTEM_USER, sendTo, setRules, TEMPLATES } from "../sending.ts";

const api = useApi();
const PARALLEL = 64;
const NOW = "2031-05-18T12:00:00.000Z";
beforeAll(() => {
  api.at(NOW);
});
const bob = beforeTests(() => api.person({ fullName: "Bob" }));

describe("POST /api/encouragement-drops/send", () => {
  it("sends a template with its type, and returns drop, allowance and badge", async () => {
    const ada = await api.person({ fullName: "Ada" });
    const body = await sendTo(api, ada, bob, { template_id: TEMPLATES.media }).created();
    expect(body.drop).toEqual({
      id: expect.any(String),
      sender_id: ada.id,
      sender: { id: ada.id, full_name: "Ada", avatar_url: null, is_assistant: false },
      recipient_id: bob.id,
      drop_type: "media",
      is_custom: false,
      template_id: TEMPLATES.media,
      title: "Here Comes the Sun",
      content: expect.stringContaining("The Beatles"),
      media_type: "youtube",
      media_url: "https://www.youtube.com/watch?v=KQetemT1sWc",
      thumbnail_url: "https://i.ytimg.com/vi/KQetemT1sWc/hqdefault.jpg",
      date_sent: "2031-05-18",
      created_at: NOW,
      read_at: null,
      entry_id: null,
      goal_id: null,
    });
    expect(body.allowance).toEqual((await api.get(`${ROOM}/my-drops`, ada)).body);
    expect(body.allowance).toMatchObject({ drops_used: 1, custom_drops_used: 0, total_available: 4 });
    expect(body.badge).toMatchObject({ user_id: ada.id, level: 1, total_drops_sent: 1, consecutive_days: 1 });
  });

  it("sends own text, by default as an encouragement", async () => {
    const ada = await api.person();
    const words = await sendTo(api, ada, bob, { content: "  You have got this.  ", template_id: null });
    const own = { is_custom: true, template_id: null, title: null };
    expect(words.body.drop).toMatchObject({ ...own, drop_type: "encouragement", content: "You have got this." });
    const fact = await sendTo(api, ada, bob, { drop_type: "science_tidbit", content: "Bees dance." });
    expect(fact.body.drop).toMatchObject({ drop_type: "science_tidbit", content: "Bees dance.", media_url: null });
    expect(fact.body.allowance).toMatchObject({ drops_used: 2, custom_drops_used: 2 });
  });

  it.each([
    ["https://youtu.be/dQw4w9WgXcQ", "youtube", "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"],
    ["https://player.vimeo.com/video/22439234", "vimeo", null],
    ["https://open.spotify.com/track/29U7stRjqHU6rMiS8BfaI9", "spotify", null],
    ["https://on.soundcloud.com/nasa", "soundcloud", null],
  ])("derives service and preview from the link %s", async (media_url, media_type, thumbnail_url) => {
    const media = { drop_type: "media", content: "Listen", media_url };
    const { drop } = await sendTo(api, await api.person(), bob, media).created();
    expect(drop).toMatchObject({ drop_type: "media", media_url, media_type, thumbnail_url });
  });

  it("names an entry that the sender may see; any other is 404", async () => {
    const ada = await api.person();
    const sendAbout = (entry_id: string) => sendTo(api, ada, bob, { template_id: TEMPLATES.encouragement, entry_id });
    for (const { id } of [await write(api, ada), await write(api, bob, { metadata_visibility: "public" })]) {
      expect((await sendAbout(id).created()).drop.entry_id).toEqual(id);
    }
    for (const id of [(await write(api, bob)).id, randomUUID()]) await sendAbout(id).refused(404, "journal.not_found");
    expect(await countSent(api, ada)).toBe(2);
  });

  it("names a goal that the sender may see, until that is deleted; any other is 404", async () => {
    const ada = await api.person();
    const newGoal = async (fields: object) =>
      (await api.post("/api/goals", bob, { title: "Run", ...fields }).created()).goal.id;
    const sendAbout = (goal_id: string) => sendTo(api, ada, bob, { content: "Go on.", goal_id });
    for (const id of [await newGoal({}), randomUUID()]) await sendAbout(id).refused(404, "goal.not_found");
    const goal = await newGoal({ metadata_visibility: "public" });
    const { drop } = await sendAbout(goal).created();
    expect(drop).toMatchObject({ goal_id: goal, entry_id: null });
    const received = async () => (await api.get(`${ROOM}/received`, bob).ok()).drops.find(({ id }) => id === drop.id);
    expect((await received())?.goal_id).toBe(goal);
    await api.delete(`/api/goals/${goal}`, bob).ok();
    expect(await received()).toMatchObject({ goal_id: null, content: "Go on." });
  });

  it("notifies the recipient without the text of the drop", async () => {
    const ada = await api.person({ fullName: "Ada Bee" });
    const carl = await api.person();
    const { body } = await sendTo(api, ada, carl, { content: "a secret between us" });
    const { notifications } = (await api.get("/api/notifications", carl)).body;
    expect(notifications).toEqual([
      expect.objectContaining({
        type: "drop_received",
        body: "Ada Bee sent you a drop.",
        data: { drop_id: body.drop.id, sender_id: ada.id, drop_type: "encouragement", full_name: "Ada Bee" },
      }),
    ]);
    expect(JSON.stringify(notifications)).not.toContain("secret");
    expect(api.logged()).not.toContain("secret");
  });

  it("counts how often a template was sent", async () => {
    const [ada, eve, admin] = [await api.person(), await api.person(), await api.person({ role: "admin" })];
    const template = await createTemplate(api, admin, { title: "Counted", is_approved: true });
    await Promise.all([ada, eve, ada, eve].map((sender) => sendTo(api, sender, bob, { template_id: template.id })));
    const { templates } = (await api.get(`${ROOM}/templates?limit=1`, ada)).body;
    expect(templates).toEqual([{ ...template, usage_count: 4 }]);
  });

  const INVALID: readonly [name: string, fields: object, path: string][] = [
    ["neither template nor text", {}, "content"],
    ["both template and text", { template_id: TEMPLATES.encouragement, content: "Hi" }, "content"],
    ["a template and a link", { template_id: TEMPLATES.media, media_url: "https://youtu.be/dQw4w9WgXcQ" }, "media_url"],
    ["media without a link", { content: "Hi", drop_type: "media" }, "media_url"],
    ["a link without media", { content: "Hi", media_url: "https://youtu.be/dQw4w9WgXcQ" }, "media_url"],
    ["a link to elsewhere", { content: "Hi", drop_type: "media", media_url: "https://example.com/v" }, "media_url"],
    ["a link without https", { content: "Hi", drop_type: "media", media_url: "http://vimeo.com/1" }, "media_url"],
    ["an entry and a goal", { content: "Hi", entry_id: randomUUID(), goal_id: randomUUID() }, "goal_id"],
  ];
  it.each(INVALID)("is 400 with %s", async (_, fields, path) => {
    await sendTo(api, bob, bob, fields).invalid(path);
  });

  it("refuses drops to oneself or the assistant, of another type than the template, and unknown ids", async () => {
    const [ada, admin] = [await api.person(), await api.person({ role: "admin" })];
    const draft = await createTemplate(api, admin);
    const content = "Hi";
    const refused: [object, number, ErrorCode][] = [
      [{ recipient_id: ada.id, content }, 400, "encouragement.self_send"],
      [{ recipient_id: SYSTEM_USER, content }, 400, "encouragement.system_recipient"],
      [{ template_id: TEMPLATES.media, drop_type: "encouragement" }, 400, "encouragement.type_mismatch"],
      [{ template_id: randomUUID() }, 404, "encouragement.template_not_found"],
      [{ template_id: draft.id }, 404, "encouragement.template_not_found"],
      [{ recipient_id: randomUUID(), content }, 404, "user.not_found"],
      [{ recipient_id: randomUUID(), content, entry_id: randomUUID() }, 404, "user.not_found"],
    ];
    for (const [fields, status, code] of refused) await sendTo(api, ada, bob, fields).refused(status, code);
    // Admins see drafts, but cannot send them.
    await sendTo(api, admin, bob, { template_id: draft.id }).refused(404);
    expect((await api.get(`${ROOM}/my-drops`, ada)).body.drops_used).toBe(0);
    expect(await countSent(api, ada)).toBe(0);
  });

  it("checks the request before the allowance", async () => {
    const ada = await api.person();
    await setRules(api, { daily_allowance: 0 });
    await sendTo(api, ada, ada, { content: "Hi" }).refused(400, "encouragement.self_send");
    await sendTo(api, ada, bob, { template_id: randomUUID() }).refused(404);
    await sendTo(api, ada, bob).refused(429, "encouragement.allowance_exhausted");
    await setRules(api, { daily_allowance: 5 });
  });
});

describe("the allowance", () => {
  it("lets one of two parallel sends through when one is left", async () => {
    const ada = await api.person();
    for (let sent = 0; sent < 4; sent += 1) await sendTo(api, ada, bob);
    const responses = await Promise.all([sendTo(api, ada, bob), sendTo(api, ada, bob)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 429]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe("encouragement.allowance_exhausted");
    expect(Number(refused?.headers.get("retry-after"))).toSatisfy((s: number) => s >= 1 && s <= 86_400);
    expect(await countSent(api, ada)).toBe(5);
  });

  it(`lets exactly the allowance through when ${PARALLEL} are sent at once`, async () => {
    const ada = await api.person();
    const responses = await Promise.all(Array.from({ length: PARALLEL }, () => sendTo(api, ada, bob)));
    expect(tally(responses)).toEqual({ 201: 5, 429: PARALLEL - 5 });
    expect(await countSent(api, ada)).toBe(5);
    expect((await api.get(`${ROOM}/my-drops`, ada)).body).toMatchObject({ drops_used: 5, total_available: 0 });
  });

  it(`lets exactly three drops in own words through when ${PARALLEL} are sent at once`, async () => {
    const ada = await api.person();
    const responses = await Promise.all(
      Array.from({ length: PARALLEL }, () => sendTo(api, ada, bob, { content: "In my own words" })),
    );
    expect(tally(responses)).toEqual({ 201: 3, 429: PARALLEL - 3 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe("encouragement.custom_drops_exhausted");
    expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/);
    const used = { drops_used: 3, custom_drops_used: 3, total_available: 2 };
    expect(await api.get(`${ROOM}/my-drops`, ada).ok()).toMatchObject(used);
    // Templates are not custom.
    await sendTo(api, ada, bob).created();
  });

  it("lets two users send each other drops at the same time", async () => {
    const [ada, eve] = [await api.person(), await api.person()];
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? sendTo(api, ada, eve) : sendTo(api, eve, ada))),
    );
    expect(tally(responses)).toEqual({ 201: 10 });
  });

  it("counts users who send the same template at the same time separately", async () => {
    const senders = await Promise.all(Array.from({ length: 8 }, () => api.person()));
    const responses = await Promise.all(
      senders.flatMap((sender) => Array.from({ length: 6 }, () => sendTo(api, sender, bob))),
    );
    expect(tally(responses)).toEqual({ 201: 40, 429: 8 });
  });
});

function tally(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
