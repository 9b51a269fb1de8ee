import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { moderatingOf } from "./moderating.ts";

const api = useApi();
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const ben = beforeTests(() => api.person({ fullName: "Ben" }));
const boss = beforeTests(() => api.person({ role: "admin" }));

const { report } = moderatingOf(api);

const PUBLIC = { metadata_visibility: "public", content_visibility: "public" } as const;
const newEntry = async (by: Person, sharing: object = PUBLIC, content = "The whole text.") =>
  (await api.post("/api/journal", by, { title: "A walk", content, ...sharing }).created()).entry.id;
const newPack = async (by: Person, is_public = true) =>
  (await api.post("/api/tone-packs", by, { name: "Cranes", theme: "origami", is_public }).created()).tone_pack.id;

/** The excerpt that admins see. */
async function excerptOf(reportId: string): Promise<string | null | undefined> {
  const { reports } = await api.get("/api/admin/reports?limit=200", boss).ok();
  return reports.find(({ id }) => id === reportId)?.excerpt;
}

describe("reporting something", () => {
  it("returns the report, and the same one with 200 while it is open", async () => {
    const entry = await newEntry(ben);
    const first = await report(ada, "entry", entry, { details: "  Look.  " }).created();
    const made = { target_type: "entry", target_id: entry, reason: "spam", details: "Look." };
    expect(first.report).toMatchObject({ ...made, status: "open", decided_at: null });
    expect(await report(ada, "entry", entry, { reason: "hate" }).ok()).toEqual(first);
    const again = await report(boss, "entry", entry).created();
    expect(again.report.id).not.toBe(first.report.id);
  });

  it("makes one report of many requests at once, one of which counts", async () => {
    const [cleo, entry] = [await api.person(), await newEntry(ben)];
    const responses = await Promise.all(Array.from({ length: 8 }, () => report(cleo, "entry", entry)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const quotas = await api.query`select used from private.quota_uses where user_id = ${cleo.id} and name = 'report'`;
    expect(quotas).toEqual([{ used: 1 }]);
  });

  it("is refused for what is yours, and for yourself", async () => {
    await report(ada, "entry", await newEntry(ada)).refused(400, "report.own_thing");
    await report(ada, "tone_pack", await newPack(ada)).refused(400, "report.own_thing");
    await report(ada, "user", ada.id).refused(400, "report.own_thing");
  });

  it("is 404 for what you may not see, and for what does not exist", async () => {
    await report(ada, "entry", await newEntry(ben, {})).refused(404, "report.target_not_found");
    await report(ada, "tone_pack", await newPack(ben, false)).refused(404, "report.target_not_found");
    for (const kind of ["entry", "notebook", "goal", "tone_pack", "drop", "checkin", "message", "user"] as const) {
      await report(ada, kind, randomUUID()).refused(404, "report.target_not_found");
    }
  });

  it("names every field that is wrong", async () => {
    await api.post("/api/reports", ada, {}).invalid("target_type", "target_id", "reason");
    await report(ada, "user", ben.id, { reason: "boring", details: "x".repeat(2_001) }).invalid("reason", "details");
  });

  it("is possible for those whom you blocked, but not for those who blocked you", async () => {
    const [cleo, dan] = [await api.person(), await api.person()];
    const [entry, pack] = [await newEntry(dan), await newPack(dan)];
    await api.post("/api/blocks", cleo, { user_id: dan.id }).created();
    await report(cleo, "entry", entry).created();
    await api.post("/api/blocks", dan, { user_id: cleo.id }).created();
    await report(cleo, "tone_pack", pack).refused(404, "report.target_not_found");
    await api.delete(`/api/blocks/${dan.id}`, cleo).ok();
    await report(cleo, "tone_pack", pack).refused(404, "report.target_not_found");
  });

  it("is refused after 30 reports on a UTC day, and a repeated one does not count", async () => {
    const cleo = await api.person();
    const entries = [await newEntry(ben), await newEntry(ben)];
    await leaveQuota(api.adminUrl, cleo, "report", 1);
    await report(cleo, "entry", entries[0] ?? "").created();
    await report(cleo, "entry", entries[1] ?? "").refused(429, "quota.exhausted");
    await report(cleo, "entry", entries[0] ?? "").ok();
    expect((await api.get("/api/reports", cleo).ok()).reports).toHaveLength(1);
  });
});

describe("the excerpt of a report", () => {
  it("is what was reported, at most 500 characters, whatever its owner does afterwards", async () => {
    const entry = await newEntry(ben, PUBLIC, "ä".repeat(1_000));
    const { id } = (await report(ada, "entry", entry).created()).report;
    await api.put(`/api/journal/${entry}`, ben, { title: "Nothing", content: "At all" }).ok();
    expect(await excerptOf(id)).toBe(`A walk\n${"ä".repeat(493)}`);
    await api.delete(`/api/journal/${entry}`, ben).ok();
    expect(await excerptOf(id)).toBe(`A walk\n${"ä".repeat(493)}`);
  });

  it("has no content that the reporter may not see", async () => {
    const entry = await newEntry(ben, { metadata_visibility: "public" });
    expect(await excerptOf((await report(ada, "entry", entry).created()).report.id)).toBe("A walk");
  });

  it("is the text of a drop, the name of a pack, and of a user, and never leaves the admins", async () => {
    const body = { recipient_id: ada.id, content: "Go on." };
    const { drop } = await api.post("/api/encouragement-drops/send", ben, body).created();
    await report(boss, "drop", drop.id).refused(404, "report.target_not_found");
    const pack = await newPack(ben);
    for (const [kind, id, excerpt] of [
      ["drop", drop.id, "Go on."],
      ["tone_pack", pack, "Cranes"],
      ["user", ben.id, "Ben"],
    ] as const) {
      const made = await report(ada, kind, id).created();
      expect(await excerptOf(made.report.id)).toBe(excerpt);
      expect(made.report).not.toHaveProperty("excerpt");
    }
    for (const one of (await api.get("/api/reports", ada).ok()).reports) expect(one).not.toHaveProperty("excerpt");
  });
});

describe("the list of what you reported", () => {
  it("is newest first, has a filter, and shows nothing of others", async () => {
    const cleo = await api.person();
    const ids: string[] = [];
    for (const entry of [await newEntry(ben), await newEntry(ben), await newEntry(ben)]) {
      ids.push((await report(cleo, "entry", entry).created()).report.id);
    }
    expect((await api.get("/api/reports", cleo).ok()).reports.map(({ id }) => id)).toEqual(ids.toReversed());
    await api.put(`/api/admin/reports/${ids[0]}`, boss, { decision: "dismiss", reason: "Nothing is wrong." }).ok();
    const idsOf = async (status: string) =>
      (await api.get(`/api/reports?status=${status}`, cleo).ok()).reports.map(({ id }) => id);
    expect(await idsOf("dismissed")).toEqual([ids[0]]);
    expect(await idsOf("open")).toEqual([ids[2], ids[1]]);
    expect(await idsOf("actioned")).toEqual([]);
    await api.get("/api/reports?status=lost", cleo).invalid("status");
  });
});
