import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { VARIABLES } from "@nectar/config/variables";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

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
    expect(lastStage[0]).toBe("FROM node:24-slim");
    expect(lastStage.filter((line) => /^(COPY|ADD|RUN)/.test(line))).toEqual(["COPY --from=build /source/dist ./"]);
    expect(lastStage).toContain("USER node");
    expect(lastStage.some((line) => line.startsWith("HEALTHCHECK"))).toBe(true);
    expect(lastStage.at(-1)).toBe('CMD ["node", "functions/start.mjs"]');
  });

  it("contains no secret: neither the build nor the image gets one", () => {
    expect(lines.filter((line) => line.startsWith("ARG"))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("ENV"))).toEqual(["ENV NODE_ENV=production HOST=0.0.0.0"]);
    // Everything is ignored but what is named.
    expect(read(".dockerignore").split("\n")).toContain("*");
  });
});

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  env_file: z.string().optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal("service_healthy") })).default({}),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

describe("compose.yaml", () => {
  const text = read("compose.yaml");
  const { services, volumes } = Compose.parse(parse(text));

  it("starts PostgreSQL, Auth, Nectar and the proxy one after the other, each when the one before is healthy", () => {
    const waitsFor = Object.entries(services).map(([name, { depends_on }]) => [name, Object.keys(depends_on)]);
    expect(Object.fromEntries(waitsFor)).toEqual({
      proxy: ["nectar"],
      nectar: ["auth"],
      auth: ["postgres"],
      postgres: [],
    });
    // The health check of nectar is in its image.
    for (const name of ["auth", "postgres"]) expect(services[name]?.healthcheck, name).toBeDefined();
  });

  it("gives Nectar variables that it knows, a read-only file system and no capabilities", () => {
    const { nectar } = services;
    const known = new Set(VARIABLES.map(({ name }) => name));
    expect(Object.keys(nectar?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
    expect(nectar).toMatchObject({ read_only: true, cap_drop: ["ALL"], build: ".", env_file: ".env" });
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
