import { createHash } from "node:crypto";
import { type Sha256State, sha256From, stateOf } from "@nectar/core/export/sha256";
import fc from "fast-check";
import { expect, it } from "vitest";

it("hashes as Node does, also when another process continues after each piece", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async (pieces) => {
      let state: Sha256State = null;
      for (const piece of pieces) state = stateOf((await sha256From(state)).update(piece));
      const expected = createHash("sha256").update(Buffer.concat(pieces)).digest("hex");
      expect((await sha256From(state)).digest()).toBe(expected);
    }),
  );
});
