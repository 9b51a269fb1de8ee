import { beforeEach } from "vitest";
import { chatApp } from "#functions/assistant/app";
import { useApi } from "#tests/api";
import { CRON_SECRET, callJob, clockOfToday } from "#tests/assistant";
import { useModel } from "#tests/models";
import type { Person } from "#tests/people";

/** The results of a run that found nothing to do. */
export const NOTHING = { total: 0, successful: 0, failed: 0, errors: [] };

/** The route of the job that analyzes notes. */
export const ANALYZE_NOTES = "/api/chat/cron/analyze-notes";

/**
 * An API with the stand-in of a model, for tests of the job that analyzes notes. Each test starts without people and
 * without recorded runs, at noon of today (UTC): turns are counted per day, and deleting an analysis ages notes by the
 * clock of the database.
 */
export async function useAnalyzing() {
  const model = await useModel();
  const api = useApi({ environment: { ...model.environment, CHAT_CRON_SECRET: CRON_SECRET } });
  beforeEach(async () => {
    api.at(clockOfToday(12).now());
    await api.query`delete from auth.users where id <> private.system_user_id()`;
    await api.query`delete from private.job_runs`;
  });

  /** The chat group without pauses between batches; services and options may differ. */
  const appWith = (services: Partial<typeof api.services> = {}, options = {}) =>
    chatApp({ ...api.services, ...services }, { pauseMs: 0, modelTimeoutMs: 10_000, ...options });
  /** Runs the job and returns its results. */
  const analyze = async (services: Partial<typeof api.services> = {}, options = {}) =>
    (await callJob(appWith(services, options), ANALYZE_NOTES)).results;

  return {
    api,
    model,
    appWith,
    analyze,

    /** A person who lets the assistant read their notes. */
    async reader(): Promise<Person> {
      const person = await api.person();
      await api.put("/api/chat/settings", person, { read_notes_enabled: true });
      return person;
    },

    /** Writes an entry of some age, without asking the model for a mood. */
    async note(person: Person, content: string, age = "1 hour"): Promise<string> {
      const { body } = await api.post("/api/journal", person, { title: "Day", content, mood: "own" });
      await api.query(
        `update nectar.journal_entries
         set created_at = $2::timestamptz - $3::interval, updated_at = $2::timestamptz - $3::interval where id = $1`,
        [body.entry.id, api.services.clock.now(), age],
      );
      return body.entry.id;
    },

    /** Lets the wait after a failure pass, or a claim expire. */
    expireClaims: () =>
      api.query`update private.assistant_turns set claimed_until = claimed_until - interval '2 hours'`,

    analysisOf: async (person: Person) => (await api.get("/api/chat/analysis", person)).body.analysis,

    /** The data of all prompts so far. */
    prompts: () => model.requests.flatMap((request) => (request.kind === "text" ? [request.data] : [])),
  };
}
