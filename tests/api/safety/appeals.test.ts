import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { APPEAL_DAYS } from "#core/retention";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { appealing } from "./appealing.ts";

const api = useApi();
const { decide, reportedEntry, appeal, answer } = appealing(api);
const boss = beforeTests(() => api.person({ role: "admin" }));
const deputy = beforeTests(() => api.person({ role: "admin" }));
const ben = beforeEachTest(() => api.person({ fullName: "Ben" }));

const DAY = 24 * 3_600_000;
const WHY = "It was meant as a joke among friends.";
const ANSWER = "We looked at it again.";

/** A decision about an entry of a person. */
const decided = async (owner: Person, decision: object = { decision: "warn" }) =>
  decide(boss, await reportedEntry(owner), decision);
const decisionsOf = async (person: Person) => (await api.get("/api/moderation-decisions", person).ok()).decisions;

describe("the decisions about a person", () => {
  it("have the statement of reasons, newest first, and no dismissals", async () => {
    const first = await decided(ben, { decision: "hide" });
    await decided(ben, { decision: "dismiss" });
    const second = await decided(ben);
    const appealUntil = new Date(Date.parse(first.decided_at) + APPEAL_DAYS * DAY).toISOString();
    const none = { status: "none", reason: null, answer: null, decided_at: null };
    const decisions = await decisionsOf(ben);
    expect(decisions.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(decisions[1]).toEqual({ ...first, automated: false, appeal_until: appealUntil, appeal: none });
  });

  it("are shown to this person alone, and not with who decided", async () => {
    await decided(ben);
    expect(await decisionsOf(boss)).toEqual([]);
    expect((await api.get("/api/moderation-decisions", ben)).text).not.toContain(boss.id);
  });

  it("stay when the account of the admin is erased", async () => {
    const former = await api.person({ role: "admin" });
    const decision = await decide(former, await reportedEntry(ben), { decision: "warn" });
    await api.query`delete from auth.users where id = ${former.id}`;
    expect(await decisionsOf(ben)).toMatchObject([{ id: decision.id }]);
    const { id } = await appeal(ben, decision.id);
    await answer(boss, id, "uphold").ok();
  });
});

describe("an appeal", () => {
  const post = (id: string, reason: unknown = WHY) =>
    api.post(`/api/moderation-decisions/${id}/appeal`, ben, { reason });

  it("is made once, by one of many requests at once", async () => {
    const { id } = await decided(ben);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => post(id)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    await post(id).refused(409, "appeal.already_made");
    expect(await decisionsOf(ben)).toMatchObject([{ appeal: { status: "open", reason: WHY } }]);
  });

  it("is possible for as long as the reference says", async () => {
    const [early, late] = [await decided(ben), await decided(ben)];
    api.at(new Date(Date.parse(early.decided_at) + APPEAL_DAYS * DAY));
    await post(early.id).created();
    api.at(new Date(Date.parse(late.decided_at) + APPEAL_DAYS * DAY + 1));
    await post(late.id).refused(409, "appeal.too_late");
  });

  it("is 404 for decisions about others and for dismissals", async () => {
    const dismissal = await decided(ben, { decision: "dismiss" });
    for (const { id } of [dismissal, await decided(await api.person())]) {
      await post(id).refused(404, "moderation.decision_not_found");
    }
  });

  it("is listed for admins with the decision, the excerpt and its age, oldest first", async () => {
    const decision = await decided(ben, { decision: "hide" });
    const made = await appeal(ben, decision.id);
    api.at(new Date(Date.parse(made.created_at) + 90 * 60_000));
    const { appeals } = await api.get("/api/admin/appeals?status=open&limit=200", deputy).ok();
    expect(appeals.find(({ id }) => id === made.id)).toEqual({
      ...made,
      decision,
      owner: { id: ben.id, full_name: "Ben", avatar_url: null, is_ai: false },
      excerpt: "A walk\nTo the lake",
      age_hours: 1,
      photo_url: null,
      date: null,
    });
    const times = appeals.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
  });
});

describe("deciding an appeal", () => {
  it("answers the person, who is notified without the answer", async () => {
    const decision = await decided(ben);
    const { id } = await appeal(ben, decision.id);
    const { appeal: upheld } = await answer(deputy, id, "uphold").ok();
    expect(upheld).toMatchObject({ id, status: "upheld", answer: ANSWER, decided_at: expect.any(String) });
    expect(await decisionsOf(ben)).toMatchObject([
      { appeal: { status: "upheld", reason: WHY, answer: ANSWER, decided_at: upheld.decided_at } },
    ]);
    const [notice] = (await api.get("/api/notifications", ben).ok()).notifications;
    expect(notice).toMatchObject({ type: "moderation", data: { decision_id: decision.id, appeal_id: id } });
    expect(JSON.stringify(notice)).not.toContain(ANSWER);
    const { appeals } = await api.get("/api/admin/appeals?status=upheld&limit=200", boss).ok();
    expect(appeals.map((one) => one.id)).toContain(id);
  });

  it("is done once, and by one of two admins at once", async () => {
    const { id } = await appeal(ben, (await decided(ben)).id);
    const other = await api.person({ role: "admin" });
    const responses = await Promise.all([answer(deputy, id, "uphold"), answer(other, id, "reverse")]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const won = responses.find(({ status }) => status === 200);
    expect(await decisionsOf(ben)).toMatchObject([{ appeal: { status: won?.body.appeal.status } }]);
    await answer(deputy, id, "uphold").refused(409, "appeal.already_decided");
  });

  it("needs an answer of 10 to 1,000 characters and a decision", async () => {
    const path = `/api/admin/appeals/${randomUUID()}` as const;
    await api.put(path, boss, { decision: "dismiss", answer: "short" }).invalid("decision", "answer");
  });
});
