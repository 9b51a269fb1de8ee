import type { Capability } from "#config/capabilities";

/** A group of endpoints: one Hono app, one deployed function. */
export interface Group {
  readonly name: string;
  /** Its folder in `functions`. */
  readonly folder: string;
  /** The topic of its endpoints, as a sentence of the reference. */
  readonly about: string;
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

/**
 * A row of the table below: most groups have the folder and the path of their name, and 512 MB. All are reached through
 * the router.
 */
function group<Name extends string>(
  name: Name,
  row: Partial<Group> & Pick<Group, "about" | "timeoutSeconds" | "capabilities">,
) {
  const capabilities: readonly Capability[] = ["router", ...row.capabilities];
  return { folder: name, paths: [`/api/${name}`], memoryMb: 512, ...row, capabilities, name };
}

/** The one table of endpoint groups. */
export const GROUPS = [
  group("health", {
    about: "Whether the service and its database respond, and its housekeeping job.",
    paths: ["/health"],
    memoryMb: 256,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "publicImages", "models", "maintenanceJobs"],
  }),
  group("auth", {
    folder: "user/auth",
    about: "Check an access token.",
    memoryMb: 256,
    timeoutSeconds: 10,
    capabilities: ["database", "tokens"],
  }),
  group("user", {
    about:
      "Your profile, your preferences, what you used of the AI models and each call of them, which super admins read your entries, exports of your data, and personal tokens for programs.",
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "privateFiles", "tasks", "maintenanceJobs"],
  }),
  group("account", {
    folder: "user/account",
    about: "Erase your account, at once or in a week, and restore it before that.",
    paths: ["/api/user/account"],
    timeoutSeconds: 60,
    // The subscription is cancelled, and a receipt is mailed.
    capabilities: [...SIGNED_IN, "payments", "mail", "sendMail", "tasks", "maintenanceJobs"],
  }),
  group("users", {
    folder: "user/people",
    about: "Other people: find those of your organizations, and read the page of someone.",
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "assistantName"],
  }),
  group("organizations", {
    about: "Organizations, their members, and invitations to join. An organization has one owner, who can pass it on.",
    paths: ["/api/organizations", "/api/invitations"],
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "tasks", "mail", "sendMail"],
  }),
  group("teams", {
    about: "Teams inside an organization, their members and their messages.",
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "tasks"],
  }),
  group("changes", {
    about: "What changed of your own things, for devices that keep them.",
    timeoutSeconds: 30,
    capabilities: SIGNED_IN,
  }),
  group("notebooks", {
    about: "Notebooks that collect journal entries, and who they are shared with.",
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "tasks", "maintenanceJobs"],
  }),
  group("journal", {
    about:
      "Journal entries: write, search, share, delete and restore. A list shows only the metadata of an entry whose content you may not read.",
    paths: ["/api/journal", "/api/moods"],
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "models", "privateFiles"],
  }),
  group("pictures", {
    about: "The pictures of journal entries.",
    // Memory and time are those that check-ins have for their photos.
    memoryMb: 1536,
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "pictures"],
    unbundledPackages: ["libheif-js", "sharp"],
  }),
  group("imports", {
    about: "Import entries from an export of this service, from Day One, or from Markdown files.",
    paths: ["/api/journal/imports"],
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "privateFiles", "tasks", "maintenanceJobs"],
  }),
  group("ai", {
    folder: "assistant/tones",
    about: "Analyze the tone of a text and generate background images for entries.",
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "models", "privateFiles"],
  }),
  group("drops", {
    about: "Your balance of drops, the currency of the service, and its transactions.",
    paths: ["/api/drops", "/api/admin/drops/reconcile"],
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "dropJobs"],
  }),
  group("admin", {
    about: "Users, roles, conversion rates, received email and corrections of balances. For admins only.",
    timeoutSeconds: 20,
    capabilities: SIGNED_IN,
  }),
  group("tone-packs", {
    about: "Sets of images for moods: create, share, buy and activate them.",
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "models", "publicImages"],
  }),
  group("payment", {
    about: "Subscribe to premium and manage the subscription.",
    timeoutSeconds: 50,
    capabilities: [...SIGNED_IN, "payments"],
  }),
  group("payment-webhook", {
    about: "Events of the payment processor. Clients do not call this.",
    paths: ["/api/payment/webhook"],
    timeoutSeconds: 20,
    capabilities: ["database", "paymentEvents"],
  }),
  group("goals", {
    about: "Goals, check-ins on them, and who they are shared with.",
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "tasks"],
  }),
  group("wellness-entries", {
    folder: "wellness",
    about: "Your entries about satisfaction, sleep and notes on what you did.",
    timeoutSeconds: 20,
    capabilities: SIGNED_IN,
  }),
  group("notifications", {
    about: "Your notifications, and the devices that get them as push messages.",
    timeoutSeconds: 60,
    capabilities: [...SIGNED_IN, "push", "tasks", "maintenanceJobs"],
  }),
  group("safety", {
    about:
      "Block people, so that neither of you reaches the other, report what breaks the rules, and appeal decisions.",
    paths: ["/api/blocks", "/api/reports", "/api/admin/reports", "/api/moderation-decisions", "/api/admin/appeals"],
    timeoutSeconds: 20,
    capabilities: [...SIGNED_IN, "tasks", "assistantName", "privateFiles", "checkIns"],
  }),
  group("email", {
    folder: "mail",
    about: "Send email through the service and see what became of it.",
    timeoutSeconds: 30,
    capabilities: [...SIGNED_IN, "mail", "sendMail"],
  }),
  group("email-webhook", {
    folder: "mail/webhook",
    about: "Events of the mail provider. Clients do not call this.",
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
    about: "Short messages that encourage others, the badges that you earn with them, and the leaderboard.",
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
    folder: "game",
    about:
      "The workout game: daily windows, chains, check-ins with a photo, mosaics and weekly battles. And what a start screen shows of all topics.",
    // The window and the streak of a start screen follow from rules of the game, which are not in SQL.
    paths: ["/api/workout-window", "/api/today"],
    // Decoding a phone's photo takes memory, and so does a mosaic of all players.
    memoryMb: 1536,
    timeoutSeconds: 300,
    capabilities: [...SIGNED_IN, "privateFiles", "tasks", "checkIns", "gameJobs"],
    unbundledPackages: ["libheif-js", "sharp"],
  }),
  group("chat", {
    folder: "assistant",
    about: "The assistant: what it may read and write, and its analyses of your notes.",
    timeoutSeconds: 300,
    capabilities: [...SIGNED_IN, "models", "tasks", "assistantJobs", "gameJobs"],
  }),
] as const satisfies readonly Group[];

/** The function that does tasks; each queue has its own copy. It has no address, and belongs to no group. */
export const TASKS = {
  name: "tasks",
  folder: "workers",
  // For the pictures of imports, and the mosaic of 100,000 players.
  memoryMb: 1536,
  // For an export, which is built in one go.
  timeoutSeconds: 900,
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
    "pictures",
  ],
  unbundledPackages: ["libheif-js", "sharp"],
} as const satisfies Omit<Group, "about" | "paths">;

export type GroupName = (typeof GROUPS)[number]["name"];
