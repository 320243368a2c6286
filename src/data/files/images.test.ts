import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import sharp from "sharp";

import { FIXED } from "#core/words/limits.ts";
import { claimingPng } from "#testing/fixtures/claiming-png.ts";

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

/** A noisy picture, left half red, right half blue. */
function picture(width: number, height: number) {
  const half = (background: string) => ({
    create: { width: Math.ceil(width / 2), height, channels: 3, background } as const,
  });
  return sharp({ create: { width, height, channels: 3, background: "blue" } }).composite([
    { input: half("red"), left: 0, top: 0 },
  ]);
}

/** A JPEG of few bytes whose header claims to have these many pixels. */
async function claimingJpeg(width: number, height: number): Promise<Buffer> {
  const bytes = await picture(16, 16).jpeg().toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

/** Keeps a picture that must be kept, and reads it back. */
async function kept(bytes: Uint8Array, type: string) {
  const found = await images.keep(bytes, type);
  assert.equal(found.outcome, "kept");
  assert.ok("hash" in found);
  const stored = await images.read(found.hash);
  assert.ok(stored !== null);
  return { ...found, stored, about: await sharp(stored).metadata() };
}

/** Red and blue at a place of a picture, 0 to 255. */
async function colour(bytes: Uint8Array, left: number, top: number): Promise<[number, number]> {
  const area = { left, top, width: 1, height: 1 };
  const { data } = await sharp(bytes).extract(area).raw().toBuffer({ resolveWithObject: true });
  return [data[0]!, data[2]!];
}

describe("a picture", () => {
  it("is kept as WebP under its own hash, for its owner alone", async () => {
    const bytes = await picture(120, 80).png().toBuffer();
    const { hash, width, height, stored, about } = await kept(bytes, PNG);
    assert.equal(hash, createHash("sha256").update(stored).digest("hex"));
    assert.deepEqual([width, height, about.width, about.height], [120, 80, 120, 80]);
    assert.equal(about.format, "webp");
    const path = join(folder, "images", `${hash}.webp`);
    assert.deepEqual(await readFile(path), Buffer.from(stored));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "images"))).mode & 0o777, 0o700);
  });

  it("is the same file when it is sent again", async () => {
    const bytes = await picture(60, 40).jpeg().toBuffer();
    const [one, other] = [await kept(bytes, JPEG), await kept(bytes, `${JPEG}; charset=x`)];
    assert.equal(one.hash, other.hash);
  });

  const SIZES: [width: number, height: number, kept: [number, number]][] = [
    [1, 1, [1, 1]],
    [1600, 900, [1600, 900]],
    [3200, 900, [1600, 450]],
    [1000, 1800, [500, 900]],
  ];
  for (const [width, height, wanted] of SIZES)
    it(`of ${width} x ${height} is kept as ${wanted.join(" x ")}`, async () => {
      const bytes = await picture(width, height).png().toBuffer();
      const found = await kept(bytes, PNG);
      assert.deepEqual([found.width, found.height], wanted);
    });

  it("T61 keeps no metadata, and stands as its EXIF says", async () => {
    const exif = {
      IFD0: { Copyright: "a name", Orientation: "6" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1" },
    };
    const bytes = await picture(120, 80)
      .withExif(exif)
      .withMetadata({ orientation: 6, icc: "p3" })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>secret place</x:xmpmeta>")
      .jpeg()
      .toBuffer();
    const sent = await sharp(bytes).metadata();
    assert.deepEqual([sent.orientation, sent.icc === undefined], [6, false]);
    const { width, height, about, stored } = await kept(bytes, JPEG);
    assert.deepEqual([width, height], [80, 120]);
    for (const name of ["exif", "icc", "xmp", "iptc", "orientation"] as const)
      assert.equal(about[name], undefined, name);
    assert.ok(!Buffer.from(stored).includes("secret"));
    // Turned clockwise, what was on the left is on top.
    const [top, bottom] = [await colour(stored, 40, 20), await colour(stored, 40, 100)];
    assert.ok(top[0] > top[1] && bottom[1] > bottom[0], `${top.join()} ${bottom.join()}`);
  });

  it("that moves is its first frame", async () => {
    const frames = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    assert.equal((await sharp(moving).metadata()).pages, 2);
    const { width, height, about, stored } = await kept(moving, WEBP);
    assert.deepEqual([width, height, about.pages ?? 1], [40, 30, 1]);
    const [red, blue] = await colour(stored, 20, 15);
    assert.ok(red > 200 && blue < 60);
  });
});

describe("T61 refused is", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';

  it("what has too many pixels, whatever few bytes it has, and nothing is decoded", async () => {
    const claims = [
      claimingPng(65_535, 65_535),
      claimingPng(8000, 5001),
      claimingPng(40_000_001, 1),
    ];
    for (const bytes of claims)
      assert.deepEqual(await images.keep(bytes, PNG), { outcome: "too_large" });
    for (const side of [65_000, 65_535]) {
      const bytes = await claimingJpeg(side, side);
      assert.deepEqual(await images.keep(bytes, JPEG), { outcome: "too_large" });
    }
  });

  it("what has too many bytes", async () => {
    const bytes = Buffer.concat([claimingPng(9, 9), Buffer.alloc(FIXED.image_bytes)]);
    assert.deepEqual(await images.keep(bytes, PNG), { outcome: "too_large" });
  });

  it("another type, and a content that is not what its type says", async () => {
    const png = await picture(9, 9).png().toBuffer();
    const rows: [Uint8Array, string][] = [
      [Buffer.from(svg), PNG],
      [Buffer.from(svg), "image/svg+xml"],
      [png, JPEG],
      [png, WEBP],
      [png, "image/gif"],
      [png, ""],
      [await picture(9, 9).gif().toBuffer(), PNG],
      [await picture(9, 9).tiff().toBuffer(), WEBP],
      [Buffer.from("RIFF\0\0\0\0WAVEfmt "), WEBP],
      [Buffer.alloc(0), PNG],
    ];
    for (const [bytes, type] of rows)
      assert.deepEqual(await images.keep(bytes, type), { outcome: "unsupported" }, type);
  });

  it("what is behind the first bytes of another format", async () => {
    const start = claimingPng(9, 9).subarray(0, 8);
    const end = claimingPng(9, 9).subarray(-12);
    const bytes = Buffer.concat([start, Buffer.from(svg), end]);
    assert.deepEqual(await images.keep(bytes, PNG), { outcome: "undecodable" });
  });

  it("a file that is cut anywhere", async () => {
    const whole = picture(64, 48);
    const formats: [string, Buffer][] = [
      [PNG, await whole.clone().png().toBuffer()],
      [JPEG, await whole.clone().jpeg().toBuffer()],
      [JPEG, await whole.clone().jpeg({ progressive: true }).toBuffer()],
      [WEBP, await whole.clone().webp().toBuffer()],
    ];
    for (const [type, bytes] of formats)
      for (const length of [20, Math.floor(bytes.length / 2), bytes.length - 13, bytes.length - 1])
        assert.deepEqual(
          await images.keep(bytes.subarray(0, length), type),
          { outcome: "undecodable" },
          `${type} ${length}`,
        );
  });
});

describe("the shelf", () => {
  it("has nothing under a hash that it does not know, or that is no hash", async () => {
    for (const hash of ["0".repeat(64), "", "..", "../replays/x", "A".repeat(64)])
      assert.equal(await images.read(hash), null);
  });

  it("removes what nobody names, and leaves other files alone", async () => {
    const [one, other] = [
      await kept(await picture(10, 10).png().toBuffer(), PNG),
      await kept(await picture(11, 10).png().toBuffer(), PNG),
    ];
    await writeFile(join(folder, "images", "notes.txt"), "an operator's own");
    await writeFile(join(folder, "images", `${other.hash}.webp.0a-1b.tmp`), "half");
    await images.sweep(async () => [one.hash]);
    const left = (await readdir(join(folder, "images"))).toSorted();
    assert.deepEqual(left, [`${one.hash}.webp`, "notes.txt"].toSorted());
    assert.equal(await images.read(other.hash), null);
    assert.equal(await images.sweep(async () => [one.hash]), 0);
  });

  it("removes nothing between a picture's file and its name", async () => {
    const named = new Set<string>();
    const bytes = await picture(12, 10).png().toBuffer();
    const sweeping: Promise<number>[] = [];
    await images.keep(bytes, PNG, async ({ hash }) => {
      sweeping.push(images.sweep(async () => named));
      await new Promise((resolve) => setImmediate(resolve));
      named.add(hash);
    });
    await Promise.all(sweeping);
    const [hash] = named;
    assert.ok((await images.read(hash!)) !== null);
  });

  it("keeps working when what names a picture fails", async () => {
    const bytes = await picture(13, 10).png().toBuffer();
    const failing = images.keep(bytes, PNG, async () => {
      throw new Error("no such event");
    });
    await assert.rejects(failing, /no such event/);
    await kept(bytes, PNG);
  });
});

describe("a process that decodes", () => {
  /** Pictures decoded by this program instead. */
  async function withProgram(
    text: string,
    run: (images: Images) => Promise<void>,
    deadlineMs = 20_000,
  ) {
    const path = join(folder, "program.mjs");
    await writeFile(path, text);
    const decoder = openImageDecoder({ entry: pathToFileURL(path), deadlineMs });
    const shelf = await openImages(join(folder, "other"), decoder);
    await run(shelf);
    await shelf.close();
  }
  const small = claimingPng(9, 9);

  const FATES: [fate: string, program: string, outcome: string, deadlineMs?: number][] = [
    ["crashes", "process.abort();", "undecodable"],
    ["is ended for want of memory", "process.kill(process.pid, 'SIGKILL');", "undecodable"],
    ["never ends", "setInterval(() => {}, 1000);", "undecodable", 500],
    ["ends without an answer", "process.exit(0);", "undecodable"],
    ["finds no library", "process.exit(13);", "unavailable"],
  ];
  for (const [fate, program, outcome, deadlineMs] of FATES)
    it(`and ${fate} costs that upload alone: ${outcome}`, async () => {
      const refused = async (shelf: Images) =>
        assert.deepEqual(await shelf.keep(small, PNG), { outcome });
      await withProgram(program, refused, deadlineMs);
      await kept(await picture(14, 10).png().toBuffer(), PNG);
    });

  it("knows nothing of the server's environment", async () => {
    process.env["BOUT_TEST_SECRET"] = "hush";
    const program = "process.exit('BOUT_TEST_SECRET' in process.env ? 12 : 11);";
    await withProgram(program, async (shelf) => {
      assert.deepEqual(await shelf.keep(small, PNG), { outcome: "too_large" });
    });
    delete process.env["BOUT_TEST_SECRET"];
  });

  it("is asked for one picture at a time, and too many at once are refused", async () => {
    const program = "setTimeout(() => process.exit(12), 50);";
    await withProgram(program, async (shelf) => {
      const answers = Array.from({ length: 5 }, () => shelf.keep(small, PNG));
      const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes.slice(3), ["unavailable", "unavailable"]);
      assert.deepEqual(new Set(outcomes.slice(0, 3)), new Set(["undecodable"]));
    });
  });

  it("can be asked whether there is a library", async () => {
    assert.equal(await images.isAvailable(), true);
    await withProgram("process.exit(13);", async (shelf) => {
      assert.equal(await shelf.isAvailable(), false);
    });
  });

  it("that cannot be started leaves uploads unavailable", async () => {
    const { execPath } = process;
    process.execPath = join(folder, "no-such-program");
    try {
      assert.deepEqual(await images.keep(small, PNG), { outcome: "unavailable" });
    } finally {
      process.execPath = execPath;
    }
  });

  it("is ended with the shelf, which then keeps nothing", async () => {
    const shelf = await openImages(join(folder, "closed"));
    const under = shelf.keep(await picture(3000, 3000).png().toBuffer(), PNG);
    await shelf.close();
    await under;
    assert.deepEqual(await shelf.keep(small, PNG), { outcome: "unavailable" });
  });
});

it("T61 the largest pictures leave the server's memory as it was", async () => {
  const large = await sharp({
    create: { width: 8000, height: 5000, channels: 3, background: "red" },
  })
    .jpeg({ progressive: true, quality: 20 })
    .toBuffer();
  assert.ok(large.length <= FIXED.image_bytes);
  await kept(large, JPEG);
  const before = process.memoryUsage.rss();
  for (let times = 0; times < 3; times += 1) await kept(large, JPEG);
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
  // Decoded, each has 115 MB.
  assert.ok(grown < 60, `${grown} MB`);
});
