/**
 * What a function can do. A function gets the variables of its capabilities (functions/groups.ts) and no others. The text
 * is how docs/environment.md and .env.example name the functions with that capability.
 */
export const CAPABILITIES = {
  database: "every function with a database",
  router: "functions with an address",
  tokens: "functions that check access tokens",
  users: "functions that serve signed-in users",
  maintenanceJobs: "functions with maintenance jobs",
  dropJobs: "functions that award or generate drops",
  engagementJob: "the function that rewards engagement",
  assistantJobs: "functions with the assistant's jobs",
  gameJobs: "functions with the game's or the assistant's jobs",
  models: "functions that call a model",
  assistantName: "functions that show the assistant's name",
  payments: "functions that call the payment processor",
  paymentEvents: "the payment webhook",
  mail: "functions that read or send mail",
  sendMail: "functions that send mail",
  mailEvents: "the mail webhook",
  push: "functions that send push messages",
  tasks: "functions that queue or do tasks",
  checkIns: "functions that check photos in or draw mosaics",
  pictures: "functions that add pictures to entries",
  privateFiles: "functions that store private files",
  publicImages: "functions that store public images",
} as const;

export type Capability = keyof typeof CAPABILITIES;
