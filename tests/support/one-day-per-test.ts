import { beforeEach } from "vitest";
import { awayFromMidnight } from "./midnight.ts";

/** The time that a test has by default (vitest.config.ts), in milliseconds. */
const TEST_MS = 30_000;

// A test that follows the real clock, in JavaScript or in the database, may rely on the UTC date while it runs: no test
// starts in the last seconds of a day, and one that started earlier has ended, or timed out, by midnight. What a file
// prepares for all of its tests may still be from the day before.
beforeEach(() => awayFromMidnight(TEST_MS));
