import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";

const SECRET = "the-secret-of-the-game";
const api = useApi({
  environment: { WORKOUT_WINDOW_CRON_SECRET: SECRET, DROPS_CRON_SECRET: "the-secret-of-other-jobs" },
});
const GAME = "/api/workout-window";

/** The endpoints of the game by who may call them. */
const ADDRESSES = {
  "all users": [
    "POST /setup",
    "GET /my-window",
    "PUT /my-window/active",
    "PUT /update-location",
    "GET /chain/{date}",
    "GET /squad/{date}",
    "GET /team-stats/{date}",
    "POST /checkin/upload-url",
    "POST /checkin",
    "GET /checkin/{date}",
    "GET /checkins/{date}",
    "GET /mosaic/{date}",
    "GET /battle/week/{weekStartDate}",
    "GET /battle/history",
    "GET /weekly-stats",
    "POST /generate-chains",
    "GET /squad/{date}/messages",
    "POST /squad/{date}/messages",
    "DELETE /squad/{date}/messages/{messageId}",
  ],
  admins: ["GET /admin/checkins", "PUT /admin/checkins/{id}"],
  "admins and the scheduler": ["POST /mosaic/generate/{date}", "POST /battle/execute/{weekStartDate}"],
  "super admins": [
    "POST /admin/ai-users/generate",
    "GET /admin/ai-users",
    "DELETE /admin/ai-users/{id}",
    "PUT /admin/ai-users/{id}/toggle",
    "GET /admin/teams/{date}",
  ],
  "the scheduler": [
    "POST /cron/generate-chains",
    "POST /cron/rematch",
    "POST /cron/synthetic-check-ins",
    "POST /cron/end-of-day",
    "POST /cron/reminders",
    "POST /cron/mosaics",
    "POST /cron/battle",
    "POST /cron/weekly-stats",
  ],
} as const;

/** The status for each caller who is refused; 0 for one who is not. */
const AT_THE_DOOR = {
  "all users": { anonymous: 401, user: 0, admin: 0, superAdmin: 0, scheduler: 401, anotherJob: 401 },
  admins: { anonymous: 401, user: 403, admin: 0, superAdmin: 0, scheduler: 401, anotherJob: 401 },
  "admins and the scheduler": { anonymous: 401, user: 403, admin: 0, superAdmin: 0, scheduler: 0, anotherJob: 401 },
  "super admins": { anonymous: 401, user: 403, admin: 403, superAdmin: 0, scheduler: 401, anotherJob: 401 },
  "the scheduler": { anonymous: 401, user: 401, admin: 401, superAdmin: 401, scheduler: 0, anotherJob: 401 },
} as const;

/** Lists with their parameters, each with invalid values. */
const LISTS = [
  "/checkins/2026-11-21",
  "/squad/2026-11-21/messages",
  "/admin/checkins",
  "/mosaic/2026-11-21",
  "/battle/history",
  "/weekly-stats",
  "/admin/ai-users",
  "/admin/teams/2026-11-21",
];

let people: Record<"user" | "admin" | "superAdmin", Person>;
beforeAll(async () => {
  const [user, admin, superAdmin] = [
    await api.person(),
    await api.person({ role: "admin" }),
    await api.person({ role: "super_admin" }),
  ];
  people = { user, admin, superAdmin };
});

it("are exactly those of the reference", () => {
  const routes = allRoutes().filter(({ path }) => path.startsWith(GAME));
  expect(routes.map(({ method, path }) => `${method} ${path.slice(GAME.length)}`).toSorted()).toEqual(
    Object.values(ADDRESSES).flat().toSorted(),
  );
});

describe.each(Object.entries(AT_THE_DOOR))("for %s", (who, expected) => {
  const addresses = Object.entries(ADDRESSES).find(([name]) => name === who)?.[1] ?? [];

  it.each(addresses)("%s refuses everyone else", async (address) => {
    const [method = "", path = ""] = address.split(" ");
    const filled = `${GAME}${path}`.replace(/\{\w*date\}/i, "2001-01-01").replace("{id}", randomUUID());
    // A body that no route accepts: a caller who is not refused gets 400, 404 or a success.
    const body = method === "GET" || method === "DELETE" || path.startsWith("/cron/") ? undefined : [];
    const callers = {
      anonymous: {},
      user: { as: people.user },
      admin: { as: people.admin },
      superAdmin: { as: people.superAdmin },
      scheduler: { headers: { "x-cron-secret": SECRET } },
      anotherJob: { headers: { "x-cron-secret": "the-secret-of-other-jobs" } },
    };
    const statuses: Record<string, number> = {};
    for (const [caller, options] of Object.entries(callers)) {
      const { status } = await api.send(method, filled, { ...options, body });
      statuses[caller] = status === 401 || status === 403 ? status : 0;
    }
    expect(statuses).toEqual(expected);
  });
});

describe("a list", () => {
  it.each(LISTS)("%s reports an invalid limit and an invalid cursor together", async (path) => {
    for (const limit of ["0", "-1", "1.5", "ten", ""]) {
      const { status, body } = await api.get(`${GAME}${path}?limit=${limit}&cursor=none`, people.superAdmin);
      expect([status, body.code], limit).toEqual([400, "request.invalid"]);
      expect(body.issues.map((issue) => issue.path).toSorted(), limit).toEqual(["cursor", "limit"]);
    }
  });

  it("of check-ins to review refuses an unknown status", async () => {
    const { status, body } = await api.get(`${GAME}/admin/checkins?status=completed`, people.admin);
    expect([status, body.issues]).toMatchObject([400, [{ path: "status" }]]);
  });
});

describe("a date", () => {
  it.each(["chain", "squad", "team-stats", "checkin", "checkins", "mosaic", "battle/week", "admin/teams"])(
    "of %s is valid if there are dates after it",
    async (path) => {
      for (const [date, isDate] of [
        ["9999-12-31", false],
        ["2026-02-30", false],
        ["0001-01-01", true],
        ["9999-12-20", true],
      ] as const) {
        const { status, body } = await api.get(`${GAME}/${path}/${date}`, people.superAdmin);
        expect(status, date).toBeLessThan(500);
        expect(body.code === "request.invalid", date).toBe(!isDate);
      }
    },
  );
});

describe("a form", () => {
  it.each(['name="activityType"', "name=activityType", "name = activityType; x=y"])(
    "may name a field by %s",
    async (name) => {
      const { status, body } = await api.send("POST", `${GAME}/checkin`, {
        as: people.user,
        headers: { "content-type": "multipart/form-data; boundary=b" },
        body: `--b\r\ncontent-disposition: form-data; ${name}\r\n\r\nwalk\r\n--b--\r\n`,
      });
      expect([status, body.code, body.issues]).toMatchObject([400, "checkin.missing_photo", [{ path: "photo" }]]);
    },
  );
});

describe("without a file store", () => {
  it("responds 503 where one is needed, before anything is done", async () => {
    const order = { contentType: "image/jpeg", size: 1_000 };
    const scheduler = { headers: { "x-cron-secret": SECRET } };
    const responses = [
      await api.post(`${GAME}/checkin/upload-url`, people.user, order),
      await api.send("POST", `${GAME}/mosaic/generate/2026-11-21`, scheduler),
      await api.send("POST", `${GAME}/cron/mosaics`, scheduler),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [503, "provider.not_configured"]),
    );
  });
});
