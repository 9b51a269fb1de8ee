import type { Capability } from "@nectar/config/capabilities";

/** A group of endpoints: one folder here, one Hono app, one deployed function. */
export interface Group {
  readonly name: string;
  /**
   * Path prefixes that belong to the group: the bare prefix and everything below it, except what has a longer prefix of
   * another group.
   */
  readonly paths: readonly string[];
  /** Memory of the function in megabytes; on Lambda it also sets the share of a processor. */
  readonly memoryMb: number;
  /** More than 60, which is as long as the router waits, only helps scheduled jobs. */
  readonly timeoutSeconds: number;
  /** The function gets the variables of these capabilities and no others. */
  readonly capabilities: readonly Capability[];
  /** Packages that are installed beside its bundle. */
  readonly unbundledPackages?: readonly ("libheif-js" | "sharp")[];
}

/** Capabilities of a function that serves signed-in users from the database. */
const SIGNED_IN = ["database", "tokens", "users"] as const satisfies readonly Capability[];

/** A row of the table below: most groups have the path of their name and 512 MB, and all are reached through the router. */
function group<Name extends string>(name: Name, row: Partial<Group> & Pick<Group, "timeoutSeconds" | "capabilities">) {
  const capabilities: readonly Capability[] = ["router", ...row.capabilities];
  return { paths: [`/api/${name}`], memoryMb: 512, ...row, capabilities, name };
}

/** The one table of endpoint groups. */
export const GROUPS = [
  group("health", {
    paths: ["/health"],
    memoryMb: 256,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "publicImages", "models", "maintenanceJobs"],
  }),
  group("auth", { memoryMb: 256, timeoutSeconds: 10, capabilities: ["database", "tokens"] }),
  group("user", { timeoutSeconds: 20, capabilities: [...SIGNED_IN, "privateFiles", "tasks", "maintenanceJobs"] }),
  group("account", {
    paths: ["/api/user/account"],
    timeoutSeconds: 60,
    // The subscription is cancelled, and a receipt is mailed.
    capabilities: [...SIGNED_IN, "payments", "mail", "sendMail", "tasks", "maintenanceJobs"],
  }),
  group("users", { timeoutSeconds: 20, capabilities: [...SIGNED_IN, "assistantName"] }),
  group("organizations", {
    paths: ["/api/organizations", "/api/invitations"],
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "tasks", "mail", "sendMail"],
  }),
  group("teams", { timeoutSeconds: 20, capabilities: [...SIGNED_IN, "tasks"] }),
  group("notebooks", { timeoutSeconds: 60, capabilities: [...SIGNED_IN, "tasks", "maintenanceJobs"] }),
  group("journal", {
    paths: ["/api/journal", "/api/moods"],
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "models"],
  }),
  group("imports", {
    paths: ["/api/journal/imports"],
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "tasks", "maintenanceJobs"],
  }),
  group("ai", { timeoutSeconds: 60, capabilities: [...SIGNED_IN, "models", "privateFiles"] }),
  group("drops", {
    paths: ["/api/drops", "/api/admin/drops/reconcile"],
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "dropJobs"],
  }),
  group("admin", { timeoutSeconds: 20, capabilities: SIGNED_IN }),
  group("tone-packs", { timeoutSeconds: 60, capabilities: [...SIGNED_IN, "models", "publicImages"] }),
  group("payment", { timeoutSeconds: 50, capabilities: [...SIGNED_IN, "payments"] }),
  group("payment-webhook", {
    paths: ["/api/payment/webhook"],
    timeoutSeconds: 20,
    capabilities: ["database", "paymentEvents"],
  }),
  group("goals", { timeoutSeconds: 20, capabilities: SIGNED_IN }),
  group("wellness-entries", { timeoutSeconds: 20, capabilities: SIGNED_IN }),
  group("notifications", { timeoutSeconds: 60, capabilities: [...SIGNED_IN, "push", "tasks", "maintenanceJobs"] }),
  group("safety", {
    paths: ["/api/blocks", "/api/reports", "/api/admin/reports", "/api/moderation-decisions", "/api/admin/appeals"],
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "tasks", "assistantName", "privateFiles"],
  }),
  group("email", { timeoutSeconds: 30, capabilities: [...SIGNED_IN, "mail", "sendMail"] }),
  group("email-webhook", {
    paths: ["/api/email/webhook"],
    timeoutSeconds: 60,
    capabilities: [
      "database",
      "mailEvents",
      // The event for a received mail has no text: it is read from the provider.
      "mail",
      "tasks",
      "maintenanceJobs",
    ],
  }),
  group("encouragement-drops", {
    timeoutSeconds: 300,
    capabilities: [
      ...SIGNED_IN,
      "models",
      "tasks",
      "assistantName",
      "engagementJob",
      "dropJobs",
      "gameJobs",
      "assistantJobs",
    ],
  }),
  group("workout-window", {
    // Decoding a phone's photo takes memory, and so does a mosaic of all players.
    memoryMb: 1536,
    timeoutSeconds: 300,
    capabilities: [...SIGNED_IN, "privateFiles", "tasks", "checkIns", "gameJobs"],
    unbundledPackages: ["libheif-js", "sharp"],
  }),
  group("chat", { timeoutSeconds: 300, capabilities: [...SIGNED_IN, "models", "tasks", "assistantJobs", "gameJobs"] }),
] as const satisfies readonly Group[];

/** The function that does tasks; each queue has its own copy. It has no address, and belongs to no group. */
export const TASKS = {
  name: "tasks",
  // For the mosaic of 100,000 players.
  memoryMb: 1024,
  timeoutSeconds: 300,
  capabilities: [
    "database",
    "models",
    "push",
    "mail",
    "privateFiles",
    "publicImages",
    "assistantName",
    "tasks",
    "payments",
    "sendMail",
    "checkIns",
  ],
  unbundledPackages: ["sharp"],
} as const satisfies Omit<Group, "paths">;

export type GroupName = (typeof GROUPS)[number]["name"];
