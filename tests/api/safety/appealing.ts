import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";
import { makeVisible, moderatingOf, REASON, type Target } from "./moderating.ts";

/** Makes reports, decisions and appeals, for tests of what follows from them. */
export function appealing(api: TestApi) {
  const moderating = moderatingOf(api);

  /** Writes a public entry. @returns its id */
  async function newEntry(owner: Person): Promise<string> {
    const visibility = { metadata_visibility: "public", content_visibility: "public" };
    const body = { title: "A walk", content: "To the lake", ...visibility };
    return (await api.post("/api/journal", owner, body).created()).entry.id;
  }

  /** Reports something as a person, or as a new one. @returns the id of the report */
  async function report(kind: Target, id: string, by?: Person) {
    if (kind === "user") await makeVisible(api, id);
    const reporter = by ?? (await api.person());
    return (await moderating.report(reporter, kind, id).created()).report.id;
  }

  return {
    newEntry,
    report,
    /** Reports a new public entry of a person. @returns the id of the report */
    reportedEntry: async (owner: Person) => report("entry", await newEntry(owner)),
    async decide(admin: Person, reportId: string, decision: object) {
      const body = { reason: REASON, ...decision };
      return (await api.put(`/api/admin/reports/${reportId}`, admin, body).ok()).decision;
    },
    async appeal(owner: Person, decisionId: string) {
      const body = { reason: "It was meant as a joke among friends." };
      return (await api.post(`/api/moderation-decisions/${decisionId}/appeal`, owner, body).created()).appeal;
    },
    answer: (admin: Person, appealId: string, decision: "uphold" | "reverse") =>
      api.put(`/api/admin/appeals/${appealId}`, admin, { decision, answer: "We looked at it again." }),
  };
}
