import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS } from "../../functions/groups.ts";
import { importsOf, ROOT, readSources, roomOf, roomOfImport } from "./sources.ts";

const sources = readSources();

/** Which packages each package may import. */
const ALLOWED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "packages/core": [],
  "packages/config": [],
  "packages/client": [],
  "packages/database": ["packages/core"],
  "packages/providers": ["packages/core"],
  "packages/http": ["packages/core", "packages/config", "packages/database", "packages/providers"],
  "packages/ai": ["packages/core", "packages/database", "packages/providers"],
  "packages/archives": ["packages/core", "packages/journal", "packages/providers"],
  "packages/journal": ["packages/core", "packages/database"],
  "packages/messages": ["packages/core", "packages/database", "packages/http"],
  "packages/notifications": ["packages/core", "packages/database", "packages/providers"],
  "packages/deploy": ["packages/config", "packages/core", "packages/http"],
  "packages/migrate": ["packages/config", "packages/database"],
  "packages/recovery": [
    "packages/config",
    "packages/database",
    "packages/local",
    "packages/migrate",
    "packages/providers",
  ],
  "packages/server": ["packages/config", "packages/core", "packages/http", "packages/migrate", "packages/providers"],
  "packages/local": ["packages/config", "packages/core", "packages/migrate", "packages/server"],
};
/** The packages that a group may import. */
const ALLOWED_IN_GROUPS = [
  "packages/ai",
  "packages/archives",
  "packages/core",
  "packages/database",
  "packages/http",
  "packages/journal",
  "packages/messages",
  "packages/notifications",
  "packages/providers",
  "packages/deploy",
];
/** The rooms of groups with several rooms, and which other rooms of its group each may import. */
const ALLOWED_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "functions/workout-window/matching": [],
  "functions/workout-window/windows": ["matching"],
  "functions/workout-window/check-ins": ["matching", "windows"],
  "functions/workout-window/chains": ["check-ins", "matching"],
  "functions/workout-window/mosaics": [],
  "functions/workout-window/battles": [],
  "functions/workout-window/synthetic-users": ["matching"],
  "functions/workout-window/days": ["battles"],
  "functions/workout-window/squad-messages": [],
  "functions/encouragement-drops/badges": [],
  "functions/encouragement-drops/drops": ["badges"],
  "functions/organizations/invitations": [],
  "functions/user/exports": [],
  "functions/safety/blocks": [],
  "functions/safety/reports": [],
  "functions/safety/appeals": ["reports"],
};
/** The files that join the rooms of a group. A room may import the files beside them, but not these. */
const JOINING = /\/(app|handler)\.ts$/;

/** The endpoints of a room, which only the app imports. */
const ROUTES = /\/routes\.ts$/;

/** The files that put all groups together, for development, generated files, tasks and deployment. */
const COMPOSITION = /^functions\/(reference\/|tasks\/((ex|im)ports\/)?)?[a-z-]+(\.generated)?\.ts$/;

/** The table of scheduled jobs: each job is built with its row. */
const SCHEDULE_TABLE = /^(\.\.\/)+schedules\.ts$/;

/** Packages that only the entry points of groups, what writes these, and the build of the server may import. */
const ENTRY_ONLY = ["packages/deploy"];
const ENTRIES = /\/handler\.ts$|^functions\/(build-server|generate)\.ts$/;

/** Libraries that only some rooms may import. */
const VENDORS: readonly { name: RegExp; rooms: RegExp }[] = [
  { name: /^hono(\/|$)/, rooms: /^(packages\/(http|local|deploy)|functions)\// },
  { name: /^hono\/aws-lambda$/, rooms: /^packages\/deploy\/lambda-handler\.ts$/ },
  { name: /^pg$/, rooms: /^packages\/(database|local|migrate|recovery)\// },
  { name: /^kysely$/, rooms: /^(packages\/(ai|database|http|journal|messages|notifications)|functions)\// },
  { name: /^jose$/, rooms: /^packages\/(http\/|local\/stand-ins\/push-vapid\.ts$)/ },
  { name: /^pino$/, rooms: /^packages\/http\// },
  { name: /^@supabase\//, rooms: /^packages\/(local\/|providers\/public-images\.ts)/ },
  { name: /^stripe(\/|$)/, rooms: /^(packages\/providers\/payments\.ts|functions\/payment-webhook\/)/ },
  { name: /^openai(\/|$)/, rooms: /^packages\/providers\/ai\.ts$/ },
  { name: /^resend$/, rooms: /^packages\/providers\/email\.ts$/ },
  { name: /^web-push$/, rooms: /^packages\/providers\/push\.ts$/ },
  { name: /^@redocly\//, rooms: /^functions\/reference\/lint\.ts$/ },
  { name: /^@aws-sdk\//, rooms: /^packages\/providers\/(private-files|queue)\.ts$/ },
  { name: /^sharp$/, rooms: /^packages\/providers\/(photos|png|heic-worker)\.ts$/ },
  { name: /^exifr$/, rooms: /^packages\/providers\/photo-metadata\.ts$/ },
  { name: /^libheif-js(\/|$)/, rooms: /^packages\/providers\/heic-worker\.ts$/ },
];

describe("imports", () => {
  it("go one way: from functions to packages, and between packages as the table says", () => {
    const broken = sources.flatMap(({ path, imports }) => {
      const room = roomOf(path);
      if (COMPOSITION.test(path)) return [];
      const allowed = room.startsWith("functions/") ? ALLOWED_IN_GROUPS : ALLOWED_PACKAGES[room];
      if (allowed === undefined) return [`${path}: its room has no row in ALLOWED_PACKAGES`];
      return imports
        .filter((specifier) => !SCHEDULE_TABLE.test(specifier))
        .map((specifier) => roomOfImport(path, specifier))
        .filter((target) => target !== null && target !== room && !allowed.includes(target))
        .map((target) => `${path} -> ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it("between the rooms of a group go one way", () => {
    const broken = sources.flatMap(({ path, imports }) => {
      const room = posix.dirname(path);
      const group = roomOf(path);
      if (COMPOSITION.test(path)) return [];
      if (!group.startsWith("functions/") || room === group) return [];
      const allowed = ALLOWED_ROOMS[room];
      if (allowed === undefined) return [`${path}: its room has no row in ALLOWED_ROOMS`];
      return imports
        .filter((specifier) => specifier.startsWith(".") && !SCHEDULE_TABLE.test(specifier))
        .map((specifier) => posix.normalize(posix.join(room, specifier)))
        .filter((target) => {
          if (ROUTES.test(target)) return true;
          const imported = posix.dirname(target);
          if (imported === group) return JOINING.test(target);
          return imported !== room && !allowed.some((name) => imported === `${group}/${name}`);
        })
        .map((target) => `${path} -> ${target}`);
    });
    expect(broken).toEqual([]);

    const order = Object.keys(ALLOWED_ROOMS);
    const backwards = order.flatMap((room, index) =>
      (ALLOWED_ROOMS[room] ?? []).filter((name) => order.indexOf(posix.join(room, "..", name)) >= index),
    );
    expect(backwards, "a room may only import rooms above it in the table").toEqual([]);
  });

  it("of the code for Lambda are in the entry points only", () => {
    const broken = sources
      .filter(({ path }) => path.startsWith("functions/") && !ENTRIES.test(path))
      .filter(({ path, imports }) => imports.some((name) => ENTRY_ONLY.includes(roomOfImport(path, name) ?? "")))
      .map(({ path }) => path);
    expect(broken).toEqual([]);
  });

  it("of libraries are in the rooms that may import them only", () => {
    const broken = sources.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => VENDORS.some(({ name, rooms }) => name.test(specifier) && !rooms.test(path)))
        .map((specifier) => `${path} -> ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  it("are found in every syntax", () => {
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

describe("only some files", () => {
  it("read the environment", () => {
    expect(outside(/\bprocess\.env\b/, /^packages\/(config\/config\.ts|local\/|deploy\/|recovery\/cli\.ts)/)).toEqual([]);
  });

  // The client runs elsewhere, and has no services.
  it("read the clock or randomness; all others get them from the services", () => {
    const pattern = /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/;
    expect(
      outside(
        pattern,
        /^packages\/(http\/(services-for|group-app|logging)\.ts|server\/(run-server|images)\.ts|migrate\/api-password\.ts|client\/|local\/|deploy\/)/,
      ),
    ).toEqual([]);
  });

  // Matching after a change writes rows of other users, after the request has committed its own.
  it("use the service role: jobs, tasks, webhooks, admin routes, matching and unsubscribing", () => {
    const allowed =
      /^packages\/(database\/(database|retry)\.ts|http\/(access|bootstrap-roles|jobs|traced)\.ts|notifications\/outbox\.ts)$|^functions\/(demo-game\.ts|admin|drops\/app\.ts$|health\/jobs|payment-webhook|email-webhook|email\/(policy|unsubscribe)|encouragement-drops\/drops\/admin|safety\/(reports|appeals)\/routes\.ts$|tasks\/(run|exports\/build)\.ts$|workout-window\/((battles|matching|mosaics)\/runs|matching\/rematch|check-ins\/(review|routes))\.ts$)/;
    expect(outside(/\b(asService|runAsService|withinBudget)\b|access: "service"/, allowed)).toEqual([]);
  });

  // Only `pageOf` makes cursors, and it ends a page before it is too large to send. A mosaic bounds its bytes by itself.
  it("make cursors; lists get theirs from pageOf", () => {
    const allowed = /^packages\/http\/paging\.ts$|^functions\/workout-window\/mosaics\/mosaic\.ts$/;
    expect(outside(/\bencodeCursor\b/, allowed)).toEqual([]);
  });

  it("print without the logger", () => {
    expect(
      outside(
        /\bconsole\./,
        /^(packages\/(local|deploy|migrate|recovery)\/|functions\/(check|generate|reference\/check-contract)\.ts)/,
      ),
    ).toEqual([]);
  });
});

/** Folders beside the groups. */
const NO_GROUP = ["node_modules", "reference", "tasks"];

describe("functions/", () => {
  const folders = readdirSync(join(ROOT, "functions")).filter((name) =>
    statSync(join(ROOT, "functions", name)).isDirectory(),
  );

  it("has one folder for each row of groups.ts and the reverse", () => {
    expect(folders.filter((name) => !NO_GROUP.includes(name)).sort()).toEqual(GROUPS.map(({ name }) => name).sort());
  });

  it("has app and handler in every group, and a schema in it, or schema and routes in each of its rooms", () => {
    const files = new Set(sources.map(({ path }) => path));
    const missing = GROUPS.flatMap(({ name }) => {
      const group = `functions/${name}`;
      const rooms = Object.keys(ALLOWED_ROOMS).filter((room) => room.startsWith(`${group}/`));
      const parts =
        rooms.length === 0
          ? [`${group}/schema.ts`]
          : rooms.flatMap((room) => [`${room}/routes.ts`, `${room}/schema.ts`]);
      return [`${group}/app.ts`, `${group}/handler.ts`, ...parts].filter((path) => !files.has(path));
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
  it("have no unfinished work and do not work around the types", () => {
    const pattern = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)|\bas any\b|\bas unknown as\b/;
    expect(outside(pattern, /^$/)).toEqual([]);
  });
});
