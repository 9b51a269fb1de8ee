import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPortInUse } from "#local/support/ports";
import { LONG } from "#tests/long";
import {
  newTestStack,
  runProgram,
  runToken,
  type Started,
  signUp,
  startDev,
  startDevAsNpmScript,
  type TestStack,
  untilReady,
} from "./dev-process.ts";

// All tests of this file use one stack, in their order, as a developer at a terminal would.
let stack: TestStack;
let dev: Started;

beforeAll(async () => {
  stack = await newTestStack();
  dev = await startDev(stack, [], { SUPER_ADMIN_EMAILS: "root@example.com" });
});

afterAll(async () => {
  dev?.child.kill("SIGINT");
  await dev?.ended;
  await stack?.remove();
});

describe("a running stack", () => {
  test("prints all addresses", () => {
    const output = dev.output();
    const { PORT, LOCAL_DB_PORT } = stack.environment;
    expect(output).toContain(`http://localhost:${PORT}`);
    expect(output).toContain(stack.supabaseUrl);
    expect(output).toContain(`postgresql://postgres:postgres@127.0.0.1:${LOCAL_DB_PORT}/postgres`);
    expect(output).toContain("sb_publishable_nectar_local");
    for (const name of ["LOCAL_S3_PORT", "LOCAL_AI_PORT", "LOCAL_PAYMENTS_PORT", "LOCAL_MAIL_PORT"]) {
      expect(output).toContain(`http://127.0.0.1:${stack.environment[name]}`);
    }
    expect(output).toContain("From your environment instead of the local default: SUPER_ADMIN_EMAILS");
    expect(output).toMatch(/Super admin +root@example\.com\n/);
  });

  test("serves a home page that needs no network", async () => {
    const response = await fetch(stack.apiUrl);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(html).toContain('href="/docs"');
    expect(html).toContain('href="/openapi.json"');
    // Only the stand-ins on this machine have pages elsewhere, and only links lead there.
    expect(html).not.toMatch(/src="https?:|href="https?:(?!\/\/127\.0\.0\.1:)/);
    for (const name of ["LOCAL_MAIL_PORT", "LOCAL_PUSH_PORT"]) {
      expect(html).toContain(`href="http://127.0.0.1:${stack.environment[name]}"`);
    }
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("serves the API reference and its scripts, which may call no other server", async () => {
    const page = await fetch(`${stack.apiUrl}/docs`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('src="/docs/assets/reference.js"');
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
    for (const [name, content] of [
      ["reference.js", "SwaggerUIBundle("],
      ["swagger-ui.js", "SwaggerUIBundle"],
    ] as const) {
      const script = await fetch(`${stack.apiUrl}/docs/assets/${name}`);
      expect(script.status).toBe(200);
      expect(script.headers.get("content-type")).toContain("text/javascript");
      expect((await script.text()).includes(content), name).toBe(true);
    }
  });

  test("passes every other path to the API, which has the complete environment", async () => {
    const response = await fetch(`${stack.apiUrl}/api/anything`);
    const seen: unknown = await response.json();
    expect(seen).toMatchObject({
      path: "/api/anything",
      superAdmins: "root@example.com",
      issuer: "none",
      variables: expect.arrayContaining([
        "DATABASE_URL",
        "SUPABASE_URL",
        "SUPABASE_JWT_SECRET",
        "MAINTENANCE_CRON_SECRET",
        "S3_ENDPOINT",
        "AI_PROVIDER_BASE_URL",
        "STRIPE_BASE_URL",
      ]),
    });
  });

  test("prints the access token of an account, and nothing else", async () => {
    await signUp(stack, "writer@example.com", "a-good-password");
    const signedIn = await runToken(stack, ["writer@example.com", "--password", "a-good-password"]);
    expect(signedIn.code).toBe(0);
    expect(signedIn.output).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  test("says why there is no token", async () => {
    const [wrongPassword, unknown, missing] = await Promise.all([
      runToken(stack, ["writer@example.com", "--password", "another-password"]),
      runToken(stack, ["stranger@example.com"]),
      runToken(stack, []),
    ]);
    expect(wrongPassword).toMatchObject({ code: 1, output: expect.stringContaining("the password is wrong") });
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining("--password") });
    expect(missing).toMatchObject({ code: 1, output: expect.stringContaining("Usage:") });
  });

  test("refuses a second start on the same data, naming the process and the variables to change", async () => {
    const second = await runProgram("dev-fixture.ts", [], stack.environment);
    expect(second.code).toBe(1);
    expect(second.output).toContain(`process ${dev.child.pid}`);
    expect(second.output).toContain("LOCAL_DATA_DIR");
    expect(second.output).not.toContain("    at ");
  });

  test("reports every port that is in use, with the variable that moves it", async () => {
    const other = await newTestStack();
    const { LOCAL_DATA_DIR, ...samePorts } = stack.environment;
    const second = await runProgram("dev-fixture.ts", [], { ...other.environment, ...samePorts });
    await other.remove();
    expect(LOCAL_DATA_DIR).not.toBe(other.folder);
    expect(second.code).toBe(1);
    for (const [port, variable] of Object.entries(samePorts).map(([name, value]) => [value, name])) {
      expect(second.output).toMatch(new RegExp(`Port ${port} .* ${variable}\\.`));
    }
    expect((await fetch(`${stack.apiUrl}/still-here`)).status).toBe(200);
  });
});

/** The process of a part of the running stack. */
function pidOf(part: string): number {
  if (part === "PostgreSQL") return Number.parseInt(readFileSync(clusterLock(), "utf8"), 10);
  const processes = execFileSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" }).split("\n");
  const line = processes.find((each) => each.includes("supabase/lite") && each.includes(` ${dev.child.pid} `));
  return Number.parseInt(line ?? "", 10);
}

const clusterLock = () => join(stack.folder, "postgres", "data", "postmaster.pid");

describe("the end of a stack", () => {
  test("with Ctrl-C stops everything in order, and the next start has the data", async () => {
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(0);
    expect(dev.output()).toContain("the API was closed");
    for (const name of Object.keys(stack.environment).filter((variable) => variable.endsWith("PORT"))) {
      expect(await isPortInUse(Number(stack.environment[name])), name).toBe(false);
    }
    const notRunning = await runToken(stack, ["writer@example.com", "--password", "a-good-password"]);
    expect(notRunning).toMatchObject({ code: 1, output: expect.stringContaining("npm run dev") });

    dev = await startDev(stack);
    expect(dev.output()).not.toContain("without stopping");
    expect((await runToken(stack, ["writer@example.com", "--password", "a-good-password"])).code).toBe(0);
  });

  test("with kill -9 leaves no server behind, and the next start clears its locks without signaling another program", async () => {
    await signUp(stack, "late@example.com", "a-good-password");
    dev.child.kill("SIGKILL");
    expect(await dev.ended).toBe("SIGKILL");
    const databasePort = Number(stack.environment.LOCAL_DB_PORT);
    await expect.poll(() => isPortInUse(databasePort)).toBe(false);

    // As after a power cut: PostgreSQL's own lock is there too, and its pid belongs to another program (this process).
    writeFileSync(clusterLock(), `${process.pid}\n${join(stack.folder, "postgres", "data")}\n1\n${databasePort}\n`);
    dev = await startDev(stack);
    expect(dev.output()).toContain("The last run ended without stopping");
    expect(Number.parseInt(readFileSync(clusterLock(), "utf8"), 10)).not.toBe(process.pid);
    expect((await runToken(stack, ["late@example.com", "--password", "a-good-password"])).code).toBe(0);
  });

  // At night: each needs another start, and the test before has killed the whole stack.
  test.runIf(LONG).each(["PostgreSQL", "Supabase Lite"])(
    "with kill -9 of %s stops everything with a message and code 1, and the next start has the data",
    async (name) => {
      const email = `${name.slice(0, 8).toLowerCase()}@example.com`;
      await signUp(stack, email, "a-good-password");
      process.kill(pidOf(name), "SIGKILL");
      expect(await dev.ended).toBe(1);
      expect(dev.output()).toContain(`${name} has ended (see `);
      expect(dev.output()).not.toContain("    at ");
      expect(await isPortInUse(Number(stack.environment.LOCAL_DB_PORT))).toBe(false);
      dev = await startDev(stack);
      expect((await runToken(stack, [email, "--password", "a-good-password"])).code).toBe(0);
    },
  );

  test("with the end of npm stops everything in order", async () => {
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
    dev = startDevAsNpmScript(stack);
    await untilReady(dev);
    dev.child.kill("SIGTERM");
    await dev.ended;
    expect(dev.output()).toContain("npm has ended");
    expect(dev.output()).toContain("Stopped.");
    expect(await isPortInUse(Number(stack.environment.LOCAL_DB_PORT))).toBe(false);
  });

  test("before the next start: --fresh deletes the data, and a vendor's address replaces its stand-in", async () => {
    const elsewhere = "http://127.0.0.1:9";
    dev = await startDev(stack, ["--fresh"], { AI_PROVIDER_BASE_URL: elsewhere, STRIPE_BASE_URL: elsewhere });
    expect((await runToken(stack, ["late@example.com", "--password", "a-good-password"])).code).toBe(1);
    expect(await isPortInUse(Number(stack.environment.LOCAL_AI_PORT))).toBe(false);
    expect(await isPortInUse(Number(stack.environment.LOCAL_PAYMENTS_PORT))).toBe(false);
    expect(await isPortInUse(Number(stack.environment.LOCAL_S3_PORT))).toBe(true);
    expect(dev.output()).toMatch(/Payments +your own \(STRIPE_BASE_URL\)/);
  });
});
