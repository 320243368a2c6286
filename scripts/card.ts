// The picture that other sites show with a link to Bout: the mark on paper. They want a raster, so it
// is drawn here, and written as PNG.

import { crc32, deflateSync } from "node:zlib";

import { MARK } from "#site/look/mark.ts";

/** The least that is shown across the whole width of a post. */
export const CARD = { width: 600, height: 315 } as const;

/** Pixels of a unit of the mark. */
const SCALE = 7;
/** Samples of a pixel along each side. */
const SAMPLES = 3;
const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

type Point = readonly [x: number, y: number];
type Triangle = readonly [Point, Point, Point];
type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
];

const PAPER = rgbOf("#f6f3ec");

/** From the top; below them is paper. */
const LAYERS = [
  ...MARK.fighters.map(({ corners, color }) => ({
    covers: (point: Point) => isInTriangle(point, corners),
    color: rgbOf(color),
  })),
  { covers: isInRing, color: rgbOf(MARK.ring.color) },
];

/** On the same side of all three edges. */
function isInTriangle(point: Point, [first, second, third]: Triangle): boolean {
  const sides = [
    sideOf(point, first, second),
    sideOf(point, second, third),
    sideOf(point, third, first),
  ];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** Positive on one side of a line, negative on the other. */
const sideOf = ([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number =>
  (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);

function isInRing([x, y]: Point): boolean {
  const { inset, radius } = MARK.ring;
  const straight = MARK.size / 2 - inset - radius;
  const beyond = [x, y].map((at) => Math.max(0, Math.abs(at - MARK.size / 2) - straight));
  return Math.hypot(...beyond) <= radius;
}

/** The middle of the card is the middle of the mark. */
const unitOf = (pixel: number, side: number): number => (pixel - side / 2) / SCALE + MARK.size / 2;

/** Pixels around the middle that the mark may take. */
const REACH = (MARK.size / 2) * SCALE;

function colorOf(x: number, y: number): Rgb {
  const isPaper = Math.abs(x - CARD.width / 2) > REACH || Math.abs(y - CARD.height / 2) > REACH;
  return isPaper ? PAPER : meanAt(x, y);
}

/** Edges are smooth: a pixel is the mean of its samples. */
function meanAt(x: number, y: number): Rgb {
  let [red, green, blue] = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
    const right = x + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const down = y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    const color = topAt([unitOf(right, CARD.width), unitOf(down, CARD.height)]);
    red += color[0] / SAMPLES ** 2;
    green += color[1] / SAMPLES ** 2;
    blue += color[2] / SAMPLES ** 2;
  }
  return [Math.round(red), Math.round(green), Math.round(blue)];
}

const topAt = (point: Point): Rgb => LAYERS.find(({ covers }) => covers(point))?.color ?? PAPER;

/** The whole file. */
export function cardPng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(CARD.width, 0);
  header.writeUInt32BE(CARD.height, 4);
  // Eight bits a channel, red, green and blue; compression, filter and interlace are the only ones.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: CARD.height }, (_, y) => [
    // Unfiltered.
    0,
    ...Array.from({ length: CARD.width }, (_, x) => colorOf(x, y)).flat(),
  ]);
  const pixels = deflateSync(Buffer.from(rows.flat()), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
