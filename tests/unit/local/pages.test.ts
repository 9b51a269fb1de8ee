import { describe, expect, it } from "vitest";
import { demoAccounts, demoSights } from "#local/demo/data";
import { localPages } from "#local/pages/pages";

const [account] = demoAccounts;
const MEMBER_SIGHTS = demoSights.filter(({ topic }) => topic !== "As admin").length;
const SUPABASE = { supabaseUrl: "http://127.0.0.1:9", publishableKey: "a-key" };
const GAME = { ...SUPABASE, account, cronSecret: "a-secret-of-the-scheduler" };

/** The local links of the home page, and those that reach the API because no page of this machine has the address. */
async function linksOf(accounts: readonly (typeof account)[], game: typeof GAME | null) {
  const passedOn: string[] = [];
  const fetchPage = localPages(
    {
      ...SUPABASE,
      accounts,
      superAdmins: [],
      apiUrl: "http://localhost",
      databaseUrl: "postgresql://127.0.0.1:9/postgres",
      vendors: [],
      pages: [],
      dataFolder: "/nowhere",
    },
    (request) => {
      passedOn.push(new URL(request.url).pathname);
      return new Response("of the API");
    },
    game,
  );
  const home = await (await fetchPage(new Request("http://localhost/"))).text();
  const links = [...home.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
  // The rows sign in, and there is nothing to sign in at.
  const rows = links.filter((link) => link.startsWith("/see/"));
  const others = links.filter((link) => !rows.includes(link));
  for (const path of others) await fetchPage(new Request(`http://localhost${path}`));
  return { links: others, rows: rows.length, passedOn };
}

describe("the home page", () => {
  it.each([
    ["the game and accounts of the demo data", demoAccounts, GAME, ["/game"], demoSights.length],
    ["accounts, but none that may see the game", demoAccounts, null, [], MEMBER_SIGHTS],
    ["no demo data", [], null, [], 0],
  ] as const)("links only pages that exist, with %s", async (_, accounts, game, demoPages, count) => {
    const { links, rows, passedOn } = await linksOf(accounts, game);
    expect(links).toEqual(["/docs", "/openapi.json", "/health", ...demoPages]);
    expect(rows).toBe(count);
    expect(passedOn).toEqual(["/health"]);
  });
});
