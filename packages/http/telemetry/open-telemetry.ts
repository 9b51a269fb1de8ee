import { once } from "#providers/once";
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

/** Starts to record. OpenTelemetry's SDK is loaded for the first span. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const loaded = once(async () => {
    const { spanRecorder } = await import("./span-recorder.ts");
    return spanRecorder(options);
  });
  return {
    inSpan: async (plan, work) => (await loaded()).inSpan(plan, work),
    flush: async () => (await loaded()).flush(),
  };
}
