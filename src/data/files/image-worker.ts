// Decodes one image from stdin and writes it as WebP to stdout. Uploads are untrusted, so a
// separate process contains decoder faults, memory use and run time (decision 14).

import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";

import type SharpLibrary from "sharp";

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { EXIT_CODES, serializeImage } from "./image-protocol.ts";
import type { DecodedImage } from "./image-protocol.ts";

type Sharp = typeof SharpLibrary;

const LOADERS = ["Png", "Jpeg", "Webp"].map((name) => `VipsForeignLoad${name}Buffer`);

/** Error messages from the library for images with too many pixels. */
const TOO_LARGE = /exceeds pixel limit|Maximum supported image dimension/;

process.exitCode = await run();

async function run(): Promise<number> {
  preferOutOfMemoryKill();
  const sharp = await loadSharp();
  if (sharp === null) return EXIT_CODES.unavailable;
  const bytes = await buffer(process.stdin);
  // Empty input only checks whether the library is available.
  if (bytes.length === 0) return EXIT_CODES.decoded;
  try {
    process.stdout.write(serializeImage(await decodeImage(sharp, bytes)));
    return EXIT_CODES.decoded;
  } catch (error) {
    return TOO_LARGE.test(String(error)) ? EXIT_CODES.too_large : EXIT_CODES.undecodable;
  }
}

/** Makes Linux kill this process before the server when memory runs out. */
function preferOutOfMemoryKill(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // The file exists only on Linux.
  }
}

/** Returns null if the library has no build for this machine. */
async function loadSharp(): Promise<Sharp | null> {
  try {
    const { default: sharp } = await import("sharp");
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: LOADERS });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  } catch {
    return null;
  }
}

/**
 * Converts the first frame to sRGB, applying the EXIF orientation and dropping metadata. Checks the
 * pixel count in the header before decoding.
 */
async function decodeImage(sharp: Sharp, bytes: Buffer): Promise<DecodedImage> {
  const { image_pixels, image_width_max, image_height_max } = FIXED_LIMITS;
  const { data, info } = await sharp(bytes, { limitInputPixels: image_pixels, failOn: "error" })
    .autoOrient()
    .resize({
      width: image_width_max,
      height: image_height_max,
      fit: "inside",
      withoutEnlargement: true,
    })
    .webp()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}
