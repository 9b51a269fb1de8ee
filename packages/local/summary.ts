import type { DemoAccount } from "./demo/data.ts";

/** Where everything is once the local stack runs. */
export interface DevSummary {
  apiUrl: string;
  supabaseUrl: string;
  /** Superuser connection URL, with its password. */
  databaseUrl: string;
  publishableKey: string;
  /** The services of others, each with where it is in words. */
  vendors: readonly { name: string; place: string }[];
  /** Pages on which the stand-ins show what reached them. */
  pages: readonly { title: string; url: string }[];
  /** Absolute path. */
  dataFolder: string;
  /** Empty when the stack runs without demo data. */
  accounts: readonly DemoAccount[];
}

/** Prints the closing summary of the start. */
export function printSummary(summary: DevSummary): void {
  const rows: [string, string][] = [
    ["Home page", summary.apiUrl],
    ["API", `${summary.apiUrl}/api`],
    ["API reference", `${summary.apiUrl}/docs`],
    ["Supabase", summary.supabaseUrl],
    ["  publishable key", summary.publishableKey],
    ["Database", summary.databaseUrl],
    ...summary.vendors.map(({ name, place }): [string, string] => [name, place]),
    ["Data and logs", summary.dataFolder],
    ...summary.accounts.map((account): [string, string] => [
      account.email,
      `password ${account.password} (${account.about})`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join("\n")}`);
  if (summary.accounts[0])
    console.log(`\n  An access token for curl: npm run -s token -- ${summary.accounts[0].email}`);
  console.log("");
}
