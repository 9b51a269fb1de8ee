import type { Capability } from "@nectar/config/variables";

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
  /** What the function can do: it gets the variables of these capabilities and no others. */
  readonly capabilities: readonly Capability[];
  /** Packages that are installed beside its bundle. */
  readonly unbundledPackages?: readonly ("libheif-js" | "sharp")[];
}

/** A function that serves signed-in users from the database. */
const SIGNED_IN = ["database", "tokens", "users"] as const satisfies readonly Capability[];

/** The one table of endpoint groups. */
export const GROUPS = [
  {
    name: "health",
    paths: ["/health"],
    memoryMb: 256,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "publicImages", "maintenanceJobs"],
  },
  { name: "auth", paths: ["/api/auth"], memoryMb: 256, timeoutSeconds: 10, capabilities: ["database", "tokens"] },
  { name: "user", paths: ["/api/user"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  { name: "organizations", paths: ["/api/organizations"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  { name: "teams", paths: ["/api/teams"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  { name: "notebooks", paths: ["/api/notebooks"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  {
    name: "journal",
    paths: ["/api/journal", "/api/moods"],
    memoryMb: 512,
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "models"],
  },
  {
    name: "ai",
    paths: ["/api/ai"],
    memoryMb: 512,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "models", "privateFiles"],
  },
  {
    name: "drops",
    paths: ["/api/drops"],
    memoryMb: 512,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "dropJobs"],
  },
  { name: "admin", paths: ["/api/admin"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  {
    name: "tone-packs",
    paths: ["/api/tone-packs"],
    memoryMb: 512,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "models", "publicImages"],
  },
  {
    name: "payment",
    paths: ["/api/payment"],
    memoryMb: 512,
    timeoutSeconds: 50,
    capabilities: [...SIGNED_IN, "payments"],
  },
  {
    name: "payment-webhook",
    paths: ["/api/payment/webhook"],
    memoryMb: 512,
    timeoutSeconds: 20,
    capabilities: ["database", "paymentEvents"],
  },
  { name: "goals", paths: ["/api/goals"], memoryMb: 512, timeoutSeconds: 20, capabilities: SIGNED_IN },
  {
    name: "wellness-entries",
    paths: ["/api/wellness-entries"],
    memoryMb: 512,
    timeoutSeconds: 20,
    capabilities: SIGNED_IN,
  },
  {
    name: "notifications",
    paths: ["/api/notifications"],
    memoryMb: 512,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "push", "maintenanceJobs"],
  },
  {
    name: "email",
    paths: ["/api/email"],
    memoryMb: 512,
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "mail", "sendMail"],
  },
  {
    name: "email-webhook",
    paths: ["/api/email/webhook"],
    memoryMb: 512,
    timeoutSeconds: 60,
    capabilities: [
      "database",
      "mailEvents",
      // The event for a received mail has no text: it is read from the provider.
      "mail",
      "maintenanceJobs",
    ],
  },
  {
    name: "encouragement-drops",
    paths: ["/api/encouragement-drops"],
    memoryMb: 512,
    timeoutSeconds: 300,
    capabilities: [
      ...SIGNED_IN,
      "models",
      "push",
      "assistantDrops",
      "engagementJob",
      "dropJobs",
      "gameJobs",
      "assistantJobs",
    ],
  },
  {
    name: "workout-window",
    paths: ["/api/workout-window"],
    // Decoding a phone's photo takes memory, and so does a mosaic of all players.
    memoryMb: 1536,
    timeoutSeconds: 300,
    capabilities: [...SIGNED_IN, "privateFiles", "push", "checkIns", "gameJobs"],
    unbundledPackages: ["libheif-js", "sharp"],
  },
  {
    name: "chat",
    paths: ["/api/chat"],
    memoryMb: 512,
    timeoutSeconds: 300,
    capabilities: [...SIGNED_IN, "models", "assistantJobs", "gameJobs"],
  },
] as const satisfies readonly Group[];

/** The name of a group. */
export type GroupName = (typeof GROUPS)[number]["name"];
