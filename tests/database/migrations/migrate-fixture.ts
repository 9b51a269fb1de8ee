import { migrate } from "#ops/migrate/migrate";

// A migrating process that a test can kill.
const [adminUrl = "", folder = ""] = process.argv.slice(2);
await migrate(adminUrl, { folder, lockTimeoutMs: 120_000, report: console.log });
