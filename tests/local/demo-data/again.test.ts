import { createHash } from "node:crypto";
import { decode } from "fast-png";
import { beforeAll, describe, expect, test } from "vitest";
import { BadgeResponse, MilestonesResponse } from "#functions/encouragement-drops/badges/schema";
import { tonePacks } from "#local/demo/data";
import { seedDemoData } from "#local/demo/seed";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { startTestSupabase } from "#tests/supabase";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

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
  const images = () =>
    demo.rows<{ tone: string; file_path: string }>("select tone, file_path from nectar.tone_pack_images order by id");
  let supabase: Awaited<ReturnType<typeof startTestSupabase>>;
  const seed = () => seedDemoData({ adminUrl: demo.adminUrl, supabaseUrl: supabase.url, ...LOCAL_SUPABASE_KEYS });

  beforeAll(async () => {
    supabase = await startTestSupabase(demo.adminUrl);
    return supabase.stop;
  });

  test("changes nothing if the first run was complete", async () => {
    const before = await snapshot();
    await seedDemoData({
      adminUrl: demo.adminUrl,
      supabaseUrl: supabase.url,
      publishableKey: LOCAL_SUPABASE_KEYS.publishableKey,
    });
    expect(await snapshot()).toEqual(before);
  });

  test("draws the images of tone packs, all different, once there is a key for the storage", async () => {
    expect(await images()).toEqual([]);
    await seed();
    const drawn = await images();
    expect(drawn).toHaveLength(Object.values(tonePacks).flatMap(({ tones }) => tones).length);
    const seen = new Set<string>();
    for (const { file_path } of drawn) {
      const response = await fetch(`${supabase.url}/storage/v1/object/public/tone-packs/${file_path}`);
      expect(response.status).toBe(200);
      const { width, height, data } = decode(await response.arrayBuffer());
      expect([width, height]).toEqual([1024, 1024]);
      seen.add(createHash("sha256").update(data).digest("hex"));
    }
    expect(seen.size).toBe(drawn.length);
  });

  test("draws only the images that are missing after an interruption, under their old addresses", async () => {
    const before = await images();
    await demo.rows("delete from nectar.tone_pack_images where tone = 'joyful'");
    expect((await images()).length).toBeLessThan(before.length - 1);
    await seed();
    const paths = (all: typeof before) => all.map(({ file_path }) => file_path).toSorted();
    expect(paths(await images())).toEqual(paths(before));
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
