import { beforeAll, describe, expect, it } from "vitest";
import { allApps } from "#functions/all";
import { allRoutes, fill, type SignedInRoute, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const SECRET = "the-secret-of-all-jobs";

const { push, environment } = await useVendors();
const api = useApi({
  environment: {
    ...environment,
    MAINTENANCE_CRON_SECRET: SECRET,
    DROPS_CRON_SECRET: SECRET,
    ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET,
    CHAT_CRON_SECRET: SECRET,
    WORKOUT_WINDOW_CRON_SECRET: SECRET,
  },
});
const user = beforeTests(() => api.person());
const suspended = beforeTests(() => api.person());
const admin = beforeTests(() => api.person({ role: "admin" }));
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));

const ACTORS = {
  anonymous: () => ({}),
  user: () => ({ as: user }),
  suspended: () => ({ as: suspended }),
  admin: () => ({ as: admin }),
  "super admin": () => ({ as: superAdmin }),
  scheduler: () => ({ headers: { "x-cron-secret": SECRET } }),
};
const NAMES = Object.keys(ACTORS);

/** Refusals because of who sends it. Every other response, also a 404, is one to someone who may send it. */
const REFUSALS = /^auth\.(missing_token|invalid_cron_secret|forbidden|suspended)$/;
/** Statuses that no valid request gets where every vendor is configured. */
const IMPOSSIBLE = [405, 413, 415, 500, 503];

type Cell = "401" | "403" | "allowed";
interface Row {
  readonly route: string;
  readonly cells: readonly Cell[];
  /** The callers whose request succeeded. */
  readonly served: readonly string[];
}

const signedIn = new Map<string, SignedInRoute>(signedInRoutes().map((route) => [nameOf(route), route]));

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** The client checks that the reference declares the status, the code and the body of every response. */
async function cellOf(
  route: { method: string; path: string },
  actor: { headers?: Record<string, string> },
): Promise<{ readonly cell: Cell; readonly isServed: boolean }> {
  const known = signedIn.get(nameOf(route));
  const { body, headers } =
    known === undefined
      ? { body: route.method === "GET" ? undefined : {}, headers: {} }
      : await validRequest(known, push.service.newDevice);
  const response = await api.send(route.method, fill(route.path, {}, route.method), {
    ...actor,
    body,
    headers: { ...headers, ...actor.headers },
  });
  expect(IMPOSSIBLE, `${nameOf(route)}: ${response.text}`).not.toContain(response.status);
  const isServed = response.status < 300;
  if (!REFUSALS.test(response.body.code ?? "")) return { cell: "allowed", isServed };
  return { cell: response.status === 401 ? "401" : "403", isServed };
}

describe("who may call what", () => {
  const rows: Row[] = [];
  beforeAll(async () => {
    await api.query`select private.suspend_user(${suspended.id}, '2999-01-01T00:00Z')`;
    for (const route of allRoutes()) {
      const cells: Cell[] = [];
      const served: string[] = [];
      for (const [name, actor] of Object.entries(ACTORS)) {
        const { cell, isServed } = await cellOf(route, actor());
        cells.push(cell);
        if (isServed) served.push(name);
      }
      rows.push({ route: nameOf(route), cells, served });
    }
  });

  // After a change that is meant: npm test -- --project api tests/api/access/matrix.test.ts -u
  it("is what the recorded table says", async () => {
    await expect(table(rows)).toMatchFileSnapshot("matrix.md");
  });

  const column = (name: string) =>
    Object.fromEntries(rows.map(({ route, cells }) => [route, cells[NAMES.indexOf(name)]]));

  it("gives an admin what a user has, and a super admin what an admin has", () => {
    const [asUser, asAdmin, asSuperAdmin] = [column("user"), column("admin"), column("super admin")];
    for (const { route } of rows) {
      if (asUser[route] === "allowed") expect.soft(asAdmin[route], route).toBe("allowed");
      if (asAdmin[route] === "allowed") expect.soft(asSuperAdmin[route], route).toBe("allowed");
    }
  });

  it("gives the routes of admins to admins only", () => {
    for (const { route, cells } of rows.filter((row) => row.route.includes("/admin/"))) {
      expect.soft(cells.slice(0, 3), route).toEqual(["401", "403", "403"]);
    }
  });

  it("leaves a row in the audit log for each change by an admin that succeeds, and none for others", async () => {
    const endpoints = allApps(api.services).flatMap(({ app }) => app.endpoints);
    const actions = new Map(
      endpoints.map((one) => [`${one.method} ${one.path.replaceAll(/:(\w+)/g, "{$1}")}`, one.definition.id]),
    );
    const forAdmins = rows.filter(({ route, cells }) => !route.startsWith("GET ") && cells[1] === "403");
    const changes = forAdmins.flatMap(({ route, served }) =>
      served.filter((name) => name !== "scheduler").map((name) => `${name} ${actions.get(route)}`),
    );
    expect(changes.length).toBeGreaterThan(5);
    const recorded = await api.query<{ change: string }>`
      select replace(actor_role::text, '_', ' ') || ' ' || action as change from nectar.audit_events`;
    expect(recorded.map(({ change }) => change).toSorted()).toEqual(changes.toSorted());
  });

  it("lets a suspended user read what a user reads", () => {
    const [asUser, asSuspended] = [column("user"), column("suspended")];
    for (const { route } of rows.filter((row) => row.route.startsWith("GET "))) {
      expect.soft(asSuspended[route], route).toBe(asUser[route]);
    }
  });
});

function table(rows: readonly Row[]): string {
  const sums = NAMES.map((name, index) => {
    const allowed = rows.filter(({ cells }) => cells[index] === "allowed").length;
    return `${name} ${allowed}`;
  });
  const lines = [
    ["route", ...NAMES],
    ["---", ...NAMES.map(() => "---")],
    ...rows.map(({ route, cells }) => [`\`${route}\``, ...cells]),
  ];
  return `# Who may call what

Recorded by \`matrix.test.ts\`, which sends a valid request to each of the ${rows.length} routes of openapi.json as each of these
callers, about things that do not exist. 401 and 403 are refusals because of who calls; everything else is \`allowed\`, also
a 404. What people may do with things of others is in the tests of these things.

Routes that are open: ${sums.join(", ")}.

${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
}
