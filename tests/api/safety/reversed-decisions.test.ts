import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { appealing } from "./appealing.ts";

const api = useApi();
const { newEntry, report, decide, appeal, answer } = appealing(api);
const boss = beforeTests(() => api.person({ role: "admin" }));
const deputy = beforeTests(() => api.person({ role: "admin" }));
const reader = beforeTests(() => api.person());
const ben = beforeEachTest(() => api.person());

const YEAR = 365 * 24 * 3_600_000;
const inYears = (years: number) => new Date(Date.now() + years * YEAR).toISOString();
const suspension = (years: number) => ({ decision: "suspend", suspend_until: inYears(years) });
const reverse = async (owner: Person, decisionId: string) =>
  answer(deputy, (await appeal(owner, decisionId)).id, "reverse").ok();
const suspendedUntil = async () => (await api.get("/api/user/profile", ben).ok()).profile.suspended_until;
const write = () => api.post("/api/goals", ben, { title: "Swim" });

describe("a hidden entry whose decision is reversed", () => {
  it("is visible again, and its reports count as dismissed", async () => {
    const entry = await newEntry(ben);
    const { id } = await decide(boss, await report("entry", entry, reader), { decision: "hide" });
    await api.get(`/api/journal/${entry}`, reader).refused(404, "journal.not_found");
    await reverse(ben, id);
    expect((await api.get(`/api/journal/${entry}`, reader).ok()).entry).toMatchObject({ moderation: null });
    const [reported] = (await api.get("/api/reports", reader).ok()).reports;
    expect(reported).toMatchObject({ target_id: entry, status: "dismissed" });
  });

  it("stays hidden if the appeal is not successful", async () => {
    const entry = await newEntry(ben);
    const { id } = await decide(boss, await report("entry", entry), { decision: "hide" });
    await answer(deputy, (await appeal(ben, id)).id, "uphold").ok();
    await api.get(`/api/journal/${entry}`, reader).refused(404, "journal.not_found");
  });
});

describe("a suspension that is reversed", () => {
  it("ends, after the suspended person has appealed", async () => {
    const { id } = await decide(boss, await report("user", ben.id), suspension(0.5));
    await write().refused(403, "auth.suspended");
    await reverse(ben, id);
    expect(await suspendedUntil()).toBeNull();
    await write().created();
  });

  it("lasts as long as another decision still says", async () => {
    const short = suspension(0.1);
    const { id: first } = await decide(boss, await report("user", ben.id), short);
    const { id: second } = await decide(boss, await report("user", ben.id), suspension(0.5));
    await reverse(ben, second);
    expect(await suspendedUntil()).toBe(short.suspend_until);
    await write().refused(403, "auth.suspended");
    await reverse(ben, first);
    await write().created();
  });
});

it("a decision and a reversal about the same person at once both take effect", async () => {
  const reported = await report("entry", await newEntry(ben));
  const { id } = await decide(boss, await report("user", ben.id), suspension(0.5));
  const { id: appealId } = await appeal(ben, id);
  const short = suspension(0.1);
  await Promise.all([answer(deputy, appealId, "reverse").ok(), decide(boss, reported, short)]);
  expect(await suspendedUntil()).toBe(short.suspend_until);
});
