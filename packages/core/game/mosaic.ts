import type { Enum } from "../enums.generated.ts";
/** A player's day as a piece of the mosaic shows it. */
export type MosaicStatus = Enum<"mosaic_status">;

/** A piece of a mosaic; status and team determine its color. */
export interface MosaicPiece {
  readonly status: MosaicStatus;
  readonly teamColor: Enum<"team_color">;
}

/** A rectangle in whole pixels; x to the right and y downwards, from the top left corner. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A color: red, green and blue, each 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** How the pieces of a mosaic are distributed over its rows. */
export interface MosaicLayout {
  readonly participants: number;
  /** Width and height of the picture in pixels. */
  readonly side: number;
  readonly rows: number;
}

const DEFAULT_SIDE = 1_600;
/** Smaller pieces have no line between them. In pixels. */
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
/** Percentage of the team's color in a piece; the rest is the color of the status. */
const TINT = 20;
const BACKGROUND: Rgb = [0x11, 0x18, 0x27];
const PIECE_COLORS: Readonly<Record<MosaicStatus, Readonly<Record<MosaicPiece["teamColor"], Rgb>>>> = {
  completed: tintsOf("completed"),
  failed: tintsOf("failed"),
  pending: tintsOf("pending"),
};

/**
 * The layout of a mosaic: about as many rows as pieces in a row. The side is 1,600 pixels, or more if pieces would
 * otherwise be narrower than a pixel.
 */
export function mosaicLayout(participants: number): MosaicLayout {
  const rows = Math.max(1, Math.round(Math.sqrt(participants)));
  return { participants, rows, side: Math.max(DEFAULT_SIDE, Math.ceil(participants / rows), rows) };
}

/**
 * The rectangle of a piece. The pieces fill the picture without overlapping.
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

/** The color of a piece: that of the status, tinted with the team's. */
export function pieceColor({ status, teamColor }: MosaicPiece): Rgb {
  return PIECE_COLORS[status][teamColor];
}

/**
 * Draws a mosaic: three bytes per pixel, row by row. The time depends on the size of the picture, not on the number of
 * pieces.
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
    // Draws one line of pixels and copies it down to the next row of pieces.
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

/** The offset at which a part of a length begins. */
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

/** Fills the pixels from `from` to `to`, exclusive. */
function fillRow(pixels: Uint8Array, from: number, to: number, [red, green, blue]: Rgb): void {
  for (let at = from * 3; at < to * 3; at += 3) {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
  }
}
