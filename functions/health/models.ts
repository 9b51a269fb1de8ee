import { all } from "#database/query";
import type { JobContext } from "#http/jobs/jobs";
import { describeFailure } from "#http/telemetry/logging";

const WARNED_MS = 60 * 24 * 60 * 60 * 1_000;

/**
 * Warns, once for each, that the vendor will shut down a configured model within 60 days.
 * @returns the models with their dates, by which later runs know of the warning; nothing if there are none
 */
export async function warnOfShutdowns({
  services: { ai, logger },
  transaction,
  now,
}: JobContext): Promise<{ models_ending?: string[] }> {
  if (ai === null) return {};
  try {
    const shutdowns = (await ai.listShutdowns()).filter(({ date }) => date.getTime() - now.getTime() < WARNED_MS);
    if (shutdowns.length === 0) return {};
    const ending = shutdowns.map(({ model, date }) => `${model} ${date.toISOString().slice(0, 10)}`);
    const unknown = await transaction(
      (tx) => all<{ model: string }>(tx)`
        select e.model from unnest(${ending}::text[]) e (model)
        where not exists (
          select from private.job_runs r where r.job = 'housekeeping' and r.results -> 'models_ending' ? e.model
        )
      `,
    );
    for (const { model } of unknown) logger.warn({ model }, "a model will be shut down");
    return { models_ending: ending };
  } catch (error) {
    // Other providers have no list of models.
    logger.info({ failure: describeFailure(error) }, "the models could not be listed");
    return {};
  }
}
