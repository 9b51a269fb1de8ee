/** Requests an access token from Supabase with an address and a password. */
export function requestToken(
  supabaseUrl: string,
  publishableKey: string,
  { email, password }: { email: string; password: string },
): Promise<Response> {
  return fetch(`${supabaseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(10_000),
  });
}
