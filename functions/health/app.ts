import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { cron } from "@nectar/http/guards";
import { JobResponse } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { housekeep } from "./housekeeping.ts";
import { Health } from "./schema.ts";

/** Whether the service is alive, and the job that keeps it tidy. */
export function healthApp(services: Services) {
  const ok = () => ({ status: "ok" as const, timestamp: services.clock.now().toISOString() });
  return createApp(services)
    .get("/health", describe({ summary: "Tell that the function runs", response: Health }), (c) => answer(c, 200, ok()))
    .get(
      "/health/ready",
      describe({ summary: "Tell that the function reaches the database", response: Health, errors: [503] }),
      async (c) => {
        await services.database.ping();
        return answer(c, 200, ok());
      },
    )
    .post(
      "/health/cron/housekeeping",
      describe({ summary: "Remove what is kept only for a while (scheduled)", response: JobResponse }),
      cron(({ config }) => config.cronSecrets.maintenance),
      async (c) => answer(c, 200, await housekeep(services)),
    );
}
