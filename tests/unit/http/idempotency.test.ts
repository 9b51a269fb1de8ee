import { expect, it } from "vitest";
import { GROUPS } from "#functions/groups";
import { MAX_COMMAND_MINUTES } from "#http/request/idempotency";

it.each(GROUPS)("no request of $name is repeated while its function may still run", ({ timeoutSeconds }) => {
  expect(MAX_COMMAND_MINUTES * 60).toBeGreaterThan(timeoutSeconds);
});
