import { execFileSync } from "node:child_process";
import { createSecretKey } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { validate } from "dockerfile-utils";
import { jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { readConfig } from "#config/config";
import { VARIABLES } from "#config/variables";
import { COLLATIONS } from "#local/database/postgres-cluster";
import { postgresAccount, postgresPrograms } from "#local/database/postgres-files";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the Dockerfile", () => {
  const text = read("Dockerfile");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM")));

  it("has no problem that a linter of Dockerfiles finds", () => {
    expect(validate(text)).toEqual([]);
  });

  it("ends with a slim image of Node 24 that has only the built server, runs not as root and has a health check", () => {
    expect(lastStage[0]).toMatch(/^FROM node:24\.[\d.]+-[a-z]+-slim$/);
    expect(lastStage.filter((line) => /^(COPY|ADD|RUN)/.test(line))).toEqual(["COPY --from=build /source/dist ./"]);
    expect(lastStage).toContain("USER node");
    expect(lastStage.some((line) => line.startsWith("HEALTHCHECK"))).toBe(true);
    expect(lastStage.at(-1)).toBe('CMD ["node", "functions/start.mjs"]');
  });

  it("contains no secret: neither the build nor the image gets one", () => {
    expect(lines.filter((line) => line.startsWith("ARG"))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("ENV"))).toEqual([
      "ENV NODE_ENV=production HOST=0.0.0.0 MALLOC_ARENA_MAX=2",
    ]);
    // Everything is ignored but what is named.
    expect(read(".dockerignore").split("\n")).toContain("*");
  });
});

const Service = z.object({
  image: z.string(),
  build: z.union([z.string(), z.object({ context: z.string(), target: z.string() })]).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  env_file: z
    .union([z.string(), z.array(z.object({ path: z.string(), required: z.boolean().default(true) }))])
    .optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  logging: z
    .object({
      driver: z.literal("json-file"),
      options: z.object({ "max-size": z.string().regex(/^\d+m$/), "max-file": z.string().regex(/^\d+$/) }),
    })
    .optional(),
  command: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional() }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

describe("compose.yaml", () => {
  const text = read("compose.yaml");

  it("names the Debian release of PostgreSQL, and creates a cluster that sorts as the local ones do, in UTC", async () => {
    expect(read("docker/postgres/Dockerfile")).toMatch(/^FROM postgres:\d+-[a-z]+$/m);
    expect(validate(read("docker/postgres/Dockerfile"))).toEqual([]);
    const { POSTGRES_INITDB_ARGS: flags = "" } = services.postgres?.environment ?? {};
    expect(flags).toContain(COLLATIONS.builtin);
    const account = await postgresAccount();
    const folder = mkdtempSync(join(tmpdir(), "nectar-initdb-"));
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    const initdb = join(await postgresPrograms(account), "initdb");
    // As in the image, whose zone is not named and whose language is English.
    const env = { PATH: process.env.PATH, LANG: "en_US.utf8" };
    execFileSync(initdb, [`--pgdata=${folder}`, "--no-sync", ...flags.split(" ")], { ...account, env, stdio: "pipe" });
    const settings = readFileSync(join(folder, "postgresql.conf"), "utf8");
    expect(settings.match(/^(log_)?timezone = .*$/gm)).toEqual(["log_timezone = UTC", "timezone = UTC"]);
    rmSync(folder, { recursive: true });
  });
  const { services, volumes } = Compose.parse(parse(text, { merge: true }));

  it("keeps at most 100 MB of logs of each service, however many requests there are", () => {
    for (const [name, { logging }] of Object.entries(services)) {
      const { "max-size": size = "", "max-file": files = "" } = logging?.options ?? {};
      // Docker counts in powers of two.
      const bytes = Number.parseInt(size, 10) * 2 ** 20 * Number(files);
      expect(bytes, name).toBeGreaterThan(0);
      expect(bytes, name).toBeLessThanOrEqual(100_000_000);
    }
  });

  it("pins every image, so that a later start or build does not bring another program", () => {
    const built = Object.values(services).filter(({ build }) => build !== undefined);
    const named = Object.values(services).flatMap(({ build, image }) => (build === undefined ? [image] : []));
    const bases = ["Dockerfile", "docker/postgres/Dockerfile"].flatMap((file) =>
      [...read(file).matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image),
    );
    expect([built.length, named.length, bases.length].every((count) => count > 0)).toBe(true);
    // PostgreSQL's minor releases only repair, so its name has the major one and the Debian release.
    const pinned = /^(?:[a-z/]+:v?\d+\.\d+\.\d+(?:-[a-z-]+)?|postgres:\d+-[a-z]+)$/;
    expect([...named, ...bases].filter((image) => !pinned.test(image))).toEqual([]);
  });

  it("starts PostgreSQL, Auth, the migrations, Nectar and the proxy one after the other, each when the one before is ready", () => {
    const waitsFor = Object.entries(services).map(([name, { depends_on }]) => [name, depends_on]);
    expect(Object.fromEntries(waitsFor)).toEqual({
      proxy: { nectar: { condition: "service_healthy" } },
      nectar: { migrate: { condition: "service_completed_successfully" } },
      migrate: { auth: { condition: "service_healthy" } },
      backup: { migrate: { condition: "service_completed_successfully" } },
      auth: { postgres: { condition: "service_healthy" } },
      realtime: { postgres: { condition: "service_healthy" } },
      postgres: {},
    });
    // The health check of nectar is in its image.
    for (const name of ["auth", "realtime", "postgres"]) expect(services[name]?.healthcheck?.test, name).toBeDefined();
  });

  it("gives Nectar variables that it knows, a read-only file system and no capabilities", () => {
    const known = new Set(VARIABLES.map(({ name }) => name));
    for (const service of [services.nectar, services.migrate]) {
      expect(Object.keys(service?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], build: "." });
    }
  });

  it("gives the superuser's address to the migrations and the backup only, and no password of another container to Nectar", () => {
    const { nectar } = services;
    const having = Object.keys(services).filter((name) => "DATABASE_ADMIN_URL" in (services[name]?.environment ?? {}));
    expect(having).toEqual(["migrate", "backup"]);
    expect(JSON.stringify(nectar)).not.toMatch(/POSTGRES_PASSWORD|AUTH_PASSWORD|SMTP_PASSWORD/);
    const files = Object.entries(services).map(([name, { env_file }]) => [name, env_file]);
    expect(files.filter(([, file]) => file !== undefined)).toEqual([
      ["nectar", ".env.nectar"],
      [
        "backup",
        [
          { path: ".env.nectar", required: true },
          { path: ".env.backup", required: false },
        ],
      ],
    ]);
    // The file that the containers share has no variable that only Nectar reads.
    const [shared = "", own = ""] = read("docs/self-hosting.md").split("cat > .env.nectar <<END\n");
    expect(shared.match(/^\w+(?==)/gm)?.filter((name) => !text.includes(`\${${name}`))).toEqual([]);
    const known = new Set(VARIABLES.map(({ name }) => name));
    expect(
      own
        .split("END\n")[0]
        ?.match(/^\w+(?==)/gm)
        ?.filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it("runs programs for the migrations and the backup that the build writes", () => {
    const [, migrate = ""] = services.migrate?.command ?? [];
    const [, target = "", backup = ""] =
      /^FROM (\S+) AS backup$.*?^CMD \["node", "(.*?)", "--nightly"\]$/ms.exec(read("Dockerfile")) ?? [];
    for (const program of [migrate, backup]) {
      expect(read("tools/build-server.ts")).toContain(`"${program.replace(/mjs$/, "ts")}"`);
    }
    // pg_dump must not be older than the server.
    expect(read("docker/postgres/Dockerfile")).toContain(`FROM ${target}\n`);
    expect(services.backup?.build).toEqual({ context: ".", target: "backup" });
  });

  it("has Auth send mails whose links the proxy hands to Auth, and limit callers by the header of the proxy", () => {
    const environment = services.auth?.environment ?? {};
    const paths = Object.entries(environment).filter(([name]) => name.startsWith("GOTRUE_MAILER_URLPATHS_"));
    expect(paths.map(([name]) => name.replace("GOTRUE_MAILER_URLPATHS_", "")).sort()).toEqual([
      "CONFIRMATION",
      "EMAIL_CHANGE",
      "INVITE",
      "RECOVERY",
    ]);
    for (const [name, path] of paths) expect(path, name).toBe("/auth/v1/verify");
    expect(read("docker/Caddyfile")).toContain("handle_path /auth/v1/* {");
    expect(environment.GOTRUE_RATE_LIMIT_HEADER).toBe("X-Forwarded-For");
  });

  it("passes to Auth what the page for apps says that .env has", () => {
    const rows = [...read("docs/guide/apps.md").matchAll(/\| `(\w+)[^|]*\| `(GOTRUE_\w+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(5);
    const environment = services.auth?.environment ?? {};
    for (const [, name, variable = ""] of rows) expect.soft(environment[variable]).toMatch(`\${${name}:-`);
  });

  it("has Realtime read the log of the database as the role of the first start, in the project that the proxy names", () => {
    const { realtime, postgres } = services;
    const script = read("docker/init-database.sql");
    expect(postgres?.command).toEqual(["postgres", "-c", "wal_level=logical"]);
    const major = /^FROM postgres:(\d+)/m.exec(read("docker/postgres/Dockerfile"))?.[1];
    expect(read("docker/postgres/Dockerfile")).toContain(` postgresql-${major}-wal2json `);
    expect(script).toContain(`create role ${realtime?.environment.DB_USER} login superuser replication`);
    expect(script).toContain("create publication supabase_realtime;");
    const [, schema] = / search_path TO (\w+)$/.exec(realtime?.environment.DB_AFTER_CONNECT_QUERY ?? "") ?? [];
    expect(script).toContain(`create schema ${schema} authorization ${realtime?.environment.DB_USER};`);
    const host = /handle \/realtime\/v1\/websocket \{[^}]*header_up Host (\w+)\./.exec(read("docker/Caddyfile"))?.[1];
    expect(host).toBe(realtime?.environment.SELF_HOST_TENANT_NAME);
    expect(realtime?.image).toMatch(/^supabase\/realtime:v\d+\.\d+\.\d+$/);
  });

  it("has a recipe for the key of apps, which Realtime verifies, and which is nobody's token", async () => {
    const [, script = ""] = /nectar node -e '\n(.*?)'$/ms.exec(read("docs/self-hosting.md")) ?? [];
    const secret = "a secret of at least thirty-two characters";
    const key = execFileSync(process.execPath, ["-e", script], {
      env: { SUPABASE_JWT_SECRET: secret },
      encoding: "utf8",
    });
    const { payload } = await jwtVerify(key.trim(), createSecretKey(secret, "utf8"), { algorithms: ["HS256"] });
    expect(payload).toEqual({ role: "anon", exp: expect.any(Number) });
  });

  it("publishes only the ports of the proxy", () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(["proxy"]);
  });

  it("takes every secret from .env, as the page about self-hosting writes it", () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
    const page = read("docs/self-hosting.md");
    expect([...used].filter((name) => !page.includes(`\n${name}=`))).toEqual([]);
    const secrets = Object.values(services)
      .flatMap(({ environment }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET|_PASS$|_URL$/.test(name) && !/EXTERNAL|SITE/.test(name));
    expect(secrets.length).toBeGreaterThan(5);
    for (const [name, value] of secrets) expect(value, name).toMatch(/\$\{\w+/);
  });

  it("mounts files that exist and volumes that are declared", () => {
    const sources = Object.values(services).flatMap((service) =>
      (service.volumes ?? []).map((one) => one.split(":")[0] ?? ""),
    );
    for (const source of sources) {
      expect(source.startsWith("./") ? existsSync(join(root, source)) : source in volumes, source).toBe(true);
    }
  });
});

describe("the recipe without containers", () => {
  const [, recipe = ""] = read("docs/self-hosting.md").split("## Without containers");

  it("has the settings that a server needs to start, and migrate as the administrator", () => {
    const [, lines = ""] = /\/etc\/nectar\.env\) <<END\n(.*?)^END$/ms.exec(recipe) ?? [];
    const settings = Object.fromEntries(
      lines
        .replaceAll(/\$\(openssl rand -hex \d+\)|\$ADMIN/g, "a".repeat(64))
        .split("\n")
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(readConfig(settings).databaseUrl).toMatch(/^postgres:\/\/nectar_api:/);
    expect(settings.DATABASE_ADMIN_URL).toMatch(/^postgres:\/\/postgres:/);
  });

  it("starts the program that the build writes, with the Node that npm installs", () => {
    const [, program = ""] = /^ExecStart=\/opt\/nectar\/node (\S+)$/m.exec(recipe) ?? [];
    expect(read("tools/build-server.ts")).toContain(`"${program.replace(/mjs$/, "ts")}"`);
    expect(recipe).toContain("cp -r dist/. node_modules/node/bin/node /opt/nectar/");
    expect(existsSync(join(root, "node_modules/node/bin/node"))).toBe(true);
  });
});

describe("the Caddyfile", () => {
  // Directives of the site itself have one tab.
  const directives =
    read("docker/Caddyfile")
      .match(/^\t[^\t#}].*$/gm)
      ?.map((line) => line.trim()) ?? [];

  it("keeps paths of jobs from Nectar", () => {
    expect(read("docker/Caddyfile")).toContain("@cron path_regexp /cron/\n\thandle @cron {\n\t\trespond 404\n\t}\n");
  });

  it("lets requests wait while a server is replaced", () => {
    expect(read("docker/Caddyfile")).toMatch(/reverse_proxy nectar:3000 \{[^}]*lb_try_duration 10s/);
  });

  it("responds in handle blocks only, of which Caddy runs the first that fits", () => {
    const others = directives.filter((line) => !/^(handle(_path)? |@)/.test(line));
    expect(others).toEqual(["request_body {"]);
    expect(directives.at(-1)).toBe("handle {");
  });
});
