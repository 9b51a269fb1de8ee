import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiEnvironment } from "@nectar/local/api-environment";
import { readLocalSettings } from "@nectar/local/local-settings";
import { runningStack, takeStackLock } from "@nectar/local/stack-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const databaseUrl = "postgresql://postgres:postgres@127.0.0.1:54322/postgres";
const supabaseUrl = "http://127.0.0.1:54321";

describe("settings of the local stack", () => {
  test("have a default each, also where a variable is empty", () => {
    expect(readLocalSettings({ PORT: "", LOCAL_DATA_DIR: "" })).toMatchObject({
      apiPort: 3000,
      supabasePort: 54321,
      databasePort: 54322,
    });
  });

  test.each(["0", "65536", "80a", "-1", "3000.5"])("refuse %s as a port, naming the variable", (port) => {
    expect(() => readLocalSettings({ LOCAL_DB_PORT: port })).toThrow("LOCAL_DB_PORT must be a port number");
  });

  test("refuse the same port twice", () => {
    expect(() => readLocalSettings({ PORT: "54321" })).toThrow("three different ports");
  });
});

describe("the API's environment", () => {
  const defaultsWith = (outside: Record<string, string>) =>
    apiEnvironment(outside, readLocalSettings(outside), databaseUrl, supabaseUrl);

  test("is complete by itself", () => {
    const { variables, replaced } = defaultsWith({});
    expect(variables).toMatchObject({
      DATABASE_URL: expect.stringMatching(/^postgresql:\/\/nectar_api:.+@127\.0\.0\.1:54322\/postgres$/),
      SUPABASE_URL: supabaseUrl,
      SUPER_ADMIN_EMAILS: "admin@nectar.local",
    });
    expect(replaced).toEqual([]);
  });

  test("lets every variable from outside win, also an empty one", () => {
    const { variables, replaced } = defaultsWith({ MAINTENANCE_CRON_SECRET: "", SUPER_ADMIN_EMAILS: "me@example.com" });
    expect(variables).toMatchObject({ MAINTENANCE_CRON_SECRET: "", SUPER_ADMIN_EMAILS: "me@example.com" });
    expect(replaced.sort()).toEqual(["MAINTENANCE_CRON_SECRET", "SUPER_ADMIN_EMAILS"]);
  });

  test("does not hand the local signing key to an API that trusts another Supabase", () => {
    const { variables } = defaultsWith({ SUPABASE_URL: "https://project.supabase.co" });
    expect(variables).not.toHaveProperty("SUPABASE_JWT_SECRET");
    expect(variables).not.toHaveProperty("SUPABASE_JWT_ISSUER");
  });
});

describe("the lock of a data folder", () => {
  const urls = { apiUrl: "http://localhost:3000", supabaseUrl };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nectar-lock-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("belongs to one process and can be taken again once it is given back", () => {
    const lock = takeStackLock(folder, urls);
    expect(() => takeStackLock(folder, urls)).toThrow(`process ${process.pid}`);
    expect(runningStack(folder)).toMatchObject(urls);
    lock.release();
    expect(runningStack(folder)).toBeUndefined();
    expect(takeStackLock(folder, urls).wasLeftByCrash).toBe(false);
  });

  test("left by a crash is taken over together with the children it names", () => {
    const gone = { pid: process.pid, startedAt: "in another life" };
    const note = { owner: gone, ...urls, children: [{ pid: 4_000_000, startedAt: "then" }] };
    writeFileSync(join(folder, "stack.lock"), JSON.stringify(note));
    expect(takeStackLock(folder, urls)).toMatchObject({ wasLeftByCrash: true, orphans: note.children });
  });

  test("that cannot be read is taken over", () => {
    writeFileSync(join(folder, "stack.lock"), '{"owner":');
    expect(takeStackLock(folder, urls)).toMatchObject({ wasLeftByCrash: true, orphans: [] });
  });
});
