import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

/** The kinds of things that can be reported. */
export type Target = "entry" | "notebook" | "goal" | "tone_pack" | "drop" | "checkin" | "message" | "user";

/** A reason as admins write it. */
export const REASON = "It insults other people.";

/** Gives a user something public, so that everyone may see the user. */
export async function makeVisible(api: TestApi, userId: string): Promise<void> {
  await api.query`insert into nectar.notebooks (user_id, name, metadata_visibility) values (${userId}, 'Open', 'public')`;
}

/** Reports and decisions of a test. */
export function moderatingOf(api: TestApi) {
  const report = (as: Person, target_type: Target, target_id: string, more: object = {}) =>
    api.post("/api/reports", as, { target_type, target_id, reason: "spam", ...more });
  return {
    report,
    /** Hides something that a user reports, by a new admin. @returns a function that takes it back */
    async hide(reporter: Person, kind: Target, id: string): Promise<() => Promise<unknown>> {
      const created = await report(reporter, kind, id).created();
      const admin = await api.person({ role: "admin" });
      const path = `/api/admin/reports/${created.report.id}` as const;
      const { decision } = await api.put(path, admin, { decision: "hide", reason: REASON }).ok();
      return () => api.query`select private.undo_decision(${decision.id}, now())`;
    },
  };
}
