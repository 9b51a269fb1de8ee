import { beforeAll, beforeEach } from "vitest";

/**
 * Makes something once, before all tests of the calling file or block.
 * @returns it; its fields are filled in before the first test and before later hooks
 */
export function beforeTests<Value extends object>(make: () => Promise<Value>): Value {
  return filledBy(beforeAll, make);
}

/**
 * Makes something again before each test of the calling file or block.
 * @returns it; its fields are filled in before each test and before later hooks
 */
export function beforeEachTest<Value extends object>(make: () => Promise<Value>): Value {
  return filledBy(beforeEach, make);
}

function filledBy<Value extends object>(hook: typeof beforeAll | typeof beforeEach, make: () => Promise<Value>): Value {
  // Only hooks and tests read it, and they run later than this one.
  const value = {} as Value;
  hook(async () => {
    Object.assign(value, await make());
  });
  return value;
}
