import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
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
    const appealUntil = new Date(Date.parse(first.decided_at) + 183 * DAY).toISOString();
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

  it("are deleted with the account of the owner, and so are appeals", async () => {
    const { id } = await decided(ben);
    await appeal(ben, id);
    await api.query`delete from auth.users where id = ${ben.id}`;
    expect(await api.query`select from nectar.moderation_decisions where id = ${id}`).toEqual([]);
    expect(await api.query`select from nectar.moderation_appeals where decision_id = ${id}`).toEqual([]);
  });
});

describe("an appeal", () => {
  it("is made once", async () => {
    const { id } = await decided(ben);
    const made = await appeal(ben, id);
    expect(made).toEqual({
      id: expect.any(String),
      status: "open",
      reason: WHY,
      answer: null,
      created_at: expect.any(String),
      decided_at: null,
    });
    await api.post(`/api/moderation-decisions/${id}/appeal`, ben, { reason: WHY }).refused(409, "appeal.already_made");
    expect(await decisionsOf(ben)).toMatchObject([{ appeal: { status: "open", reason: WHY } }]);
  });

  it("is made by one of many requests at once", async () => {
    const { id } = await decided(ben);
    const post = () => api.post(`/api/moderation-decisions/${id}/appeal`, ben, { reason: WHY });
    const statuses = (await Promise.all(Array.from({ length: 10 }, post))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it("is possible for 183 days", async () => {
    const [early, late] = [await decided(ben), await decided(ben)];
    api.at(new Date(Date.parse(early.decided_at) + 183 * DAY));
    await appeal(ben, early.id);
    api.at(new Date(Date.parse(late.decided_at) + 183 * DAY + 1));
    await api.post(`/api/moderation-decisions/${late.id}/appeal`, ben, { reason: WHY }).refused(409, "appeal.too_late");
  });

  it("needs a reason of 20 to 1,000 characters", async () => {
    const { id } = await decided(ben);
    for (const reason of [undefined, "x".repeat(19), "x".repeat(1_001)]) {
      await api.post(`/api/moderation-decisions/${id}/appeal`, ben, { reason }).invalid("reason");
    }
  });

  it("is 404 for decisions about others, for dismissals and for unknown ones", async () => {
    const { id: dismissal } = await decided(ben, { decision: "dismiss" });
    const { id: aboutOther } = await decided(await api.person());
    for (const id of [dismissal, aboutOther, randomUUID()]) {
      await api
        .post(`/api/moderation-decisions/${id}/appeal`, ben, { reason: WHY })
        .refused(404, "moderation.decision_not_found");
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
    await api.get("/api/admin/appeals", ben).refused(403, "auth.forbidden");
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
    await api.put(path, boss, {}).invalid("decision", "answer");
    await api.put(path, boss, { decision: "dismiss", answer: "short" }).invalid("decision", "answer");
    await api.put(path, boss, { decision: "uphold", answer: "x".repeat(1_001) }).invalid("answer");
    await answer(boss, randomUUID(), "uphold").refused(404, "appeal.not_found");
    await answer(ben, randomUUID(), "uphold").refused(403, "auth.forbidden");
  });

  it("leaves a row in the audit log with names of fields only", async () => {
    const { id } = await appeal(ben, (await decided(ben)).id);
    await answer(deputy, id, "reverse").ok();
    const { changed, actor_id, action } = await api.one<{ changed: string[]; actor_id: string; action: string }>`
      select changed, actor_id, action from nectar.audit_events where target_type = 'appeal' and target_id = ${id}`;
    expect({ changed, actor_id, action }).toEqual({
      changed: ["decision", "answer"],
      actor_id: deputy.id,
      action: "decideAppeal",
    });
  });
});
