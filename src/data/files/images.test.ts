import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import sharp from "sharp";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { pngWithClaimedSize } from "#testing/fixtures/png-with-claimed-size.ts";

import { openImageDecoder } from "./image-decoder.ts";
import { openImages } from "./images.ts";
import type { Images } from "./images.ts";

let folder: string;
let images: Images;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-images-"));
  images = await openImages(join(folder, "images"));
});
after(async () => {
  await images.close();
  await rm(folder, { recursive: true, force: true });
});

const PNG = "image/png";
const JPEG = "image/jpeg";
const WEBP = "image/webp";

function testPicture(width: number, height: number) {
  const half = (background: string) => ({
    create: { width: Math.ceil(width / 2), height, channels: 3, background } as const,
  });
  return sharp({ create: { width, height, channels: 3, background: "blue" } }).composite([
    { input: half("red"), left: 0, top: 0 },
  ]);
}

async function jpegWithClaimedSize(width: number, height: number): Promise<Buffer> {
  const bytes = await testPicture(16, 16).jpeg().toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

async function storePicture(bytes: Uint8Array, type: string) {
  const result = await images.store(bytes, type);
  assert.equal(result.outcome, "kept");
  assert.ok("hash" in result);
  const storedBytes = await images.read(result.hash);
  assert.ok(storedBytes !== null);
  return { ...result, stored: storedBytes, about: await sharp(storedBytes).metadata() };
}

async function redAndBlueAt(
  bytes: Uint8Array,
  left: number,
  top: number,
): Promise<[number, number]> {
  const area = { left, top, width: 1, height: 1 };
  const { data } = await sharp(bytes).extract(area).raw().toBuffer({ resolveWithObject: true });
  return [data[0]!, data[2]!];
}

describe("a picture", () => {
  it("is stored as WebP under its hash, readable only by the owner", async () => {
    const bytes = await testPicture(120, 80).png().toBuffer();
    const {
      hash,
      width,
      height,
      stored: storedBytes,
      about: metadata,
    } = await storePicture(bytes, PNG);
    assert.equal(hash, createHash("sha256").update(storedBytes).digest("hex"));
    assert.deepEqual([width, height, metadata.width, metadata.height], [120, 80, 120, 80]);
    assert.equal(metadata.format, "webp");
    const path = join(folder, "images", `${hash}.webp`);
    assert.deepEqual(await readFile(path), Buffer.from(storedBytes));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "images"))).mode & 0o777, 0o700);
  });

  it("is the same file when uploaded again", async () => {
    const bytes = await testPicture(60, 40).jpeg().toBuffer();
    const [first, second] = [
      await storePicture(bytes, JPEG),
      await storePicture(bytes, `${JPEG}; charset=x`),
    ];
    assert.equal(first.hash, second.hash);
  });

  const SIZES: [width: number, height: number, kept: [number, number]][] = [
    [1, 1, [1, 1]],
    [1600, 900, [1600, 900]],
    [3200, 900, [1600, 450]],
    [1000, 1800, [500, 900]],
  ];
  for (const [width, height, expectedSize] of SIZES)
    it(`of ${width} x ${height} is stored as ${expectedSize.join(" x ")}`, async () => {
      const bytes = await testPicture(width, height).png().toBuffer();
      const result = await storePicture(bytes, PNG);
      assert.deepEqual([result.width, result.height], expectedSize);
    });

  it("T61 drops metadata and applies the EXIF orientation", async () => {
    const exif = {
      IFD0: { Copyright: "a name", Orientation: "6" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1" },
    };
    const bytes = await testPicture(120, 80)
      .withExif(exif)
      .withMetadata({ orientation: 6, icc: "p3" })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>secret place</x:xmpmeta>")
      .jpeg()
      .toBuffer();
    const sentMetadata = await sharp(bytes).metadata();
    assert.deepEqual([sentMetadata.orientation, sentMetadata.icc === undefined], [6, false]);
    const { width, height, about: metadata, stored: storedBytes } = await storePicture(bytes, JPEG);
    assert.deepEqual([width, height], [80, 120]);
    for (const name of ["exif", "icc", "xmp", "iptc", "orientation"] as const)
      assert.equal(metadata[name], undefined, name);
    assert.ok(!Buffer.from(storedBytes).includes("secret"));
    // After the rotation, the left half is at the top.
    const [top, bottom] = [
      await redAndBlueAt(storedBytes, 40, 20),
      await redAndBlueAt(storedBytes, 40, 100),
    ];
    assert.ok(top[0] > top[1] && bottom[1] > bottom[0], `${top.join()} ${bottom.join()}`);
  });

  it("stores the first frame of an animation", async () => {
    const frames = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    assert.equal((await sharp(animated).metadata()).pages, 2);
    const {
      width,
      height,
      about: metadata,
      stored: storedBytes,
    } = await storePicture(animated, WEBP);
    assert.deepEqual([width, height, metadata.pages ?? 1], [40, 30, 1]);
    const [red, blue] = await redAndBlueAt(storedBytes, 20, 15);
    assert.ok(red > 200 && blue < 60);
  });
});

describe("T61 rejects", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';

  it("too many pixels before decoding, even in a small file", async () => {
    const oversizedPngs = [
      pngWithClaimedSize(65_535, 65_535),
      pngWithClaimedSize(8000, 5001),
      pngWithClaimedSize(40_000_001, 1),
    ];
    for (const bytes of oversizedPngs)
      assert.deepEqual(await images.store(bytes, PNG), { outcome: "too_large" });
    for (const sideLength of [65_000, 65_535]) {
      const bytes = await jpegWithClaimedSize(sideLength, sideLength);
      assert.deepEqual(await images.store(bytes, JPEG), { outcome: "too_large" });
    }
  });

  it("too many bytes", async () => {
    const bytes = Buffer.concat([pngWithClaimedSize(9, 9), Buffer.alloc(FIXED_LIMITS.image_bytes)]);
    assert.deepEqual(await images.store(bytes, PNG), { outcome: "too_large" });
  });

  it("another type, or content that doesn't match its type", async () => {
    const png = await testPicture(9, 9).png().toBuffer();
    const rows: [Uint8Array, string][] = [
      [Buffer.from(svg), PNG],
      [Buffer.from(svg), "image/svg+xml"],
      [png, JPEG],
      [png, WEBP],
      [png, "image/gif"],
      [png, ""],
      [await testPicture(9, 9).gif().toBuffer(), PNG],
      [await testPicture(9, 9).tiff().toBuffer(), WEBP],
      [Buffer.from("RIFF\0\0\0\0WAVEfmt "), WEBP],
      [Buffer.alloc(0), PNG],
    ];
    for (const [bytes, type] of rows)
      assert.deepEqual(await images.store(bytes, type), { outcome: "unsupported" }, type);
  });

  it("a file with a valid signature but invalid content", async () => {
    const start = pngWithClaimedSize(9, 9).subarray(0, 8);
    const end = pngWithClaimedSize(9, 9).subarray(-12);
    const bytes = Buffer.concat([start, Buffer.from(svg), end]);
    assert.deepEqual(await images.store(bytes, PNG), { outcome: "undecodable" });
  });

  it("a truncated file, wherever it is cut", async () => {
    const image = testPicture(64, 48);
    const formats: [string, Buffer][] = [
      [PNG, await image.clone().png().toBuffer()],
      [JPEG, await image.clone().jpeg().toBuffer()],
      [JPEG, await image.clone().jpeg({ progressive: true }).toBuffer()],
      [WEBP, await image.clone().webp().toBuffer()],
    ];
    for (const [type, bytes] of formats)
      for (const length of [20, Math.floor(bytes.length / 2), bytes.length - 13, bytes.length - 1])
        assert.deepEqual(
          await images.store(bytes.subarray(0, length), type),
          { outcome: "undecodable" },
          `${type} ${length}`,
        );
  });
});

describe("image store", () => {
  it("returns null for an unknown or invalid hash", async () => {
    for (const hash of ["0".repeat(64), "", "..", "../replays/x", "A".repeat(64)])
      assert.equal(await images.read(hash), null);
  });

  it("removes unreferenced images and leaves other files alone", async () => {
    const [first, second] = [
      await storePicture(await testPicture(10, 10).png().toBuffer(), PNG),
      await storePicture(await testPicture(11, 10).png().toBuffer(), PNG),
    ];
    await writeFile(join(folder, "images", "notes.txt"), "an operator's own");
    await writeFile(join(folder, "images", `${second.hash}.webp.0a-1b.tmp`), "half");
    await images.sweep(async () => [first.hash]);
    const left = (await readdir(join(folder, "images"))).toSorted();
    assert.deepEqual(left, [`${first.hash}.webp`, "notes.txt"].toSorted());
    assert.equal(await images.read(second.hash), null);
    assert.equal(await images.sweep(async () => [first.hash]), 0);
  });

  it("doesn't sweep an image whose reference is about to be stored", async () => {
    const namedHashes = new Set<string>();
    const bytes = await testPicture(12, 10).png().toBuffer();
    const sweeps: Promise<number>[] = [];
    await images.store(bytes, PNG, async ({ hash }) => {
      sweeps.push(images.sweep(async () => namedHashes));
      await new Promise((resolve) => setImmediate(resolve));
      namedHashes.add(hash);
    });
    await Promise.all(sweeps);
    const [hash] = namedHashes;
    assert.ok((await images.read(hash!)) !== null);
  });

  it("accepts images after storing a reference fails", async () => {
    const bytes = await testPicture(13, 10).png().toBuffer();
    const failedKeep = images.store(bytes, PNG, async () => {
      throw new Error("no such event");
    });
    await assert.rejects(failedKeep, /no such event/);
    await storePicture(bytes, PNG);
  });
});

describe("decoder process", () => {
  async function withDecoder(
    text: string,
    run: (images: Images) => Promise<void>,
    deadlineMs = 20_000,
  ) {
    const path = join(folder, "program.mjs");
    await writeFile(path, text);
    const decoder = openImageDecoder({ entry: pathToFileURL(path), deadlineMs });
    const imagesUnderTest = await openImages(join(folder, "other"), decoder);
    await run(imagesUnderTest);
    await imagesUnderTest.close();
  }
  const small = pngWithClaimedSize(9, 9);

  const DECODER_FAILURES: [fate: string, program: string, outcome: string, deadlineMs?: number][] =
    [
      ["crashes", "process.abort();", "undecodable"],
      ["runs out of memory", "process.kill(process.pid, 'SIGKILL');", "undecodable"],
      ["never exits", "setInterval(() => {}, 1000);", "undecodable", 500],
      ["exits without a result", "process.exit(0);", "undecodable"],
      ["finds no library", "process.exit(13);", "unavailable"],
    ];
  for (const [failure, program, outcome, deadlineMs] of DECODER_FAILURES)
    it(`that ${failure} fails only that upload with ${outcome}`, async () => {
      const assertRefused = async (imagesUnderTest: Images) =>
        assert.deepEqual(await imagesUnderTest.store(small, PNG), { outcome });
      await withDecoder(program, assertRefused, deadlineMs);
      await storePicture(await testPicture(14, 10).png().toBuffer(), PNG);
    });

  it("has none of the server's environment variables", async () => {
    process.env["BOUT_TEST_SECRET"] = "hush";
    const program = "process.exit('BOUT_TEST_SECRET' in process.env ? 12 : 11);";
    await withDecoder(program, async (imagesUnderTest) => {
      assert.deepEqual(await imagesUnderTest.store(small, PNG), { outcome: "too_large" });
    });
    delete process.env["BOUT_TEST_SECRET"];
  });

  it("decodes one image at a time and rejects images beyond the queue limit", async () => {
    const program = "setTimeout(() => process.exit(12), 50);";
    await withDecoder(program, async (imagesUnderTest) => {
      const results = Array.from({ length: 5 }, () => imagesUnderTest.store(small, PNG));
      const outcomes = (await Promise.all(results)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes.slice(3), ["unavailable", "unavailable"]);
      assert.deepEqual(new Set(outcomes.slice(0, 3)), new Set(["undecodable"]));
    });
  });

  it("reports whether the library is available", async () => {
    assert.equal(await images.isAvailable(), true);
    await withDecoder("process.exit(13);", async (imagesUnderTest) => {
      assert.equal(await imagesUnderTest.isAvailable(), false);
    });
  });

  it("makes uploads unavailable if it fails to start", async () => {
    const { execPath } = process;
    process.execPath = join(folder, "no-such-program");
    try {
      assert.deepEqual(await images.store(small, PNG), { outcome: "unavailable" });
    } finally {
      process.execPath = execPath;
    }
  });

  it("stops when the store is closed, and further uploads are rejected", async () => {
    const imagesUnderTest = await openImages(join(folder, "closed"));
    const pendingKeep = imagesUnderTest.store(await testPicture(3000, 3000).png().toBuffer(), PNG);
    await imagesUnderTest.close();
    await pendingKeep;
    assert.deepEqual(await imagesUnderTest.store(small, PNG), { outcome: "unavailable" });
  });
});

it("T61 decodes the largest images without increasing the server's memory", async () => {
  const large = await sharp({
    create: { width: 8000, height: 5000, channels: 3, background: "red" },
  })
    .jpeg({ progressive: true, quality: 20 })
    .toBuffer();
  assert.ok(large.length <= FIXED_LIMITS.image_bytes);
  await storePicture(large, JPEG);
  const before = process.memoryUsage.rss();
  for (let round = 0; round < 3; round += 1) await storePicture(large, JPEG);
  const growthMib = (process.memoryUsage.rss() - before) / 2 ** 20;
  // Each image takes 115 MB decoded.
  assert.ok(growthMib < 60, `${growthMib} MB`);
});
