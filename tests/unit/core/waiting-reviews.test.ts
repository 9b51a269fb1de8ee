import { expect, it } from "vitest";
import { waitingReviews } from "#core/time/waiting-reviews";

const NOW = new Date("2027-06-15T12:00:00Z");
const OLDEST = [
  { kind: "checkin", since: "2027-06-14T11:59:59.999Z" },
  { kind: "report", since: "2027-06-14T12:00:00Z" },
  { kind: "appeal", since: "2027-06-15T12:00:01Z" },
];

it("a review waits for too long from the first millisecond after the limit on", () => {
  expect(waitingReviews(OLDEST, 24, NOW)).toEqual([{ kind: "checkin", hours: 24 }]);
  expect(waitingReviews(OLDEST, 23, NOW)).toEqual([
    { kind: "report", hours: 24 },
    { kind: "checkin", hours: 24 },
  ]);
});

it("a limit of 0 hours allows any time", () => {
  expect(waitingReviews(OLDEST, 0, NOW)).toEqual([]);
});
