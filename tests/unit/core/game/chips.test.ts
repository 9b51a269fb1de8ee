import { chipsFor } from "@nectar/core/game/chips";
import { expect, it } from "vitest";

// Counted by hand from the rule: 1, plus 1 for the chain, plus 0.5 for early, plus 2 from the seventh day; rounded down.
it.each([
  [{ chainContinued: false, early: false, streakDays: 1 }, [1, 0, 0, 0, 1, 1]],
  [{ chainContinued: false, early: true, streakDays: 1 }, [1, 0, 0.5, 0, 1.5, 1]],
  [{ chainContinued: true, early: false, streakDays: 1 }, [1, 1, 0, 0, 2, 2]],
  [{ chainContinued: true, early: true, streakDays: 6 }, [1, 1, 0.5, 0, 2.5, 2]],
  [{ chainContinued: false, early: false, streakDays: 6 }, [1, 0, 0, 0, 1, 1]],
  [{ chainContinued: false, early: false, streakDays: 7 }, [1, 0, 0, 2, 3, 3]],
  [{ chainContinued: false, early: true, streakDays: 7 }, [1, 0, 0.5, 2, 3.5, 3]],
  [{ chainContinued: true, early: false, streakDays: 7 }, [1, 1, 0, 2, 4, 4]],
  [{ chainContinued: true, early: true, streakDays: 7 }, [1, 1, 0.5, 2, 4.5, 4]],
  [{ chainContinued: true, early: true, streakDays: 8 }, [1, 1, 0.5, 2, 4.5, 4]],
  [{ chainContinued: true, early: false, streakDays: 365 }, [1, 1, 0, 2, 4, 4]],
] as const)("counts the chips of %o", (facts, [base, chain, early, streak, raw, earned]) => {
  expect(chipsFor(facts)).toEqual({ base, chain, early, streak, raw, earned });
});
