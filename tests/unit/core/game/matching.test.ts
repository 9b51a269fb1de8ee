import { describe, expect, it } from "vitest";
import { linkPlayers, matchArea, type Player } from "#core/game/matching";

const HOUR = 60 * 60 * 1_000;

/** A new player whose window opens at an hour. */
function player(userId: string, hour: number, more: Partial<Player> = {}): Player {
  return {
    userId,
    isSynthetic: false,
    startsAt: hour * HOUR,
    endsAt: (hour + 2) * HOUR,
    color: null,
    leftOut: false,
    matched: null,
    blocked: new Set(),
    fixed: false,
    ...more,
  };
}

const red = { color: "red" } as const;
const squadsOf = (players: readonly Player[]) => matchArea(players, "red").squads;
const membersOf = (players: readonly Player[]) => squadsOf(players).map(({ members }) => members.toSorted());

describe("links", () => {
  const linked = (players: readonly Player[]) =>
    Object.fromEntries([...linkPlayers(players)].map(([id, { before, after }]) => [id, `${before} ${after}`]));

  it("connect each window with the closest free one", () => {
    expect(linked([player("a", 6), player("b", 9), player("c", 14)])).toEqual({ a: "null b", b: "a c", c: "b null" });
  });

  it("connect windows that touch, and none that overlap", () => {
    expect(linked([player("a", 6), player("b", 8)])).toEqual({ a: "null b", b: "a null" });
    expect(linked([player("a", 6), player("b", 7.5)])).toEqual({ a: "null null", b: "null null" });
  });

  it("leave the farther player to the next", () => {
    // b ends closest before c; a is left for d.
    expect(linked([player("a", 6), player("b", 7), player("c", 10), player("d", 11)])).toEqual({
      a: "null d",
      b: "null c",
      c: "b null",
      d: "a null",
    });
  });

  it("are ordered by id if windows are equal", () => {
    expect(linked([player("b", 6), player("a", 6), player("d", 8), player("c", 8)])).toEqual({
      a: "null c",
      b: "null d",
      c: "a null",
      d: "b null",
    });
  });

  it("of players whose window has opened stay, also if a closer player comes, and none are added", () => {
    const opened = { fixed: true } as const;
    const players = [
      player("a", 6, { ...opened, matched: { before: null, after: "c", squadId: null } }),
      player("b", 8),
      player("c", 12, { matched: { before: "a", after: null, squadId: null } }),
      player("d", 6, { ...opened, matched: { before: null, after: null, squadId: null } }),
    ];
    expect(linked(players)).toEqual({ a: "null c", b: "null null", c: "a null", d: "null null" });
  });

  it("of players whose window has opened end if the other player leaves or changes their window", () => {
    const a = player("a", 6, { fixed: true, matched: { before: null, after: "c", squadId: null } });
    expect(linked([a])).toEqual({ a: "null null" });
    const moved = player("c", 7, { matched: { before: "a", after: null, squadId: null } });
    expect(linked([a, moved, player("e", 10)])).toEqual({ a: "null null", c: "null e", e: "c null" });
  });
});

describe("teams", () => {
  const sizes = (players: readonly Player[]) => {
    const colors = [...matchArea(players, "blue").colors.values()];
    return colors.filter((color) => color === "blue").length;
  };
  const many = (count: number) => Array.from({ length: count }, (_, index) => player(`p${index}`, index % 12));

  it("complete one squad after the other, starting with the leading team", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 12].map((count) => sizes(many(count)))).toEqual([1, 2, 3, 3, 3, 3, 4, 6]);
  });

  it("are kept, and new players balance them", () => {
    const old = ["a", "b", "c", "d", "e", "f"].map((id) => player(id, 6, red));
    const { colors } = matchArea([...old, player("g", 8), player("h", 8), player("i", 8)], "red");
    expect([...colors.values()]).toEqual([...Array(6).fill("red"), ...Array(3).fill("blue")]);
  });
});

describe("squads", () => {
  it("have three members of one team; remaining players have none", () => {
    const team = [1, 2, 3, 4].map((hour) => player(`p${hour}`, hour, red));
    expect(membersOf(team)).toEqual([["p1", "p2", "p3"]]);
  });

  it("prefer players who had no squad on the day before", () => {
    const team = [1, 2, 3, 4].map((hour) => player(`p${hour}`, hour, { ...red, leftOut: hour === 4 }));
    expect(membersOf(team)).toEqual([["p1", "p2", "p4"]]);
  });

  it("are filled up with synthetic users", () => {
    const people = [1, 2, 3, 4].map((hour) => player(`p${hour}`, hour, red));
    const synthetic = [0, 1, 2].map((hour) => player(`s${hour}`, hour, { ...red, isSynthetic: true }));
    expect(membersOf([...synthetic, ...people])).toEqual([
      ["p1", "p2", "p3"],
      ["p4", "s0", "s1"],
    ]);
  });

  it("replace synthetic users by people who come later", () => {
    const before = ["s1", "s2", "s3"].map((id) =>
      player(id, 6, { ...red, isSynthetic: true, matched: { before: null, after: null, squadId: "S" } }),
    );
    expect(squadsOf(before)).toEqual([{ id: "S", color: "red", members: ["s1", "s2", "s3"] }]);
    expect(squadsOf([...before, player("p1", 6, red)])).toEqual([
      { id: null, color: "red", members: ["p1", "s1", "s2"] },
    ]);
  });

  it("that have started replace members who left, and continue with fewer if no one is free", () => {
    const matched = { before: null, after: null, squadId: "S" };
    const playing = player("a", 6, { ...red, fixed: true, matched });
    const other = player("b", 9, { ...red, matched });
    expect(squadsOf([playing, other])).toEqual([{ id: "S", color: "red", members: ["a", "b"] }]);
    expect(squadsOf([playing, other, player("n", 3, red)])).toEqual([
      { id: "S", color: "red", members: ["a", "b", "n"] },
    ]);
  });

  it("of people continue when others come or windows change", () => {
    const matched = { before: null, after: null, squadId: "S" };
    const three = ["d", "e", "f"].map((id) => player(id, 20, { ...red, matched }));
    const others = ["a", "b", "c"].map((id) => player(id, 6, red));
    expect(squadsOf([...others, ...three])).toEqual([
      { id: "S", color: "red", members: ["d", "e", "f"] },
      { id: null, color: "red", members: ["a", "b", "c"] },
    ]);
  });
});
