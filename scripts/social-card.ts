// Draws the preview image for links to Bout on other sites. Those sites require a raster image, so
// the logo is rasterized here and encoded as PNG.

import { crc32, deflateSync } from "node:zlib";

import { LOGO } from "#site/ui/logo.ts";

/** Minimum size for a full-width preview, in pixels. */
export const CARD = { width: 600, height: 315 } as const;

/** Pixels per unit of the logo. */
const SCALE = 7;
/** Samples per pixel in each direction. */
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

const LAYERS = [
  ...LOGO.fighters.map(({ corners, color }) => ({
    covers: (point: Point) => isInTriangle(point, corners),
    color: rgbOf(color),
  })),
  { covers: isInRing, color: rgbOf(LOGO.ring.color) },
];

function isInTriangle(point: Point, [first, second, third]: Triangle): boolean {
  const sides = [
    sideOfLine(point, first, second),
    sideOfLine(point, second, third),
    sideOfLine(point, third, first),
  ];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

const sideOfLine = ([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number =>
  (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);

function isInRing([x, y]: Point): boolean {
  const { inset, radius } = LOGO.ring;
  const straight = LOGO.size / 2 - inset - radius;
  const distances = [x, y].map((at) => Math.max(0, Math.abs(at - LOGO.size / 2) - straight));
  return Math.hypot(...distances) <= radius;
}

const pixelToUnit = (pixel: number, side: number): number =>
  (pixel - side / 2) / SCALE + LOGO.size / 2;

const MARK_REACH = (LOGO.size / 2) * SCALE;

function colorOf(x: number, y: number): Rgb {
  const isPaper =
    Math.abs(x - CARD.width / 2) > MARK_REACH || Math.abs(y - CARD.height / 2) > MARK_REACH;
  return isPaper ? PAPER : averageColorAt(x, y);
}

function averageColorAt(x: number, y: number): Rgb {
  let [red, green, blue] = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
    const sampleX = x + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const sampleY = y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    const color = layerColorAt([
      pixelToUnit(sampleX, CARD.width),
      pixelToUnit(sampleY, CARD.height),
    ]);
    red += color[0] / SAMPLES ** 2;
    green += color[1] / SAMPLES ** 2;
    blue += color[2] / SAMPLES ** 2;
  }
  return [Math.round(red), Math.round(green), Math.round(blue)];
}

const layerColorAt = (point: Point): Rgb =>
  LAYERS.find(({ covers: contains }) => contains(point))?.color ?? PAPER;

export function cardPng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(CARD.width, 0);
  header.writeUInt32BE(CARD.height, 4);
  // 8 bits per channel, RGB. Compression, filter and interlace method are 0.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: CARD.height }, (_, y) => [
    0,
    ...Array.from({ length: CARD.width }, (_, x) => colorOf(x, y)).flat(),
  ]);
  const pixels = deflateSync(Buffer.from(rows.flat()), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
