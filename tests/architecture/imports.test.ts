import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS } from "../../functions/groups.ts";
import { importsOf, ROOT, readSources, roomOf, roomOfImport } from "./sources.ts";

const sources = readSources();

/** Which rooms of ours a room may look into; everything else is a wall. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "packages/core": [],
  "packages/config": [],
  "packages/database": ["packages/core"],
  "packages/providers": ["packages/core"],
  "packages/http": ["packages/core", "packages/config", "packages/database", "packages/providers"],
  "packages/ai": ["packages/core", "packages/database", "packages/providers"],
  "packages/journal": ["packages/core", "packages/database"],
  "packages/notifications": ["packages/core", "packages/database", "packages/providers"],
  "packages/deploy": ["packages/config"],
  "packages/local": ["packages/config", "packages/core"],
};
const EVERY_GROUP = [
  "packages/ai",
  "packages/core",
  "packages/database",
  "packages/http",
  "packages/journal",
  "packages/notifications",
  "packages/providers",
  "packages/deploy",
];
/** The rooms of a group that is a house of several, and which of its other rooms each may look into. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "functions/workout-window/matching": [],
  "functions/workout-window/windows": ["matching"],
  "functions/workout-window/check-ins": ["matching", "windows"],
  "functions/workout-window/chains": ["check-ins", "matching"],
  "functions/workout-window/mosaics": [],
  "functions/workout-window/battles": [],
  "functions/workout-window/synthetic-users": ["matching"],
  "functions/workout-window/days": ["battles"],
  "functions/encouragement-drops/badges": [],
  "functions/encouragement-drops/drops": ["badges"],
};
/** The files that join the rooms of a house; a room may look into the files beside them, not into these. */
const JOINING = /\/(app|handler)\.ts$/;

/** The endpoints of a room, which only the app imports. */
const ROUTES = /\/routes\.ts$/;

/** The files that put all groups together, for development, generated files and deployment. */
const COMPOSITION = /^functions\/(reference\/)?[a-z-]+\.ts$/;

/** The table of scheduled jobs: each job is built with its row. */
const SCHEDULE_TABLE = /^(\.\.\/)+schedules\.ts$/;

/** Rooms that only the entry point of a group may look into, and the generator of the list of what is deployed. */
const ENTRY_ONLY = ["packages/deploy"];
const ENTRIES = /\/handler\.ts$|^functions\/third-party\.ts$/;

/** Vendor packages that only some rooms may know. */
const VENDORS: readonly { name: RegExp; rooms: RegExp }[] = [
  { name: /^hono(\/|$)/, rooms: /^(packages\/(http|local|deploy)|functions)\// },
  { name: /^hono\/aws-lambda$/, rooms: /^packages\/deploy\/lambda-handler\.ts$/ },
  { name: /^pg$/, rooms: /^packages\/(database|local)\// },
  { name: /^kysely$/, rooms: /^(packages\/(ai|database|http|journal|notifications)|functions)\// },
  { name: /^jose$/, rooms: /^packages\/(http\/|local\/stand-ins\/push-vapid\.ts$)/ },
  { name: /^pino$/, rooms: /^packages\/http\// },
  { name: /^@supabase\//, rooms: /^packages\/(local\/|providers\/public-images\.ts)/ },
  { name: /^stripe(\/|$)/, rooms: /^(packages\/providers\/payments\.ts|functions\/payment-webhook\/)/ },
  { name: /^openai(\/|$)/, rooms: /^packages\/providers\/ai\.ts$/ },
  { name: /^resend$/, rooms: /^packages\/providers\/email\.ts$/ },
  { name: /^web-push$/, rooms: /^packages\/providers\/push\.ts$/ },
  { name: /^@redocly\//, rooms: /^functions\/reference\/lint\.ts$/ },
  { name: /^@aws-sdk\//, rooms: /^packages\/providers\/private-files\.ts$/ },
  { name: /^sharp$/, rooms: /^packages\/providers\/(photos|png)\.ts$/ },
  { name: /^exifr$/, rooms: /^packages\/providers\/photo-metadata\.ts$/ },
  { name: /^libheif-js(\/|$)/, rooms: /^packages\/providers\/heic-decoder\.ts$/ },
];

describe("imports", () => {
  it("run one way: functions, then packages, and no circle", () => {
    const broken = sources.flatMap(({ path, imports }) => {
      const room = roomOf(path);
      if (COMPOSITION.test(path)) return [];
      const doors = room.startsWith("functions/") ? EVERY_GROUP : DOORS[room];
      if (doors === undefined) return [`${path}: its room has no row in DOORS`];
      return imports
        .filter((specifier) => !SCHEDULE_TABLE.test(specifier))
        .map((specifier) => roomOfImport(path, specifier))
        .filter((target) => target !== null && target !== room && !doors.includes(target))
        .map((target) => `${path} -> ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it("between the rooms of a group run one way, without a circle", () => {
    const broken = sources.flatMap(({ path, imports }) => {
      const room = posix.dirname(path);
      const house = roomOf(path);
      if (!house.startsWith("functions/") || room === house) return [];
      const doors = ROOMS[room];
      if (doors === undefined) return [`${path}: its room has no row in ROOMS`];
      return imports
        .filter((specifier) => specifier.startsWith(".") && !SCHEDULE_TABLE.test(specifier))
        .map((specifier) => posix.normalize(posix.join(room, specifier)))
        .filter((target) => {
          if (ROUTES.test(target)) return true;
          const seen = posix.dirname(target);
          if (seen === house) return JOINING.test(target);
          return seen !== room && !doors.some((door) => seen === `${house}/${door}`);
        })
        .map((target) => `${path} -> ${target}`);
    });
    expect(broken).toEqual([]);

    const order = Object.keys(ROOMS);
    const backwards = order.flatMap((room, index) =>
      (ROOMS[room] ?? []).filter((door) => order.indexOf(posix.join(room, "..", door)) >= index),
    );
    expect(backwards, "a room may only look into rooms above it in the table").toEqual([]);
  });

  it("of what only Lambda needs stay in the entry points", () => {
    const broken = sources
      .filter(({ path }) => path.startsWith("functions/") && !ENTRIES.test(path))
      .filter(({ path, imports }) => imports.some((name) => ENTRY_ONLY.includes(roomOfImport(path, name) ?? "")))
      .map(({ path }) => path);
    expect(broken).toEqual([]);
  });

  it("of vendors stay in the rooms that may know them", () => {
    const broken = sources.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => VENDORS.some(({ name, rooms }) => name.test(specifier) && !rooms.test(path)))
        .map((specifier) => `${path} -> ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  it("are found in every form that there is", () => {
    const text = `import a from "a";\nimport "b";\nexport { c } from 'c';\nconst d = await import("d");\nimport type {\n e\n} from "e";`;
    expect(importsOf(text)).toEqual(["a", "b", "c", "d", "e"]);
    expect(roomOfImport("functions/journal/app.ts", "../teams/teams.ts")).toBe("functions/teams");
    expect(roomOfImport("packages/http/a.ts", "../core/text.ts")).toBe("packages/core");
  });
});

/** Finds a pattern outside the files that may have it. */
function outside(pattern: RegExp, allowed: RegExp): string[] {
  return sources.filter(({ path, text }) => pattern.test(text) && !allowed.test(path)).map(({ path }) => path);
}

describe("what only some files may touch", () => {
  it("the environment is read in one place, and by what steers this machine", () => {
    expect(outside(/\bprocess\.env\b/, /^packages\/(config\/config\.ts|local\/|deploy\/)/)).toEqual([]);
  });

  it("the clock and randomness come through the services", () => {
    const pattern = /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/;
    expect(outside(pattern, /^packages\/(http\/(services-for|group-app)\.ts|local\/|deploy\/)/)).toEqual([]);
  });

  // Matching after a change is a job for one place: it writes rows of others, after the request has committed its own.
  it("the service role is taken on only by jobs, webhooks, admin routes and matching", () => {
    const allowed =
      /^packages\/(database\/(database|retry)\.ts|http\/(bootstrap-roles|endpoint|jobs)\.ts|notifications\/outbox\.ts)$|^functions\/(admin|payment-webhook|email-webhook|email\/policy|encouragement-drops\/drops\/admin|workout-window\/((battles|matching|mosaics)\/runs|matching\/rematch|check-ins\/review)\.ts$)/;
    expect(outside(/\b(asService|runAsService|withinBudget)\b|runAs: "service"/, allowed)).toEqual([]);
  });

  // Only `pageOf` makes cursors, and it ends a page before it is too large to send. A mosaic bounds its bytes by itself.
  it("the cursor of a list comes from pageOf", () => {
    const allowed = /^packages\/http\/paging\.ts$|^functions\/workout-window\/mosaics\/(mosaic|schema)\.ts$/;
    expect(outside(/\bencodeCursor\b/, allowed)).toEqual([]);
  });

  it("nothing is printed past the logger", () => {
    expect(outside(/\bconsole\./, /^(packages\/(local|deploy)\/|functions\/generate\.ts)/)).toEqual([]);
  });
});

/** Folders beside the groups: the generator of the reference is one of them. */
const NO_GROUP = ["node_modules", "reference"];

describe("functions/", () => {
  const folders = readdirSync(join(ROOT, "functions")).filter((name) =>
    statSync(join(ROOT, "functions", name)).isDirectory(),
  );

  it("has one folder for each row of groups.ts and the reverse", () => {
    expect(folders.filter((name) => !NO_GROUP.includes(name)).sort()).toEqual(GROUPS.map(({ name }) => name).sort());
  });

  it("has app and handler in every group, and a schema in every group or in each of its rooms", () => {
    const files = new Set(sources.map(({ path }) => path));
    const missing = GROUPS.flatMap(({ name }) => {
      const group = `functions/${name}`;
      const rooms = Object.keys(ROOMS).filter((room) => room.startsWith(`${group}/`));
      const schemas = (rooms.length === 0 ? [group] : rooms).map((room) => `${room}/schema.ts`);
      return [`${group}/app.ts`, `${group}/handler.ts`, ...schemas].filter((path) => !files.has(path));
    });
    expect(missing).toEqual([]);
  });

  it("declares every route under a path of its group", () => {
    const misplaced = GROUPS.flatMap(({ name, paths }) => {
      const files = sources.filter(
        ({ path }) => roomOf(path) === `functions/${name}` && /\/(app|routes)\.ts$/.test(path),
      );
      const text = files.map((file) => file.text).join("\n");
      const routes = [...text.matchAll(/^\s+"[A-Z]+ (\/[^"]*)",$/gm)].map((match) => match[1] ?? "");
      return routes.filter((route) => !paths.some((path) => route === path || route.startsWith(`${path}/`)));
    });
    expect(misplaced).toEqual([]);
  });
});

describe("files", () => {
  it("have no unfinished work and no way around the types", () => {
    const pattern = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)|\bas any\b|\bas unknown as\b/;
    expect(outside(pattern, /^$/)).toEqual([]);
  });
});
