import * as z from "zod";

/** An address and its password. */
interface Account {
  readonly email: string;
  readonly password: string;
}

/** Requests an access token from Supabase with an address and a password. */
export function requestToken(
  supabaseUrl: string,
  publishableKey: string,
  { email, password }: Account,
): Promise<Response> {
  return fetch(`${supabaseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(10_000),
  });
}

/**
 * Signs in as an account of the demo data.
 * @returns the access token
 * @throws Error if Supabase refuses
 */
export async function signIn(
  { supabaseUrl, publishableKey }: { readonly supabaseUrl: string; readonly publishableKey: string },
  account: Account,
): Promise<string> {
  const response = await requestToken(supabaseUrl, publishableKey, account);
  if (!response.ok) throw new Error(`The demo account ${account.email} cannot sign in (status ${response.status}).`);
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}
