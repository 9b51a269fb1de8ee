import { expect } from "vitest";
import type { Acting, Outcome } from "../support/acting.ts";
import { named, ROLES, type Role, type Stage } from "../support/stage.ts";

/** The outcome of a statement for each role: a number of rows, or an error code. */
export type Expected = Readonly<Record<Role, Outcome>>;

/** A missing privilege, or a new row that the policies refuse. */
export const REFUSED = "42501";

/** Outcomes of the named roles, and the outcome of all others. */
export function only(named: Partial<Record<Role, Outcome>>, others: Outcome): Expected {
  return {
    owner: others,
    teamMate: others,
    orgMate: others,
    stranger: others,
    exMember: others,
    blocked: others,
    superAdmin: others,
    anonymous: others,
    ...named,
  };
}

/** The same for everyone signed in, and another outcome without claims. */
export function signedIn(outcome: Outcome, anonymous: Outcome): Expected {
  return only({ anonymous }, outcome);
}

/**
 * Tries a statement as every role, each try rolled back.
 * @param statement SQL in which `:name` stands for the id of that name on the stage
 */
export async function expectOutcomes(acting: Acting, stage: Stage, statement: string, expected: Expected) {
  const actual: Partial<Record<Role, Outcome>> = {};
  for (const role of ROLES) actual[role] = await acting.outcome(stage.actors[role], named(stage, statement));
  expect(actual).toEqual(expected);
}
