import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { pagePolicy } from "../support/html.ts";
import { type GamePageOptions, gamePages } from "./game-page.ts";
import { HOME_PAGE_SCRIPTS, homePage } from "./home-page.ts";
import { referencePages } from "./reference-page.ts";
import { sightPages, sightsFor } from "./sight-page.ts";
import type { DevSummary } from "./summary.ts";

const OPENAPI_FILE = resolve(dirname(fileURLToPath(import.meta.url)), "../../openapi.json");

/**
 * The pages that only the local stack has, in front of the API: all other requests go to `api`.
 * @param game what the page of the game needs; null without demo data
 */
export function localPages(
  summary: DevSummary,
  api: (request: Request) => Response | Promise<Response>,
  game: GamePageOptions | null,
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  // Only those that are served below.
  const pages = [...(game === null ? [] : [{ title: "The game today", url: "/game" }]), ...summary.pages];
  const sights = sightsFor(summary.accounts[0], game?.account);
  const home = homePage({ ...summary, pages }, sights, game !== null);
  app.get("/", (c) => c.html(home, 200, { "content-security-policy": pagePolicy(HOME_PAGE_SCRIPTS) }));
  // Read at every request, because the document changes during development.
  app.get("/openapi.json", async (c) => {
    const document = await readFile(OPENAPI_FILE, "utf8").catch(() => undefined);
    if (document === undefined) {
      return c.json({ error: "There is no openapi.json yet: npm run generate writes it.", code: "not_found" }, 404);
    }
    return c.body(document, 200, { "content-type": "application/json; charset=utf-8" });
  });
  app.route("/", referencePages(summary));
  if (game !== null) app.route("/", gamePages(game, api));
  app.route("/", sightPages(sights, summary, api));
  app.notFound((c) => api(c.req.raw));
  return (request) => app.fetch(request);
}
