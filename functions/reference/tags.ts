import type { GroupName } from "../groups.ts";

export const TAG_DESCRIPTIONS: Readonly<Record<GroupName, string>> = {
  health: "Whether the service and its database respond, and its housekeeping job.",
  auth: "Check an access token.",
  user: "Your profile, your preferences, what you used of the AI models and each call of them, which super admins read your entries, and exports of your data.",
  account: "Erase your account, at once or in a week, and restore it before that.",
  users: "Other people: find those of your organizations, and read the page of someone.",
  organizations:
    "Organizations, their members, and invitations to join. An organization has one owner, who can pass it on.",
  teams: "Teams inside an organization, their members and their messages.",
  notebooks: "Notebooks that collect journal entries, and who they are shared with.",
  journal:
    "Journal entries: write, search, share, delete and restore. A list shows only the metadata of an entry whose content you may not read.",
  imports: "Import entries from an export of this service, from Day One, or from Markdown files.",
  ai: "Analyze the tone of a text and generate background images for entries.",
  drops: "Your balance of drops, the currency of the service, and its transactions.",
  admin: "Users, roles, conversion rates, received email and corrections of balances. For admins only.",
  "tone-packs": "Sets of images for moods: create, share, buy and activate them.",
  payment: "Subscribe to premium and manage the subscription.",
  "payment-webhook": "Events of the payment processor. Clients do not call this.",
  goals: "Your goals and your check-ins on them.",
  "wellness-entries": "Your entries about satisfaction, sleep and notes on what you did.",
  notifications: "Your notifications, and the devices that get them as push messages.",
  safety: "Block people, so that neither of you reaches the other, report what breaks the rules, and appeal decisions.",
  email: "Send email through the service and see what became of it.",
  "email-webhook": "Events of the mail provider. Clients do not call this.",
  "encouragement-drops":
    "Short messages that encourage others, the badges that you earn with them, and the leaderboard.",
  "workout-window": "The workout game: daily windows, chains, check-ins with a photo, mosaics and weekly battles.",
  chat: "The assistant: what it may read and write, and its analyses of your notes.",
};
