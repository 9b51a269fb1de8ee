import { type BuildScenes, longest, type Stage } from "./stage.ts";

export const APPEALS: Readonly<Record<string, BuildScenes>> = {
  "/api/moderation-decisions": async (stage) => {
    const { as, decisions } = await longAppeals(stage, "upheld");
    return [{ path: "/api/moderation-decisions", as, keys: decisions }];
  },
  "/api/admin/appeals": async (stage) => {
    const { appeals } = await longAppeals(stage, "reversed");
    const as = await stage.api.person({ role: "admin" });
    return [{ path: "/api/admin/appeals?status=reversed", as, keys: appeals }];
  },
};

/** Decisions with appeals, all with the longest texts, about a person with the largest card. */
async function longAppeals(stage: Stage, status: "upheld" | "reversed") {
  const as = await stage.api.person();
  await stage.enlarge(as.id);
  const decisions = await stage.quietly<{ id: string }>(
    `insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, excerpt, decided_at)
     select $1, 'user', $1, 'warn', $2, $3, now() - n / 2 * interval '1 second' from generate_series(1, 505) n
     returning id`,
    [as.id, longest(1_000), longest(500)],
  );
  const appeals = await stage.quietly<{ id: string }>(
    `insert into nectar.moderation_appeals (decision_id, owner_id, status, reason, answer, created_at, decided_at)
     select id, owner_id, $2::nectar.appeal_status, $3, $3, decided_at, now()
     from nectar.moderation_decisions where owner_id = $1
     returning id`,
    [as.id, status, longest(1_000)],
  );
  return { as, decisions: decisions.map(({ id }) => id), appeals: appeals.map(({ id }) => id) };
}
