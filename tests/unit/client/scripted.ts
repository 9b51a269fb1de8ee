import { createNectar, type NectarOptions } from "#client";

export type Step = Response | Error | "hang";

/** A client whose server follows a script, and the requests that it sent. */
export function scripted(steps: readonly Step[], options: Partial<NectarOptions> = {}) {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = [];
  const nectar = createNectar({
    baseUrl: "https://api.test/",
    token: () => "secret-token",
    ...options,
    fetch: async (url, init) => {
      const step = steps[Math.min(sent.length, steps.length - 1)] ?? new Error("The script has no steps.");
      sent.push({ url, init, headers: new Headers(init.headers) });
      if (step === "hang") return untilAborted(init.signal);
      if (step instanceof Error) throw step;
      return step.clone();
    },
  });
  return { nectar, sent };
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

/** An error response of the service. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: "No.", code }, { status, headers: { "x-request-id": "request-1", ...headers } });
}
