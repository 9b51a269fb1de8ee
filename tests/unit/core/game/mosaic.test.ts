import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawMosaic, type MosaicPiece, mosaicLayout, pieceAt, pieceColor, type Rectangle } from "#core/game/mosaic";
import { encodePng } from "#providers/png";

const somePiece = fc.record({
  status: fc.constantFrom("completed" as const, "failed" as const, "pending" as const),
  teamColor: fc.constantFrom("red" as const, "blue" as const),
});
const piecesOf = (participants: number): Rectangle[] => {
  const layout = mosaicLayout(participants);
  return Array.from({ length: participants }, (_, position) => pieceAt(layout, position));
};
const hex = (pixels: Uint8Array, side: number, x: number, y: number) =>
  Buffer.from(pixels.subarray((y * side + x) * 3, (y * side + x) * 3 + 3)).toString("hex");

describe("the layout", () => {
  it.each([1, 2, 3, 4, 5, 7, 10, 99, 100, 101, 1_000, 2_501])(
    "of %i players fills the picture without overlap",
    (n) => {
      const { side } = mosaicLayout(n);
      const owners = new Int32Array(side * side).fill(-1);
      for (const [position, { x, y, width, height }] of piecesOf(n).entries()) {
        expect(Math.min(width, height)).toBeGreaterThan(0);
        for (let row = y; row < y + height; row += 1) {
          for (let at = row * side + x; at < row * side + x + width; at += 1) {
            if (owners[at] !== -1) throw new Error(`Pieces ${owners[at]} and ${position} overlap.`);
            owners[at] = position;
          }
        }
      }
      expect(owners.includes(-1)).toBe(false);
    },
  );

  it("of any number of players has pieces of whole pixels that add up to the picture", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30_000 }), (n) => {
        const { side } = mosaicLayout(n);
        const pieces = piecesOf(n);
        let area = 0;
        for (const { x, y, width, height } of pieces) {
          if (width < 1 || height < 1 || x < 0 || y < 0 || x + width > side || y + height > side) {
            throw new Error("A piece is empty or outside.");
          }
          area += width * height;
        }
        expect(area).toBe(side * side);
      }),
      { numRuns: 60 },
    );
  });

  it("places pieces row by row from the left, in the order of players", () => {
    expect(piecesOf(3).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, 800],
      [800, 800],
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5_000 }), (n) => {
        const pieces = piecesOf(n);
        for (const [index, { x, y, width }] of pieces.entries()) {
          const next = pieces[index + 1];
          if (next !== undefined && !(next.y === y ? next.x === x + width : next.y > y && next.x === 0)) {
            throw new Error(`Piece ${index + 1} does not follow piece ${index}.`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keeps its size until pieces would be narrower than a pixel", () => {
    expect([0, 1, 100, 100_000, 2_000_000].map((n) => mosaicLayout(n).side)).toEqual([
      1_600, 1_600, 1_600, 1_600, 1_600,
    ]);
    const { side } = mosaicLayout(4_000_000);
    expect(side).toBe(2_000);
  });
});

describe("the colors", () => {
  // 80 hundredths of green #22C55E, red #EF4444 or gray #9CA3AF and 20 of the team's #DC2626 or #2563EB, by hand.
  it.each([
    ["completed", "red", "47a553"],
    ["completed", "blue", "23b17a"],
    ["failed", "red", "eb3e3e"],
    ["failed", "blue", "c74a65"],
    ["pending", "red", "a98a94"],
    ["pending", "blue", "8496bb"],
  ] as const)("of %s in the %s team are #%s", (status, teamColor, color) => {
    expect(Buffer.from(pieceColor({ status, teamColor })).toString("hex")).toBe(color);
  });
});

describe("the picture", () => {
  it("shows every piece in its color, and lines between large ones", () => {
    fc.assert(
      fc.property(fc.array(somePiece, { minLength: 1, maxLength: 60 }), (pieces) => {
        const layout = mosaicLayout(pieces.length);
        const pixels = drawMosaic(layout, pieces);
        for (const [position, piece] of pieces.entries()) {
          const { x, y, width, height } = pieceAt(layout, position);
          const color = Buffer.from(pieceColor(piece)).toString("hex");
          const corners = [
            [x, y],
            [x + width - 2, y],
            [x, y + height - 2],
            [x + width - 2, y + height - 2],
          ] as const;
          for (const [left, top] of corners) expect(hex(pixels, layout.side, left, top)).toBe(color);
          expect(hex(pixels, layout.side, x + width - 1, y)).toBe("111827");
          expect(hex(pixels, layout.side, x, y + height - 1)).toBe("111827");
        }
      }),
      { numRuns: 25 },
    );
  });

  it("shows every piece of a large crowd", () => {
    const pieces: MosaicPiece[] = Array.from({ length: 100_000 }, (_, index) => ({
      status: index % 3 === 0 ? "completed" : index % 3 === 1 ? "failed" : "pending",
      teamColor: index % 2 === 0 ? "red" : "blue",
    }));
    const layout = mosaicLayout(pieces.length);
    const pixels = drawMosaic(layout, pieces);
    for (const [position, piece] of pieces.entries()) {
      const { x, y, width, height } = pieceAt(layout, position);
      const color = Buffer.from(pieceColor(piece)).toString("hex");
      if (
        hex(pixels, layout.side, x, y) !== color ||
        hex(pixels, layout.side, x + width - 1, y + height - 1) !== color
      ) {
        throw new Error(`Piece ${position} is not shown as it is.`);
      }
    }
  });

  it("has lines between pieces of eight pixels, and none between smaller ones", () => {
    const edgeOfFirst = (count: number) => {
      const layout = mosaicLayout(count);
      const pieces = Array<MosaicPiece>(count).fill({ status: "completed", teamColor: "red" });
      const { x, y, width } = pieceAt(layout, 0);
      return [width, hex(drawMosaic(layout, pieces), layout.side, x + width - 1, y)];
    };
    expect([edgeOfFirst(40_000), edgeOfFirst(44_100)]).toEqual([
      [8, "111827"],
      [7, "47a553"],
    ]);
  });

  it("of no players is plain", () => {
    const layout = mosaicLayout(0);
    const pixels = drawMosaic(layout, []);
    expect(pixels).toHaveLength(layout.side * layout.side * 3);
    expect([hex(pixels, layout.side, 0, 0), hex(pixels, layout.side, layout.side - 1, layout.side - 1)]).toEqual([
      "111827",
      "111827",
    ]);
  });

  it("refuses fewer pieces than participants", () => {
    expect(() => drawMosaic(mosaicLayout(2), [{ status: "pending", teamColor: "red" }])).toThrow(RangeError);
  });

  it("becomes a PNG that reads back pixel by pixel", async () => {
    const pieces: MosaicPiece[] = [
      { status: "completed", teamColor: "red" },
      { status: "failed", teamColor: "blue" },
      { status: "pending", teamColor: "red" },
    ];
    const layout = mosaicLayout(pieces.length);
    const pixels = drawMosaic(layout, pieces);
    const png = Buffer.from(await encodePng(pixels, { width: layout.side, height: layout.side }));
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_600, 1_600]);
    const { default: sharp } = await import("sharp");
    const decoded = await sharp(png).removeAlpha().raw().toBuffer();
    expect(decoded.equals(pixels)).toBe(true);
  });
});
