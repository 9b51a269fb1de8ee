/** What somebody's piece of a mosaic says of their day. */
export type MosaicStatus = "completed" | "failed" | "pending";

/** A piece: what its colour follows from. */
export interface MosaicPiece {
  readonly status: MosaicStatus;
  readonly teamColor: "red" | "blue";
}

/** A rectangle in whole pixels; x to the right and y downwards, from the top left corner. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A colour: red, green and blue, each 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** How many pieces lie in which row of a mosaic. */
export interface MosaicLayout {
  readonly participants: number;
  /** Width and height of the picture in pixels. */
  readonly side: number;
  readonly rows: number;
}

const DEFAULT_SIDE = 1_600;
/** Pieces smaller than this have no line between them. */
const MIN_SIDE_WITH_LINE = 8;

const STATUS_COLORS: Readonly<Record<MosaicStatus, Rgb>> = {
  completed: [0x22, 0xc5, 0x5e],
  failed: [0xef, 0x44, 0x44],
  pending: [0x9c, 0xa3, 0xaf],
};
const TEAM_COLORS: Readonly<Record<MosaicPiece["teamColor"], Rgb>> = {
  red: [0xdc, 0x26, 0x26],
  blue: [0x25, 0x63, 0xeb],
};
/** Hundredths of the team's colour in a piece; the rest is the colour of the status. */
const TINT = 20;
const BACKGROUND: Rgb = [0x11, 0x18, 0x27];
const PIECE_COLORS: Readonly<Record<MosaicStatus, Readonly<Record<MosaicPiece["teamColor"], Rgb>>>> = {
  completed: tintsOf("completed"),
  failed: tintsOf("failed"),
  pending: tintsOf("pending"),
};

/**
 * How a mosaic of so many people is laid out: as many rows as there are pieces in a row, give or take one. The side is
 * 1,600 pixels, however many they are, until pieces would be narrower than a pixel.
 */
export function mosaicLayout(participants: number): MosaicLayout {
  const rows = Math.max(1, Math.round(Math.sqrt(participants)));
  return { participants, rows, side: Math.max(DEFAULT_SIDE, Math.ceil(participants / rows), rows) };
}

/**
 * Where a piece lies. All pieces together fill the picture, and no two of them overlap.
 * @param position from 0 to participants - 1: row by row, from the left
 */
export function pieceAt({ participants, side, rows }: MosaicLayout, position: number): Rectangle {
  const row = Math.floor(((position + 1) * rows - 1) / participants);
  const first = firstOfRow(participants, rows, row);
  const inRow = firstOfRow(participants, rows, row + 1) - first;
  const x = share(side, position - first, inRow);
  const y = share(side, row, rows);
  return { x, y, width: share(side, position - first + 1, inRow) - x, height: share(side, row + 1, rows) - y };
}

/** The colour of a piece: that of the status, with a tint of the team's. */
export function pieceColor({ status, teamColor }: MosaicPiece): Rgb {
  return PIECE_COLORS[status][teamColor];
}

/**
 * Draws a mosaic: three bytes for a pixel, row by row. The work is that of filling the picture, however many pieces it is made
 * of.
 * @param pieces in the order of their positions
 */
export function drawMosaic(layout: MosaicLayout, pieces: readonly MosaicPiece[]): Uint8Array {
  const { side, rows, participants } = layout;
  const pixels = new Uint8Array(side * side * 3);
  if (participants === 0) {
    fillRow(pixels, 0, side * side, BACKGROUND);
    return pixels;
  }
  for (let row = 0; row < rows; row += 1) {
    const first = firstOfRow(participants, rows, row);
    const end = firstOfRow(participants, rows, row + 1);
    const top = share(side, row, rows);
    const bottom = share(side, row + 1, rows);
    // One line of pixels is drawn, and then copied down to the next row of pieces.
    const line = pixels.subarray(top * side * 3, (top + 1) * side * 3);
    for (let position = first; position < end; position += 1) {
      const piece = pieces[position];
      if (piece === undefined) throw new RangeError("A mosaic has a piece for each participant.");
      const left = share(side, position - first, end - first);
      const right = share(side, position - first + 1, end - first);
      fillRow(line, left, right, pieceColor(piece));
      if (right - left >= MIN_SIDE_WITH_LINE) fillRow(line, right - 1, right, BACKGROUND);
    }
    for (let y = top + 1; y < bottom; y += 1) pixels.copyWithin(y * side * 3, top * side * 3, (top + 1) * side * 3);
    if (bottom - top >= MIN_SIDE_WITH_LINE) fillRow(pixels, (bottom - 1) * side, bottom * side, BACKGROUND);
  }
  return pixels;
}

/** The first position of a row. */
function firstOfRow(participants: number, rows: number, row: number): number {
  return Math.floor((row * participants) / rows);
}

/** Where the given part of a length begins. */
function share(length: number, part: number, parts: number): number {
  return Math.floor((length * part) / parts);
}

function tintsOf(status: MosaicStatus): Record<MosaicPiece["teamColor"], Rgb> {
  return { red: tinted(STATUS_COLORS[status], TEAM_COLORS.red), blue: tinted(STATUS_COLORS[status], TEAM_COLORS.blue) };
}

function tinted([red, green, blue]: Rgb, [teamRed, teamGreen, teamBlue]: Rgb): Rgb {
  const mix = (status: number, team: number) => Math.round((status * (100 - TINT) + team * TINT) / 100);
  return [mix(red, teamRed), mix(green, teamGreen), mix(blue, teamBlue)];
}

/** Fills pixels `from` up to `to`, not included. */
function fillRow(pixels: Uint8Array, from: number, to: number, [red, green, blue]: Rgb): void {
  for (let at = from * 3; at < to * 3; at += 3) {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
  }
}
