import { beforeEach } from "vitest";
import { awayFromMidnight } from "./midnight.ts";

/** Longer than nearly every test takes, also on a busy machine. */
const TEST_MS = 60_000;

// A test that follows the real clock, in JavaScript or in the database, may count what happened today: assistant turns,
// allowances and daily drops start over at midnight UTC. So no test starts in the last minute of a day. What a file
// prepares for all of its tests may still be from the day before.
beforeEach(() => awayFromMidnight(TEST_MS));
