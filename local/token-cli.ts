import { parseArgs } from "node:util";
import * as z from "zod";
import { demoAccounts } from "./demo/data.ts";
import { requestToken } from "./pages/sign-in.ts";
import { type Environment, readLocalSettings } from "./settings/local-settings.ts";
import { readStackNote } from "./stack/stack-lock.ts";
import { messageOf, StartupProblem } from "./support/startup-problem.ts";

const USAGE = "Usage: npm run -s token -- <e-mail> [--password <password>]";
const DEMO_ADDRESSES = demoAccounts.map(({ email }) => email).join(", ");

/**
 * Signs in at the running local Supabase.
 * @returns the access token
 * @throws StartupProblem if the arguments are incomplete, the local stack does not run, or the credentials are wrong
 */
async function accessToken(args: string[], environment: Environment): Promise<string> {
  const account = credentials(args);
  const { ports, dataFolder, keys } = readLocalSettings(environment);
  const supabaseUrl =
    environment.SUPABASE_URL || (readStackNote(dataFolder)?.supabaseUrl ?? `http://127.0.0.1:${ports.supabase}`);
  const response = await requestToken(supabaseUrl, keys.publishableKey, account).catch(() => {
    throw new StartupProblem(
      `Nothing responds at ${supabaseUrl}: start the local stack first (npm run dev). Was it started with another LOCAL_DATA_DIR or LOCAL_SUPABASE_PORT? Then set the same here.`,
    );
  });
  if (response.status === 400) {
    throw new StartupProblem(
      `Cannot sign in as ${account.email} at ${supabaseUrl}: the account is unknown or the password is wrong.\nDemo accounts: ${DEMO_ADDRESSES}`,
    );
  }
  if (!response.ok) {
    throw new StartupProblem(
      `${supabaseUrl} refused to sign in (status ${response.status}). Is this the local Supabase, and is SUPABASE_PUBLISHABLE_KEY its key?`,
    );
  }
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

function credentials(args: string[]): { email: string; password: string } {
  const { values, positionals } = parsed(args);
  const [email, ...rest] = positionals;
  if (!email || rest.length > 0) throw new StartupProblem(USAGE);
  const known = demoAccounts.find((account) => account.email === email.toLowerCase());
  const password = values.password ?? known?.password;
  if (password === undefined) {
    throw new StartupProblem(`${email} is not a demo account (${DEMO_ADDRESSES}): give its password.\n${USAGE}`);
  }
  return { email, password };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { password: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    throw new StartupProblem(`${messageOf(error)}\n${USAGE}`);
  }
}

try {
  console.log(await accessToken(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof StartupProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
