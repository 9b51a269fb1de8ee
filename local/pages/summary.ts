import type { DemoAccount } from "../demo/data.ts";

/** Addresses of everything that the local stack runs. */
export interface DevSummary {
  apiUrl: string;
  supabaseUrl: string;
  /** Superuser connection URL, with its password. */
  databaseUrl: string;
  publishableKey: string;
  /** The services of others, each with its location in words. */
  vendors: readonly { name: string; location: string }[];
  /** Pages on which the stand-ins show what reached them. */
  pages: readonly { title: string; url: string }[];
  /** Absolute path. */
  dataFolder: string;
  /** Empty when the stack runs without demo data. */
  accounts: readonly DemoAccount[];
  /** Addresses of `SUPER_ADMIN_EMAILS`, in lower case. */
  superAdmins: readonly string[];
}

/** Every part that runs, with its location. */
export function locationsOf(summary: DevSummary): (readonly [name: string, location: string])[] {
  return [
    ["API", `${summary.apiUrl}/api`],
    ["API reference", `${summary.apiUrl}/docs`],
    ["Supabase", summary.supabaseUrl],
    ["  publishable key", summary.publishableKey],
    ["Database", summary.databaseUrl],
    ...summary.vendors.map(({ name, location }) => [name, location] as const),
    ["Data and logs", summary.dataFolder],
    ...summary.superAdmins.map((address) => ["Super admin", address] as const),
  ];
}

/** Prints the summary at the end of the start. */
export function printSummary(summary: DevSummary): void {
  const rows = [
    ["Home page", summary.apiUrl] as const,
    ...locationsOf(summary),
    ...summary.accounts.map(({ email, password, about }) => [email, `password ${password} (${about})`] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join("\n")}`);
  const [account] = summary.accounts;
  if (account !== undefined) console.log(`\n  An access token for curl: npm run -s token -- ${account.email}`);
  console.log("");
}
