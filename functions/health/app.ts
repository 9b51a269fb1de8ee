import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import type { Services } from "@nectar/http/services";
import { housekeeping } from "./housekeeping.ts";
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
    .post(...cronRoute(housekeeping, { summary: "Remove what is kept only for a while (scheduled)" }));
}
