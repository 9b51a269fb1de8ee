import { parseArgs } from "node:util";
import { demoAccounts } from "./demo/data.ts";
import { type Environment, readLocalSettings } from "./local-settings.ts";
import { runningStack } from "./stack-lock.ts";
import { StartupProblem } from "./startup-problem.ts";

const usage = "Usage: npm run -s token -- <e-mail> [--password <password>]";

/**
 * Signs in at the running local Supabase.
 * @returns the access token.
 * @throws StartupProblem when the arguments are incomplete, the local stack does not run, or the credentials are wrong.
 */
async function accessToken(args: string[], environment: Environment): Promise<string> {
  const { email, password } = credentials(args);
  const settings = readLocalSettings(environment);
  const supabaseUrl =
    environment.SUPABASE_URL ||
    (runningStack(settings.dataFolder)?.supabaseUrl ?? `http://127.0.0.1:${settings.supabasePort}`);
  const response = await request(`${supabaseUrl}/auth/v1/token?grant_type=password`, settings.keys.publishableKey, {
    email,
    password,
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && typeof body === "object" && body !== null && "access_token" in body) {
    return String(body.access_token);
  }
  throw new StartupProblem(
    response.status === 400
      ? `Cannot sign in as ${email} at ${supabaseUrl}: the account is unknown or the password is wrong.\nDemo accounts: ${demoAccounts.map((account) => account.email).join(", ")}`
      : `${supabaseUrl} refused to sign in (status ${response.status}). Is this the local Supabase, and is SUPABASE_PUBLISHABLE_KEY its key?`,
  );
}

function credentials(args: string[]): { email: string; password: string } {
  let parsed: { values: { password?: string }; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { password: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    throw new StartupProblem(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
  const [email, ...rest] = parsed.positionals;
  if (!email || rest.length > 0) throw new StartupProblem(usage);
  const known = demoAccounts.find((account) => account.email === email.toLowerCase());
  const password = parsed.values.password ?? known?.password;
  if (password === undefined) {
    throw new StartupProblem(
      `${email} is no demo account (${demoAccounts.map((account) => account.email).join(", ")}): give its password.\n${usage}`,
    );
  }
  return { email, password };
}

async function request(url: string, publishableKey: string, body: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { apikey: publishableKey, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  } catch {
    throw new StartupProblem(
      `Nothing responds at ${new URL(url).origin}: start the local stack first (npm run dev). Was it started with another LOCAL_DATA_DIR or LOCAL_SUPABASE_PORT? Then set the same here.`,
    );
  }
}

try {
  console.log(await accessToken(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof StartupProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
