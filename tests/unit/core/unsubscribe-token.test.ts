import fc from "fast-check";
import { expect, it } from "vitest";
import { readUnsubscribeToken, unsubscribeToken } from "#core/people/unsubscribe-token";

const address = fc.emailAddress();
const secret = fc.string({ minLength: 32 });

it("a token is read by its secret alone, and stands for one address in any case", () => {
  fc.assert(
    fc.property(address, address, secret, secret, (one, other, right, wrong) => {
      fc.pre(right !== wrong && one.toLowerCase() !== other.toLowerCase());
      const token = unsubscribeToken(one, right);
      const hash = readUnsubscribeToken(token, [wrong, right]);
      expect(hash).not.toBeNull();
      expect(readUnsubscribeToken(unsubscribeToken(one.toUpperCase(), right), [right])).toEqual(hash);
      expect(readUnsubscribeToken(unsubscribeToken(other, right), [right])).not.toEqual(hash);
      expect(readUnsubscribeToken(token, [wrong])).toBeNull();
      expect(readUnsubscribeToken(token, [])).toBeNull();
    }),
  );
});

it("a token with any character changed is none", () => {
  fc.assert(
    fc.property(address, secret, fc.nat({ max: 85 }), fc.constantFrom(..."Ab0-_"), (to, key, at, character) => {
      const token = unsubscribeToken(to, key);
      fc.pre(token[at] !== character);
      expect(readUnsubscribeToken(token.slice(0, at) + character + token.slice(at + 1), [key])).toBeNull();
    }),
  );
});
