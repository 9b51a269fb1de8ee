import { randomUUID } from "node:crypto";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";
import { createTemplate } from "../encouragement-drops/sending.ts";
import { appealing } from "../safety/appealing.ts";
import { playDay } from "../workout-window/game-days.ts";

/** A request that changes something, and what the audit log says of it. */
export interface AuditedRequest {
  readonly path: string;
  readonly body?: object;
  readonly target: readonly [type: string, id: string | null | "the new id"];
  readonly changed: readonly string[];
}

/** Stands in every text of a request. */
export const CANARY = "Canary-7f3b";
const NUMBER = 4_242_421;
const MONDAY = "2026-02-02";

/** A request that succeeds for each route by which an admin changes something, with the row of the audit log. */
export function auditScenes(api: TestApi, root: Person): Readonly<Record<string, () => Promise<AuditedRequest>>> {
  const newSyntheticUser = async () => {
    const body = await api.post("/api/workout-window/admin/ai-users/generate", root, { count: 1 }).created();
    return body.users[0]?.id ?? "";
  };
  const newPurchase = async () => {
    const { id: pack } = await api.person();
    const { id } = await api.one<{ id: string }>`
      select (private.post_drop_transaction(
        ${pack}, 'purchase', -5, ${`purchase:${pack}`}, 'Tone pack', ${pack}, 'tone_pack')).id`;
    return id;
  };
  const newCheckIn = async () => {
    const person = await api.person();
    await playDay(api, { person, date: "2026-02-03", team: "red", status: "pending" });
    const { id } = await api.one<{ id: string }>`select id from nectar.workout_checkins where user_id = ${person.id}`;
    return id;
  };
  return {
    "POST /api/admin/conversion/rates": async () => ({
      path: "/api/admin/conversion/rates",
      body: { rate: NUMBER },
      target: ["conversion_rate", "the new id"],
      changed: ["rate"],
    }),
    "PUT /api/admin/users/:id/role": async () => {
      const { id } = await api.person();
      const path = `/api/admin/users/${id}/role`;
      return { path, body: { role: "admin", note: CANARY }, target: ["user", id], changed: ["role"] };
    },
    "POST /api/admin/drops/adjust": async () => {
      const { id } = await api.person();
      const body = { user_id: id, amount: NUMBER, description: CANARY };
      const changed = ["user_id", "amount", "description"];
      return { path: "/api/admin/drops/adjust", body, target: ["user", id], changed };
    },
    "POST /api/admin/drops/refund": async () => {
      const id = await newPurchase();
      const body = { transaction_id: id, description: CANARY };
      const changed = ["transaction_id", "description"];
      return { path: "/api/admin/drops/refund", body, target: ["drop_transaction", id], changed };
    },
    "PUT /api/admin/reports/:id": async () => {
      const [person, reporter] = [await api.person(), await api.person()];
      const pack = { name: CANARY, theme: "origami", is_public: true };
      const { tone_pack } = await api.post("/api/tone-packs", person, pack).created();
      const complaint = { target_type: "tone_pack", target_id: tone_pack.id, reason: "spam", details: CANARY };
      const { id } = (await api.post("/api/reports", reporter, complaint).created()).report;
      const body = { decision: "warn", reason: `${CANARY} was reported.` };
      return { path: `/api/admin/reports/${id}`, body, target: ["report", id], changed: ["decision", "reason"] };
    },
    "PUT /api/admin/appeals/:id": async () => {
      const [person, admin] = [await api.person(), await api.person({ role: "admin" })];
      const { decide, report, appeal } = appealing(api);
      const decision = await decide(admin, await report("user", person.id), { decision: "warn" });
      const { id } = await appeal(person, decision.id);
      const body = { decision: "reverse", answer: `${CANARY} was appealed.` };
      return { path: `/api/admin/appeals/${id}`, body, target: ["appeal", id], changed: ["decision", "answer"] };
    },
    "POST /api/encouragement-drops/admin/templates": async () => ({
      path: "/api/encouragement-drops/admin/templates",
      body: { type: "encouragement", title: CANARY, content: CANARY, [CANARY]: CANARY },
      target: ["drop_template", "the new id"],
      changed: ["type", "title", "content", "media_url", "thumbnail_url", "is_approved"],
    }),
    "PUT /api/encouragement-drops/admin/templates/:id": async () => {
      const { id } = await createTemplate(api, root);
      const path = `/api/encouragement-drops/admin/templates/${id}`;
      return { path, body: { title: CANARY }, target: ["drop_template", id], changed: ["title"] };
    },
    "DELETE /api/encouragement-drops/admin/templates/:id": async () => {
      const { id } = await createTemplate(api, root);
      return { path: `/api/encouragement-drops/admin/templates/${id}`, target: ["drop_template", id], changed: [] };
    },
    "PUT /api/encouragement-drops/admin/config": async () => ({
      path: "/api/encouragement-drops/admin/config",
      body: { daily_allowance: 97 },
      target: ["drop_config", null],
      changed: ["daily_allowance"],
    }),
    "POST /api/encouragement-drops/admin/process-engagement": async () => ({
      path: "/api/encouragement-drops/admin/process-engagement",
      target: ["job", null],
      changed: [],
    }),
    "POST /api/workout-window/admin/ai-users/generate": async () => ({
      path: "/api/workout-window/admin/ai-users/generate",
      body: { count: 2, config: { seed: CANARY } },
      target: ["synthetic_user", null],
      changed: ["count", "config"],
    }),
    "DELETE /api/workout-window/admin/ai-users/:id": async () => {
      const id = await newSyntheticUser();
      return { path: `/api/workout-window/admin/ai-users/${id}`, target: ["synthetic_user", id], changed: [] };
    },
    "PUT /api/workout-window/admin/ai-users/:id/toggle": async () => {
      const id = await newSyntheticUser();
      const path = `/api/workout-window/admin/ai-users/${id}/toggle`;
      return { path, body: { isActive: false }, target: ["synthetic_user", id], changed: ["isActive"] };
    },
    "PUT /api/workout-window/admin/checkins/:id": async () => {
      const id = await newCheckIn();
      const path = `/api/workout-window/admin/checkins/${id}`;
      const body = { status: "rejected", reason: `${CANARY} is in the photo.` };
      return { path, body, target: ["checkin", id], changed: ["status", "reason"] };
    },
    "POST /api/workout-window/battle/execute/:weekStartDate": async () => {
      await api.query`select private.join_battle(${MONDAY})`;
      return { path: `/api/workout-window/battle/execute/${MONDAY}`, target: ["battle", null], changed: [] };
    },
    "POST /api/workout-window/mosaic/generate/:date": async () => ({
      path: `/api/workout-window/mosaic/generate/${MONDAY}`,
      target: ["mosaic", null],
      changed: [],
    }),
  };
}

/** Requests of an admin that are not valid, or about something that is not there. */
export function refusedRequests(target: Person): readonly [route: string, body?: object][] {
  return [
    ["POST /api/admin/conversion/rates", { rate: -1 }],
    [`PUT /api/admin/users/${randomUUID()}/role`, { role: "admin" }],
    ["POST /api/admin/drops/adjust", { user_id: target.id, amount: -NUMBER, description: CANARY }],
    ["POST /api/admin/drops/refund", { transaction_id: randomUUID() }],
    [`PUT /api/admin/reports/${randomUUID()}`, { decision: "warn", reason: `${CANARY} was reported.` }],
    [`PUT /api/admin/appeals/${randomUUID()}`, { decision: "reverse", answer: `${CANARY} was appealed.` }],
    ["POST /api/encouragement-drops/admin/templates", { type: "media", title: CANARY, content: CANARY }],
    [`PUT /api/encouragement-drops/admin/templates/${randomUUID()}`, { title: CANARY }],
    [`DELETE /api/encouragement-drops/admin/templates/${randomUUID()}`],
    ["PUT /api/encouragement-drops/admin/config", {}],
    ["POST /api/workout-window/admin/ai-users/generate", { count: 0 }],
    [`DELETE /api/workout-window/admin/ai-users/${randomUUID()}`],
    [`PUT /api/workout-window/admin/ai-users/${randomUUID()}/toggle`, { isActive: true }],
    [`PUT /api/workout-window/admin/checkins/${randomUUID()}`, { status: "verified" }],
    ["POST /api/workout-window/battle/execute/2026-02-03"],
    ["POST /api/workout-window/mosaic/generate/today"],
  ];
}
