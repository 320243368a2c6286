// A process of its own that decodes one picture from stdin and prints it as a new WebP. What is in
// the file is a stranger's: a fault in a decoder, its memory and its time end here (decision 14).

import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";

import type SharpLibrary from "sharp";

import { FIXED } from "#core/words/limits.ts";

import { EXIT, printImage } from "./image-answer.ts";
import type { DecodedImage } from "./image-answer.ts";

type Sharp = typeof SharpLibrary;

const LOADERS = ["Png", "Jpeg", "Webp"].map((name) => `VipsForeignLoad${name}Buffer`);

/** How the library says that a picture has too many pixels. */
const TOO_LARGE = /exceeds pixel limit|Maximum supported image dimension/;

process.exitCode = await run();

async function run(): Promise<number> {
  goFirst();
  const sharp = await load();
  if (sharp === null) return EXIT.unavailable;
  const bytes = await buffer(process.stdin);
  // Nothing to decode: the server asks whether it could be.
  if (bytes.length === 0) return EXIT.decoded;
  try {
    process.stdout.write(printImage(await decode(sharp, bytes)));
    return EXIT.decoded;
  } catch (error) {
    return TOO_LARGE.test(String(error)) ? EXIT.too_large : EXIT.undecodable;
  }
}

/** When memory runs out, Linux ends this process before the server. */
function goFirst(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // There is no such file on other systems.
  }
}

/** Null on a machine for which the library has no build. */
async function load(): Promise<Sharp | null> {
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
 * The first frame, turned as its EXIF says, in sRGB, without any metadata. The number of pixels is
 * read from the header and looked at before any is decoded.
 */
async function decode(sharp: Sharp, bytes: Buffer): Promise<DecodedImage> {
  const { image_pixels, image_width_max, image_height_max } = FIXED;
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
