import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { Capability } from "#config/capabilities";
import { GROUPS, type GroupName, TASKS } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { bundlingWith } from "#ops/deploy/bundling";
import { functionVariables } from "#ops/deploy/function-environment";
import { TEST_JWT_SECRET } from "#tests/people";
import { type Bundle, bundleFunction, installBeside } from "./bundle.ts";
import { ROUTER_SECRET } from "./function-url-event.ts";

/** The secret of all scheduled jobs in these tests. */
export const CRON_SECRET = "the-scheduler-knows-this-one";

/** The result of an HTTP invocation (payload 2.0). */
const Result = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean(),
});
type Result = z.infer<typeof Result>;

const Message = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ result: z.unknown() }),
  z.object({ failure: z.string() }),
]);

/** A bundled function in a separate process. */
export interface RunningFunction {
  /** Its bundle, which stays until the function stops. */
  readonly bundle: Omit<Bundle, "remove">;
  /** Invokes the function. @throws Error with the function's message when the invocation fails */
  invoke(event: object): Promise<Result>;
  /** Invokes a function that returns something else. */
  handle(event: object): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Bundles a function and starts it in a new process with exactly the environment that the deployment gives it. The bundle is
 * outside of the project, so it only finds packages that are inside it or in its group's row.
 * @param databaseUrl address for the login role `nectar_api`
 * @param more additional settings and secrets
 */
export async function startFunction(
  group: GroupName | "tasks",
  databaseUrl: string,
  more: { settings?: Record<string, string>; secrets?: Record<string, string> } = {},
): Promise<RunningFunction> {
  const row: { capabilities: readonly Capability[]; unbundledPackages?: readonly string[] } | undefined = [
    ...GROUPS,
    TASKS,
  ].find(({ name }) => name === group);
  const { settings, secrets } = functionVariables(row?.capabilities ?? [], {
    settings: {
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_JWT_ISSUER: "none",
      LOG_LEVEL: "info",
      ...more.settings,
    },
    secrets: new Map([
      ["DATABASE_URL", databaseUrl],
      ["SUPABASE_JWT_SECRET", TEST_JWT_SECRET],
      ["ROUTER_SECRET", ROUTER_SECRET],
      ...SCHEDULES.map(({ secret }): [string, string] => [secret, CRON_SECRET]),
      ...Object.entries(more.secrets ?? {}),
    ]),
  });
  const bundle = await bundleFunction(group, bundlingWith([], settings).banner);
  await installBeside(bundle, row?.unbundledPackages ?? []);
  const child = fork(fileURLToPath(new URL("./lambda-process.ts", import.meta.url)), [bundle.entry], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      // The credentials of the function's own role, as Lambda gives them.
      AWS_ACCESS_KEY_ID: "role",
      AWS_SECRET_ACCESS_KEY: "role",
      ...secrets,
    },
  });
  let written = "";
  child.stdout?.on("data", (chunk) => (written += String(chunk)));
  child.stderr?.on("data", (chunk) => (written += String(chunk)));
  await nextMessage(child, () => written);
  async function handle(event: object): Promise<unknown> {
    const reply = nextMessage(child, () => written);
    child.send(event);
    const message = await reply;
    if ("failure" in message) throw new Error(message.failure);
    if ("result" in message) return message.result;
    throw new Error("The function started a second time.");
  }
  return {
    bundle,
    handle,
    invoke: async (event) => Result.parse(await handle(event)),
    async stop() {
      const ended = once(child, "exit");
      if (child.kill("SIGTERM")) await ended;
      await bundle.remove();
    },
  };
}

async function nextMessage(child: ChildProcess, written: () => string): Promise<z.infer<typeof Message>> {
  const stopWaiting = new AbortController();
  const ended = once(child, "exit", { signal: stopWaiting.signal }).then(() => {
    throw new Error(`The function's process ended: ${written()}`);
  });
  ended.catch(() => {});
  try {
    const message = once(child, "message", { signal: stopWaiting.signal }).then(([received]) =>
      Message.parse(received),
    );
    message.catch(() => {});
    return await Promise.race([message, ended]);
  } finally {
    stopWaiting.abort();
  }
}
