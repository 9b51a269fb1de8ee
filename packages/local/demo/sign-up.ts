import { createClient } from "@supabase/supabase-js";
import { type DemoAccount, demoAccounts } from "../demo-accounts.ts";
import type { SeedTarget } from "../dev.ts";
import { type DemoPerson, people } from "./people.ts";

/**
 * Signs the accounts with a published password up, as every client does; one that exists is left as it is.
 * @throws Error when Auth refuses one.
 */
export async function signUpDemoAccounts(target: SeedTarget): Promise<void> {
  await Promise.all(demoAccounts.map((account) => signUp(target, account)));
}

async function signUp({ supabaseUrl, publishableKey }: SeedTarget, { email, password }: DemoAccount): Promise<void> {
  const person = Object.values<DemoPerson>(people).find((candidate) => candidate.email === email);
  const client = createClient(supabaseUrl, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { error } = await client.auth.signUp({ email, password, options: { data: { full_name: person?.fullName } } });
  if (error !== null && error.code !== "user_already_exists") {
    throw new Error(`The demo account ${email} could not be made: ${error.message}`);
  }
}
