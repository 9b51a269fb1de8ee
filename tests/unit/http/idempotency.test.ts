import { MAX_COMMAND_MINUTES } from "@nectar/http/idempotency";
import { expect, it } from "vitest";
import { GROUPS } from "../../../functions/groups.ts";

it.each(GROUPS)("no request of $name is repeated while its function may still run", ({ timeoutSeconds }) => {
  expect(MAX_COMMAND_MINUTES * 60).toBeGreaterThan(timeoutSeconds);
});
