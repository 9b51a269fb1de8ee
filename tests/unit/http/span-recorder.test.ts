import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import type { EndedSpan } from "#core/work/ended-span";
import { spanRecorder } from "#http/telemetry/span-recorder";

/** The spans that are recorded of a request and of a part of it. */
async function recorded(share: number, traceparent?: string, part = async () => {}): Promise<EndedSpan[]> {
  const spans: EndedSpan[] = [];
  const telemetry = spanRecorder({ exportTo: null, share, random: () => 0.5, onEnd: (span) => void spans.push(span) });
  const request = { name: "request", kind: "server", attributes: {}, traceparent } as const;
  await telemetry
    .inSpan(request, () => telemetry.inSpan({ name: "part", kind: "client", attributes: {} }, part))
    .catch(() => undefined);
  return spans;
}

describe("callers do not decide which traces are recorded", () => {
  it.each(["00", "01"])("by the flag %s", async (flag) => {
    const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flag}`;
    expect(await recorded(1, traceparent)).toHaveLength(2);
    expect(await recorded(0, traceparent)).toEqual([]);
  });

  it("by the trace id, not even the one that a sampler by trace id would choose first", async () => {
    const traceparent = "00-00000000000000000000000000000001-b7ad6b7169203331-01";
    expect(await recorded(1e-9, traceparent)).toEqual([]);
  });
});

describe("a span", () => {
  const failing = (error: Error) =>
    recorded(1, undefined, async () => {
      throw error;
    });

  it("does not count as failed if the request is refused", async () => {
    const [part] = await failing(new AppError("goal.not_found"));
    expect(part).toMatchObject({ hasFailed: false, attributes: { "nectar.refusal": "goal.not_found" } });
  });

  it("counts as failed if something does not work, with the code of the error", async () => {
    const [part] = await failing(new AppError("service.unexpected"));
    expect(part).toMatchObject({ hasFailed: true, attributes: { "error.type": "service.unexpected" } });
    const [other] = await failing(new TypeError("secret text"));
    expect(other).toMatchObject({ hasFailed: true, attributes: { "error.type": "TypeError" } });
  });
});
