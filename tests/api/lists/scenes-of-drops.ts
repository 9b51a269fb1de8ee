import type { Person } from "#tests/people";
import { type BuildScenes, EARLIER, type ListScene, LONG_LINK, longest, type Stage } from "./stage.ts";

/** The paged lists of encouragement drops. */
export const DROPS: Readonly<Record<string, BuildScenes>> = {
  "/api/encouragement-drops/templates": async (stage) => {
    await longTemplates(stage);
    const keys = await stage.keysOf("nectar.drop_templates where is_approved");
    return [{ path: "/api/encouragement-drops/templates", as: await stage.api.person(), keys }];
  },
  "/api/encouragement-drops/admin/templates": async (stage) => {
    const as = await longTemplates(stage);
    const keys = await stage.keysOf("nectar.drop_templates");
    return [{ path: "/api/encouragement-drops/admin/templates", as, keys }];
  },
  "/api/encouragement-drops/received": async (stage) => {
    const [as, sender] = await twoWithLargeCards(stage);
    return [await longDrops(stage, { path: "/api/encouragement-drops/received", as }, sender, as)];
  },
  "/api/encouragement-drops/sent": async (stage) => {
    const [as, recipient] = await twoWithLargeCards(stage);
    return [await longDrops(stage, { path: "/api/encouragement-drops/sent", as }, as, recipient)];
  },
  "/api/encouragement-drops/badge/milestones": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly(
      `insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
       select m.user_id, l, m.badge_name, m.achieved_at, m.stats
       from nectar.badge_milestones m cross join generate_series(2, 7) l where m.user_id = $1`,
      [as.id],
    );
    const keys = await stage.keysOf(`nectar.badge_milestones where user_id = '${as.id}'`);
    return [{ path: "/api/encouragement-drops/badge/milestones", as, keys }];
  },
};

/** Templates with the longest texts and links, half of them approved. @returns the admin who made them */
async function longTemplates(stage: Stage): Promise<Person> {
  const admin = await stage.api.person({ role: "admin" });
  const link = "https://www.youtube.com/watch?v=";
  const { id } = await stage.make("/api/encouragement-drops/admin/templates", "template", admin, {
    type: "media",
    title: longest(100),
    content: longest(500),
    media_url: link + "a".repeat(2_048 - link.length),
    thumbnail_url: LONG_LINK,
  });
  await stage.copy("nectar.drop_templates", { id }, 1_010, { ...EARLIER, is_approved: "n % 2 = 0" });
  return admin;
}

async function twoWithLargeCards(stage: Stage): Promise<[Person, Person]> {
  const pair: [Person, Person] = [await stage.api.person(), await stage.api.person()];
  await stage.enlarge(...pair.map(({ id }) => id));
  return pair;
}

/** Copies of a drop may be from the day before. */
const SENT_EARLIER = { ...EARLIER, date_sent: `((${EARLIER.created_at}) at time zone 'UTC')::date` };

/** A list of drops with the longest texts and links. */
async function longDrops(stage: Stage, list: Pick<ListScene, "path" | "as">, sender: Person, recipient: Person) {
  const link = "https://www.youtube.com/watch?v=";
  const { id } = await stage.make("/api/encouragement-drops/send", "drop", sender, {
    recipient_id: recipient.id,
    drop_type: "media",
    content: longest(500),
    media_url: link + "a".repeat(2_048 - link.length),
  });
  return stage.copied(list, "nectar.encouragement_drops", id, SENT_EARLIER);
}
