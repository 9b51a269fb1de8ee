/** An account that exists in every local stack with demo data. */
export interface DemoAccount {
  email: string;
  /** Known to everyone: these accounts exist on 127.0.0.1 only. */
  password: string;
  /** A few words for the person choosing an account to look at. */
  about: string;
}

/** The accounts to sign in with. More people live in the demo data; these are the ones with a published password. */
export const demoAccounts: readonly DemoAccount[] = [
  { email: "demo@nectar.local", password: "nectar-demo", about: "a member who writes, shares and plays" },
  { email: "admin@nectar.local", password: "nectar-admin", about: "the super admin" },
];
