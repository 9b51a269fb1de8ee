import type { TestApi } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { makeVisible } from "./moderating.ts";

/** Makes reports, decisions and appeals, for tests of what follows from them. */
export function appealing(api: TestApi) {
  /** Writes a public entry. @returns its id */
  async function newEntry(owner: Person): Promise<string> {
    const visibility = { metadata_visibility: "public", content_visibility: "public" };
    const body = { title: "A walk", content: "To the lake", ...visibility };
    return (await api.post("/api/journal", owner, body).created()).entry.id;
  }

  /** Reports something as a new person. @returns the id of the report */
  async function report(
    target_type: "entry" | "notebook" | "tone_pack" | "drop" | "checkin" | "user",
    target_id: string,
    by?: Person,
  ) {
    if (target_type === "user") await makeVisible(api, target_id);
    const body = { target_type, target_id, reason: "harassment" };
    return (await api.post("/api/reports", by ?? (await api.person()), body).created()).report.id;
  }

  return {
    newEntry,
    report,
    /** Reports a new public entry of a person. @returns the id of the report */
    reportedEntry: async (owner: Person) => report("entry", await newEntry(owner)),
    /** Decides a report. */
    async decide(admin: Person, reportId: string, decision: object) {
      const body = { reason: "It insults other people.", ...decision };
      return (await api.put(`/api/admin/reports/${reportId}`, admin, body).ok()).decision;
    },
    /** Appeals a decision. */
    async appeal(owner: Person, decisionId: string) {
      const body = { reason: "It was meant as a joke among friends." };
      return (await api.post(`/api/moderation-decisions/${decisionId}/appeal`, owner, body).created()).appeal;
    },
    /** Decides an appeal. */
    answer: (admin: Person, appealId: string, decision: "uphold" | "reverse") =>
      api.put(`/api/admin/appeals/${appealId}`, admin, { decision, answer: "We looked at it again." }),
  };
}
