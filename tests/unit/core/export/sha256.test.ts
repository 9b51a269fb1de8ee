import { createHash } from "node:crypto";
import { Sha256 } from "@nectar/core/export/sha256";
import fc from "fast-check";
import { expect, it } from "vitest";

it("hashes as Node does, also when another process continues after each piece", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (pieces) => {
      let state = new Sha256().state();
      for (const piece of pieces) {
        const hash = new Sha256(JSON.parse(JSON.stringify(state)));
        hash.update(piece);
        state = hash.state();
      }
      const expected = createHash("sha256").update(Buffer.concat(pieces)).digest("hex");
      expect(new Sha256(state).digest()).toBe(expected);
    }),
  );
});
