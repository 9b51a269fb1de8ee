import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { exportOf } from "#tests/exports";
import { storedKeys, useFileStore } from "#tests/file-store";
import { foundTeam, write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";

const store = await useFileStore();
const api = useApi({ environment: { ...store, MAINTENANCE_CRON_SECRET: "maintenance" } });
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const housekeeping = () =>
  api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": "maintenance" } }).ok();
const keys = (prefix: string) => storedKeys(store.S3_ENDPOINT, prefix);

describe("an export", () => {
  it("has the caller's data as the API shows it, and a Markdown file for each entry", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Walks" }).created();
    const written = { title: "To the lake", content: "It was cold.", tags: ["lake"], entry_date: "2024-02-29" };
    const { entry } = await api.post("/api/journal", ada, { ...written, notebook_id: notebook.id }).created();
    const { goal } = await api.post("/api/goals", ada, { title: "Swim" }).created();
    const { data, text, manifest, id } = await exportOf(api, ada);
    expect(data("entries")).toEqual([{ ...entry, comments: [] }]);
    expect(data("notebooks")).toEqual([{ ...notebook, entry_count: 1 }]);
    expect(data("goals")).toEqual([{ ...goal, check_ins: [], comments: [] }]);
    expect(data("profile")).toEqual((await api.get("/api/user/profile", ada).ok()).profile);
    expect(text(`journal/2024/02/29-To-the-lake-${entry.id}.md`)).toBe(
      `---\nid: "${entry.id}"\ntitle: "To the lake"\ndate: "${entry.created_at}"\nentry_date: "2024-02-29"\nmood: null\ntags: ["lake"]\nnotebook: "Walks"\n---\n\nIt was cold.\n`,
    );
    const { export: ready } = await api.get(`/api/user/exports/${id}`, ada).ok();
    const stamp = { format: "nectar-export", version: 1, generated_at: ready.created_at, user_id: ada.id };
    expect(manifest).toMatchObject(stamp);
    expect(manifest.files.find(({ path }) => path === "data/entries.json")?.rows).toBe(1);
    expect(manifest.files.find(({ path }) => path === "data/profile.json")?.rows).toBeNull();
  });

  it("has the comments of others below the caller's entries and goals, and the caller's own among the messages", async () => {
    const [host, guest] = [await api.person(), await api.person({ fullName: "Guest" })];
    const { teamId } = await foundTeam(api, host, [guest]);
    const sharing = { metadata_visibility: "team", content_visibility: "team", team_id: teamId };
    const entry = await write(api, host, sharing);
    const { goal } = await api.post("/api/goals", host, { title: "Swim", ...sharing }).created();
    for (const path of [`/api/journal/${entry.id}/comments`, `/api/goals/${goal.id}/comments`] as const) {
      for (const [person, content] of [
        [guest, "Theirs"],
        [host, "Mine"],
      ] as const) {
        await api.post(path, person, { content }).created();
      }
    }
    const { data } = await exportOf(api, host);
    const theirs = [{ author: { id: guest.id, full_name: "Guest" }, content: "Theirs" }];
    expect(data("entries")).toMatchObject([{ id: entry.id, comments: theirs }]);
    expect(data("goals")).toMatchObject([{ id: goal.id, comments: theirs }]);
    expect(data("messages")).toMatchObject([
      { goal_id: goal.id, content: "Mine" },
      { entry_id: entry.id, content: "Mine" },
    ]);
    await api.put(`/api/journal/${entry.id}`, host, { metadata_visibility: "user" }).ok();
    const ofGuest = await exportOf(api, guest);
    expect(ofGuest.data("messages")).toMatchObject([{ goal_id: goal.id }, { entry_id: entry.id, content: "Theirs" }]);
  });

  it("is ready once, with a notification, and expires after 7 days", async () => {
    const ben = await api.person();
    const { id } = await exportOf(api, ben);
    const { export: ready } = await api.get(`/api/user/exports/${id}`, ben).ok();
    expect(ready).toMatchObject({ status: "ready", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const days = (Date.parse(ready.expires_at ?? "") - Date.parse(ready.ready_at ?? "")) / 86_400_000;
    expect(days).toBe(7);
    const { notifications } = await api.get("/api/notifications", ben).ok();
    expect(notifications).toMatchObject([{ type: "export_ready", data: { export_id: id } }]);
    expect((await api.get("/api/user/exports", ben).ok()).exports).toEqual([{ ...ready, url: null }]);

    await api.query`update nectar.exports set expires_at = now() - interval '1 second' where id = ${id}`;
    await housekeeping();
    expect((await api.get(`/api/user/exports/${id}`, ben).ok()).export).toMatchObject({ status: "expired", url: null });
    expect(await keys(`exports/${ben.id}/`)).toEqual([]);
  });
});

describe("exports", () => {
  it("are made one at a time, five a UTC day", async () => {
    const cleo = await api.person();
    await leaveQuota(api.adminUrl, cleo, "export", 2);
    const { export: first } = await api.post("/api/user/exports", cleo).created();
    const none = { ready_at: null, expires_at: null, size_bytes: null, sha256: null, url: null };
    expect(first).toEqual({ id: first.id, status: "pending", created_at: first.created_at, ...none });
    await api.idle();
    await api.query`insert into nectar.exports (user_id) values (${cleo.id})`;
    await api.post("/api/user/exports", cleo).refused(409, "export.in_progress");
    await api.query`delete from nectar.exports where user_id = ${cleo.id} and status = 'pending'`;
    await exportOf(api, cleo);
    await api.post("/api/user/exports", cleo).refused(429, "quota.exhausted");
    expect((await api.get("/api/user/exports", cleo).ok()).exports).toHaveLength(2);
  });

  it("are those of the caller only, who can delete them with their file", async () => {
    const [dan, eve] = [await api.person(), await api.person()];
    const { id } = await exportOf(api, dan);
    await api.get(`/api/user/exports/${id}`, eve).refused(404, "export.not_found");
    await api.delete(`/api/user/exports/${id}`, eve).refused(404, "export.not_found");
    expect((await api.get("/api/user/exports", eve).ok()).exports).toEqual([]);
    expect((await api.get(`/api/user/exports/${id}`, dan).ok()).export.status).toBe("ready");
    expect(await keys(`exports/${dan.id}/`)).toEqual([`exports/${dan.id}/${id}.zip`]);
    await api.delete(`/api/user/exports/${id}`, dan).ok();
    await api.get(`/api/user/exports/${id}`, dan).refused(404, "export.not_found");
    await housekeeping();
    expect(await keys(`exports/${dan.id}/`)).toEqual([]);
  });

  it("can be made by people who are suspended", async () => {
    const gus = await api.person();
    await api.query`select private.suspend_user(${gus.id}, '2999-01-01T00:00Z')`;
    const { data } = await exportOf(api, gus);
    expect(data("profile")).toMatchObject({ id: gus.id, suspended_until: "2999-01-01T00:00:00.000Z" });
  });

  it("of super admins have nothing of others either, and read nothing of theirs", async () => {
    const root = await api.person({ role: "super_admin" });
    const { entry } = await api.post("/api/journal", ada, { title: "Private", content: "Mine" }).created();
    await api.post("/api/organizations", ada, { name: "Hive" }).created();
    await api.post("/api/journal", root, { title: "Of root", content: "Text" }).created();
    const { data } = await exportOf(api, root);
    expect(data("entries")).toMatchObject([{ title: "Of root" }]);
    expect(data("organizations")).toEqual([]);
    expect(data("teams")).toEqual([]);
    expect(await api.query`select from private.logged_reads where entry_id = ${entry.id}`).toEqual([]);
  });
});
