import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { appealing } from "./appealing.ts";
import { moderatingOf, REASON } from "./moderating.ts";

const api = useApi();
const boss = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const ben = beforeTests(() => api.person({ fullName: "Ben" }));

const HOUR = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const { newEntry, report: reportAs } = appealing(api);
const { report: send } = moderatingOf(api);
const reportEntry = (by: Person, id: string) => reportAs("entry", id, by);
const reportUser = (by: Person, { id }: Person) => reportAs("user", id, by);
const decide = (id: string, body: object, as = boss) => api.put(`/api/admin/reports/${id}`, as, body);
const dismiss = (id: string, as = boss) => decide(id, { decision: "dismiss", reason: REASON }, as);

/** The notifications about moderation of a person. */
const noticesOf = async (person: Person) =>
  (await api.get("/api/notifications?limit=500", person).ok()).notifications.filter(
    ({ type }) => type === "moderation",
  );

describe("deciding a report", () => {
  it("returns the decision, and decides every open report of the same thing", async () => {
    const entry = await newEntry(ben);
    const cleo = await api.person();
    const [first, second] = [await reportEntry(ada, entry), await reportEntry(cleo, entry)];
    const { decision } = await decide(first, { decision: "warn", reason: REASON }).ok();
    const made = { target_type: "entry", target_id: entry, decision: "warn", reason: REASON };
    expect(decision).toMatchObject({ ...made, automated: false, suspended_until: null });
    const { reports } = await api.get("/api/reports", cleo).ok();
    expect(reports).toMatchObject([{ id: second, status: "actioned", decided_at: decision.decided_at }]);
    await dismiss(second).refused(409, "report.already_decided");
    // A later report of the same thing is open.
    await dismiss(await reportEntry(ada, entry)).ok();
  });

  it("is still possible when the thing is deleted", async () => {
    const entry = await newEntry(ben);
    const report = await reportEntry(ada, entry);
    await api.delete(`/api/journal/${entry}`, ben).ok();
    await decide(report, { decision: "hide", reason: REASON }).ok();
  });

  it("notifies the owner unless it is a dismissal, and the reporters of nothing but that it was decided", async () => {
    const [reporter, owner] = [await api.person(), await api.person()];
    const [first, second] = [await newEntry(owner), await newEntry(owner)];
    const dismissed = await reportEntry(reporter, first);
    const warned = await reportEntry(reporter, second);
    await dismiss(dismissed).ok();
    expect(await noticesOf(owner)).toEqual([]);
    const { decision } = await decide(warned, { decision: "warn", reason: REASON }).ok();
    const data = { decision_id: decision.id, target_type: "entry", target_id: second, decision: "warn" };
    const [notice] = await noticesOf(owner);
    expect(notice?.data).toEqual(data);
    expect(JSON.stringify(notice)).not.toMatch(/A walk|insults/);
    const told = await noticesOf(reporter);
    expect(told.map(({ data: found }) => found)).toEqual([{ report_id: warned }, { report_id: dismissed }]);
    expect(new Set(told.map(({ title, body }) => title + body)).size).toBe(1);
  });

  it("checks the decision, its reason and the end of a suspension", async () => {
    const report = await reportUser(ada, ben);
    await decide(report, { decision: "burn", reason: "short" }).invalid("decision", "reason");
    await decide(report, { decision: "suspend", reason: REASON }).invalid("suspend_until");
    await decide(report, { decision: "warn", reason: REASON, suspend_until: hoursFromNow(1) }).invalid("suspend_until");
    for (const hours of [-1, 365 * 24 + 1]) {
      const body = { decision: "suspend", reason: REASON, suspend_until: hoursFromNow(hours) };
      await decide(report, body).invalid("suspend_until");
    }
    await decide(report, { decision: "hide", reason: REASON }).refused(400, "report.user_cannot_be_hidden");
    await dismiss(report).ok();
  });

  it("may suspend for exactly 365 days", async () => {
    const now = new Date();
    api.at(now);
    const suspend_until = new Date(now.getTime() + 365 * 24 * HOUR).toISOString();
    const report = await reportUser(ada, await api.person());
    const { decision } = await decide(report, { decision: "suspend", reason: REASON, suspend_until }).ok();
    expect(decision.suspended_until).toBe(suspend_until);
  });

  it("suspends until the latest end of all suspensions", async () => {
    const cleo = await api.person();
    for (const hours of [48, 24]) {
      const report = await reportUser(ada, cleo);
      await decide(report, { decision: "suspend", reason: REASON, suspend_until: hoursFromNow(hours) }).ok();
    }
    const { profile } = await api.get("/api/user/profile", cleo).ok();
    expect(Date.parse(profile.suspended_until ?? "") - Date.now()).toBeGreaterThan(47 * HOUR);
    await send(cleo, "user", ben.id).refused(403, "auth.suspended");
  });

  it("suspends an admin only by a super admin, and no super admin", async () => {
    const root = await api.person({ role: "super_admin" });
    const body = { decision: "suspend", reason: REASON, suspend_until: hoursFromNow(1) };
    const aboutAdmin = await reportUser(ada, await api.person({ role: "admin" }));
    await decide(aboutAdmin, body).refused(403, "auth.forbidden");
    await decide(aboutAdmin, body, root).ok();
    const aboutRoot = await reportUser(ada, root);
    const otherRoot = await api.person({ role: "super_admin" });
    for (const as of [boss, otherRoot]) {
      await decide(aboutRoot, body, as).refused(409, "report.super_admin_not_suspended");
    }
    await dismiss(aboutRoot).ok();
  });

  it("is done by one of two admins who decide at once", async () => {
    const other = await api.person({ role: "admin" });
    for (let round = 0; round < 10; round += 1) {
      const entry = await newEntry(ben);
      const [first, second] = [await reportEntry(ada, entry), await reportEntry(boss, entry)];
      const responses = await Promise.all([
        decide(first, { decision: "warn", reason: REASON }),
        decide(second, { decision: "hide", reason: REASON }, other),
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await api.query`select from nectar.moderation_decisions where target_id = ${entry}`).toHaveLength(1);
    }
  });
});

describe("an admin who is reported", () => {
  it("neither sees the report nor decides it, unless there is no other admin", async () => {
    const report = await reportEntry(ada, await newEntry(boss));
    const idsFor = async (as: Person) =>
      (await api.get("/api/admin/reports?limit=200", as).ok()).reports.map(({ id }) => id);
    const other = await api.person({ role: "admin" });
    expect(await idsFor(boss)).not.toContain(report);
    expect(await idsFor(other)).toContain(report);
    await dismiss(report).refused(409, "report.own_case");
    await api.query`update nectar.user_roles set role = 'user' where user_id <> ${boss.id}`;
    expect(await idsFor(boss)).toContain(report);
    await dismiss(report).ok();
  });

  it("may decide what they reported themselves", async () => {
    await dismiss(await reportEntry(boss, await newEntry(ben))).ok();
  });
});

describe("the list of received reports", () => {
  it("is oldest first with cards, age and the number of open reports, and has filters", async () => {
    const entry = await newEntry(ben);
    const cleo = await api.person();
    const ids = [await reportEntry(ada, entry), await reportEntry(cleo, entry), await reportUser(cleo, ben)];
    await api.query`update nectar.reports set created_at = now() - interval '3.5 hours' where id = ${ids[0]}`;
    const listed = async (query: string) => {
      const { reports } = await api.get(`/api/admin/reports?limit=200&${query}`, boss).ok();
      return reports.filter(({ id }) => ids.includes(id));
    };
    const open = await listed("status=open");
    expect(open.map(({ id }) => id)).toEqual(ids);
    expect(open[0]).toMatchObject({
      reporter: { id: ada.id, full_name: "Ada" },
      owner: { id: ben.id, full_name: "Ben" },
      excerpt: "A walk\nTo the lake",
      age_hours: 3,
      open_reports_of_target: 2,
    });
    expect((await listed("target_type=user")).map(({ id }) => id)).toEqual([ids[2]]);
    expect((await listed("target_type=entry&status=open")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await dismiss(ids[0] ?? "").ok();
    expect((await listed("status=dismissed")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await listed("status=dismissed"))[0]?.open_reports_of_target).toBe(0);
  });
});

it("an account that is erased takes the reports by it and about it along", async () => {
  const [reporter, owner] = [await api.person(), await api.person()];
  await reportEntry(reporter, await newEntry(ben));
  const entry = await newEntry(owner);
  await decide(await reportEntry(ada, entry), { decision: "warn", reason: REASON }).ok();
  await reportEntry(ada, entry);
  await api.query`delete from auth.users where id in (${reporter.id}, ${owner.id})`;
  const left = await api.query`select from nectar.reports where reporter_id = ${reporter.id} or target_id = ${entry}`;
  expect(left).toEqual([]);
});
