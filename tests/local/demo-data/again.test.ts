import { describe, expect, test } from "vitest";
import { BadgeResponse, MilestonesResponse } from "#functions/encouragement-drops/badges/schema";
import { people } from "#local/demo/data";
import { signUpDemoAccounts } from "#local/demo/people";
import { seedDemoData } from "#local/demo/seed";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { useDatabase } from "#tests/database";
import { query } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();
const interrupted = useDatabase({ moments: "now" });

/** Everything that the demo data writes, for comparing before and after. */
async function snapshot(): Promise<[table: string, rows: unknown][]> {
  const tables = await demo.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('nectar', 'private')`,
  );
  const contents: [string, unknown][] = [];
  for (const { name } of [...tables, { name: "storage.objects" }, { name: "auth.identities" }]) {
    contents.push([name, await demo.rows(`select t::text from ${name} t order by 1`)]);
  }
  // Signing in again changes the other columns.
  contents.push(["auth.users", await demo.rows("select id, email, encrypted_password from auth.users order by 1")]);
  return contents;
}

describe("seeding again", () => {
  test("changes nothing if the first run was complete", async () => {
    const before = await snapshot();
    await seedDemoData(demo.target());
    expect(await snapshot()).toEqual(before);
  });

  test("draws only the images that are missing after an interruption, under their old addresses", async () => {
    const images = await demo.count("nectar.tone_pack_images");
    const rows = await demo.rows<{ file_path: string }>(
      "delete from nectar.tone_pack_images where tone = 'joyful' returning file_path",
    );
    await seedDemoData(demo.target());
    expect(await demo.count("nectar.tone_pack_images")).toBe(images);
    const again = await demo.rows<{ file_path: string }>(
      "select file_path from nectar.tone_pack_images where tone = 'joyful'",
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(again.map(({ file_path }) => file_path))).toEqual(new Set(rows.map(({ file_path }) => file_path)));
  });

  test("completes a run that was interrupted after the sign-ups", async () => {
    const other = await startTestSupabase(interrupted.adminUrl);
    try {
      const { publishableKey } = LOCAL_SUPABASE_KEYS;
      const target = { adminUrl: interrupted.adminUrl, supabaseUrl: other.url, publishableKey };
      await signUpDemoAccounts(target);
      await seedDemoData(target);
    } finally {
      await other.stop();
    }
    const rows = await query(
      interrupted.adminUrl,
      `select (select count(*)::int from nectar.profiles where not is_ai) people,
         (select count(*)::int from nectar.journal_entries) entries,
         (select count(*)::int from nectar.tone_packs) packs, (select count(*)::int from nectar.tone_pack_images) images`,
    );
    expect(rows).toEqual([
      {
        people: Object.keys(people).length,
        entries: await demo.count("nectar.journal_entries"),
        packs: await demo.count("nectar.tone_packs"),
        // No key for the storage was given.
        images: 0,
      },
    ]);
  });
});

describe("the jobs of the first day", () => {
  test("engagement brings Robin's third badge", async () => {
    const token = await demo.demoToken();
    expect((await demo.get("/api/encouragement-drops/badge", token, BadgeResponse)).badge).toMatchObject({
      level: 2,
      progress: { current: 20, required: 21, remaining: 1, next_name: "Bloom" },
    });
    await demo.rows("select private.process_engagement(now(), null, null, 1000)");
    const { badge } = await demo.get("/api/encouragement-drops/badge", token, BadgeResponse);
    expect(badge).toMatchObject({ level: 3, name: "Bloom", engagement_increases: 21 });
    const { milestones } = await demo.get("/api/encouragement-drops/badge/milestones", token, MilestonesResponse);
    expect(milestones.map(({ level }) => level)).toEqual([3, 2, 1]);
  });
});
