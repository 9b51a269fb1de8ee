import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isPortInUse } from "@nectar/local/ports";
import { runningStack } from "@nectar/local/stack-lock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  runProgram,
  type StackPlace,
  type Started,
  signUp,
  stackPlace,
  startDev,
  startDevAsNpmScript,
  token,
  untilReady,
} from "./dev-process.ts";

// One stack lives through this file; each part leaves it running for the next, as a person at a terminal would.
let place: StackPlace;
let dev: Started;

beforeAll(async () => {
  place = await stackPlace();
  dev = await startDev(place, [], { SUPER_ADMIN_EMAILS: "root@example.com" });
}, 60_000);

afterAll(async () => {
  dev?.child.kill("SIGINT");
  await dev?.ended;
  place?.remove();
}, 60_000);

describe("a running stack", () => {
  test("prints where everything is", () => {
    const output = dev.output();
    const { PORT, LOCAL_DB_PORT } = place.environment;
    expect(output).toContain(`http://localhost:${PORT}`);
    expect(output).toContain(place.supabaseUrl);
    expect(output).toContain(`postgresql://postgres:postgres@127.0.0.1:${LOCAL_DB_PORT}/postgres`);
    expect(output).toContain("sb_publishable_nectar_local");
    for (const name of ["LOCAL_S3_PORT", "LOCAL_AI_PORT", "LOCAL_PAYMENTS_PORT", "LOCAL_MAIL_PORT"]) {
      expect(output).toContain(`http://127.0.0.1:${place.environment[name]}`);
    }
    expect(output).toContain("From your environment instead of the local default: SUPER_ADMIN_EMAILS");
  });

  test("answers with a home page that needs no network", async () => {
    const response = await fetch(place.apiUrl);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(html).toContain('href="/docs"');
    expect(html).toContain('href="/openapi.json"');
    // Only the stand-ins on this machine have pages elsewhere, and only links lead there.
    expect(html).not.toMatch(/src="https?:|href="https?:(?!\/\/127\.0\.0\.1:)/);
    for (const name of ["LOCAL_MAIL_PORT", "LOCAL_PUSH_PORT"]) {
      expect(html).toContain(`href="http://127.0.0.1:${place.environment[name]}"`);
    }
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("answers with the API reference and its script, which may call nobody else", async () => {
    const page = await fetch(`${place.apiUrl}/docs`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('src="/docs/assets/reference.js"');
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
    const script = await fetch(`${place.apiUrl}/docs/assets/reference.js`);
    expect(script.status).toBe(200);
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect((await script.text()).length).toBeGreaterThan(1_000_000);
  });

  test("hands every other path to the API, under the complete environment", async () => {
    const response = await fetch(`${place.apiUrl}/api/anything`);
    const seen: unknown = await response.json();
    expect(seen).toMatchObject({
      path: "/api/anything",
      superAdmins: "root@example.com",
      issuer: "none",
      given: expect.arrayContaining([
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

  test("gives an access token to whoever has an account, and only that on standard output", async () => {
    await signUp(place, "writer@example.com", "a-good-password");
    const signedIn = await token(place, ["writer@example.com", "--password", "a-good-password"]);
    expect(signedIn.code).toBe(0);
    expect(signedIn.output).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  test("says what is wrong when no token can be had", async () => {
    const [wrongPassword, unknown, nobody] = await Promise.all([
      token(place, ["writer@example.com", "--password", "another-password"]),
      token(place, ["stranger@example.com"]),
      token(place, []),
    ]);
    expect(wrongPassword).toMatchObject({ code: 1, output: expect.stringContaining("the password is wrong") });
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining("--password") });
    expect(nobody).toMatchObject({ code: 1, output: expect.stringContaining("Usage:") });
  });

  test("keeps a second instance off the same data, naming the process and the variables to change", async () => {
    const second = await runProgram("dev-fixture.ts", [], place.environment);
    expect(second.code).toBe(1);
    expect(second.output).toContain(`process ${dev.child.pid}`);
    expect(second.output).toContain("LOCAL_DATA_DIR");
    expect(second.output).not.toContain("    at ");
  });

  test("reports every port that is in use, with the variable that moves it", async () => {
    const other = await stackPlace();
    const { LOCAL_DATA_DIR, ...samePorts } = place.environment;
    const second = await runProgram("dev-fixture.ts", [], { ...other.environment, ...samePorts });
    other.remove();
    expect(LOCAL_DATA_DIR).not.toBe(other.folder);
    expect(second.code).toBe(1);
    for (const [port, variable] of Object.entries(samePorts).map(([name, value]) => [value, name])) {
      expect(second.output).toMatch(new RegExp(`Port ${port} .* ${variable}\\.`));
    }
    expect((await fetch(`${place.apiUrl}/still-here`)).status).toBe(200);
  });
});

describe("the end of a stack", () => {
  test("Ctrl-C stops everything in order and the data is there at the next start", async () => {
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(0);
    expect(dev.output()).toContain("the API was closed");
    for (const name of Object.keys(place.environment).filter((variable) => variable.endsWith("PORT"))) {
      expect(await isPortInUse(Number(place.environment[name])), name).toBe(false);
    }
    const notRunning = await token(place, ["writer@example.com", "--password", "a-good-password"]);
    expect(notRunning).toMatchObject({ code: 1, output: expect.stringContaining("npm run dev") });

    dev = await startDev(place);
    expect(dev.output()).not.toContain("without stopping");
    expect((await token(place, ["writer@example.com", "--password", "a-good-password"])).code).toBe(0);
  }, 60_000);

  test("kill -9 leaves no server behind, and its locks are cleared without touching anyone else's process", async () => {
    await signUp(place, "late@example.com", "a-good-password");
    dev.child.kill("SIGKILL");
    expect(await dev.ended).toBe("SIGKILL");
    const databasePort = Number(place.environment.LOCAL_DB_PORT);
    for (let waited = 0; waited < 400 && (await isPortInUse(databasePort)); waited += 1) await sleep(50);
    expect(await isPortInUse(databasePort)).toBe(false);

    // As after a power cut: PostgreSQL's own lock is there too, and its pid has been given to a stranger (this process).
    const clusterLock = join(place.folder, "postgres", "data", "postmaster.pid");
    writeFileSync(clusterLock, `${process.pid}\n${join(place.folder, "postgres", "data")}\n1\n${databasePort}\n`);
    dev = await startDev(place);
    expect(dev.output()).toContain("The last run ended without stopping");
    expect(Number.parseInt(readFileSync(clusterLock, "utf8"), 10)).not.toBe(process.pid);
    expect((await token(place, ["late@example.com", "--password", "a-good-password"])).code).toBe(0);
  }, 60_000);

  test.each(["PostgreSQL", "Supabase Lite"])(
    "kill -9 of %s ends everything with a line that says so and code 1; the data is there at the next start",
    async (name) => {
      const email = `${name.slice(0, 8).toLowerCase()}@example.com`;
      await signUp(place, email, "a-good-password");
      const child = runningStack(place.folder)?.children[name === "PostgreSQL" ? 0 : 1];
      if (child === undefined) throw new Error(`${name} is not noted as started.`);
      process.kill(child.pid, "SIGKILL");
      expect(await dev.ended).toBe(1);
      expect(dev.output()).toContain(`${name} was killed (see `);
      expect(dev.output()).not.toContain("    at ");
      expect(await isPortInUse(Number(place.environment.LOCAL_DB_PORT))).toBe(false);
      dev = await startDev(place);
      expect((await token(place, [email, "--password", "a-good-password"])).code).toBe(0);
    },
    60_000,
  );

  test("the end of npm is the end of the stack, in good order", async () => {
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
    dev = startDevAsNpmScript(place);
    await untilReady(dev);
    dev.child.kill("SIGTERM");
    await dev.ended;
    expect(dev.output()).toContain("npm has ended");
    expect(dev.output()).toContain("Stopped.");
    expect(await isPortInUse(Number(place.environment.LOCAL_DB_PORT))).toBe(false);
  }, 60_000);

  test("an address from outside, alone, keeps its stand-in from starting", async () => {
    const elsewhere = "http://127.0.0.1:9";
    dev = await startDev(place, [], { AI_PROVIDER_BASE_URL: elsewhere, STRIPE_BASE_URL: elsewhere });
    expect(await isPortInUse(Number(place.environment.LOCAL_AI_PORT))).toBe(false);
    expect(await isPortInUse(Number(place.environment.LOCAL_PAYMENTS_PORT))).toBe(false);
    expect(await isPortInUse(Number(place.environment.LOCAL_S3_PORT))).toBe(true);
    expect(dev.output()).toMatch(/Payments +your own \(STRIPE_BASE_URL\)/);
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(0);
  }, 60_000);

  test("--fresh starts over", async () => {
    dev = await startDev(place, ["--fresh"]);
    expect((await token(place, ["late@example.com", "--password", "a-good-password"])).code).toBe(1);
  }, 60_000);
});
