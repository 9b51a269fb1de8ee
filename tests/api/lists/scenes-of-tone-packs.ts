import { type BuildScenes, EARLIER, longest, type Stage } from "./stage.ts";

export const TONE_PACKS: Readonly<Record<string, BuildScenes>> = {
  "/api/tone-packs": async (stage) => {
    const [as, owner] = [await stage.api.person(), await stage.api.person()];
    const pack = { name: longest(100), description: longest(1_000), theme: "watercolor" };
    const path = "/api/tone-packs";
    const mine = await stage.make(path, "tone_pack", as, pack);
    const published = await stage.make(path, "tone_pack", owner, { ...pack, is_public: true });
    const [own, shared, others] = [
      await stage.copy("nectar.tone_packs", { id: mine.id }, 80, EARLIER),
      await stage.copy("nectar.tone_packs", { id: published.id }, 120, { ...EARLIER, is_public: "false" }),
      await stage.copy("nectar.tone_packs", { id: published.id }, 80, EARLIER),
    ];
    await drawImages(stage, [mine.id, published.id, ...own, ...shared, ...others], 20);
    await stage.quietly(
      "insert into nectar.tone_pack_shares (pack_id, user_id, owner_id) select p, $2, $3 from unnest($1::uuid[]) p",
      [shared, as.id, owner.id],
    );
    return [{ path, as, keys: [mine.id, published.id, ...own, ...shared, ...others] }];
  },
  "/api/tone-packs/{id}/shares": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/tone-packs", "tone_pack", as, { name: "Shared", theme: "watercolor" });
    const people = await stage.people(505);
    await stage.quietly(
      `insert into nectar.tone_pack_shares (pack_id, user_id, owner_id, by_address, email)
       select $1, p, $3, by_address, case when by_address then $4 end
       from unnest($2::uuid[]) p, unnest('{true,false}'::boolean[]) by_address`,
      [id, people, as.id, longest(320)],
    );
    const shares = await stage.api.query<{ id: string }>`select id from nectar.tone_pack_shares where pack_id = ${id}`;
    return [{ path: `/api/tone-packs/${id}/shares`, as, keys: shares.map((share) => share.id) }];
  },
};

/** A pack with the longest texts and more images than any real pack. */
export async function illustratedPack(stage: Stage) {
  const as = await stage.api.person();
  const body = { name: longest(100), description: longest(1_000), theme: "watercolor" };
  const { id } = await stage.make("/api/tone-packs", "tone_pack", as, body);
  await drawImages(stage, [id], 500);
  return { as, id };
}

/** Gives each pack so many images, with the longest paths. */
async function drawImages(stage: Stage, packs: readonly string[], each: number): Promise<void> {
  await stage.quietly(
    `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select p.id, p.owner_id, 'tone ' || repeat(chr(97 + n % 26), 1 + n / 26),
       p.owner_id || '/' || p.id || '/' || repeat('p', 900)
     from nectar.tone_packs p cross join generate_series(0, $2::int - 1) n where p.id = any ($1::uuid[])`,
    [packs, each],
  );
}
