import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";

import { AVATARS } from "#core/words/avatars.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import { avatarShapes, figureOf, hueOf } from "#site/avatars/avatar-picture.ts";
import { avatarPlate, avatarSheet, FACES } from "#testing/fixtures/avatar-sheet.ts";
import { launchBrowser } from "#testing/fixtures/browser.ts";

const ORB = figureOf({ name: "nobody" });

describe("the picture of a bot", () => {
  for (const avatar of AVATARS)
    it(`is drawn for ${avatar}`, () => {
      assert.notEqual(figureOf({ name: "any", avatar }), ORB);
      assert.equal(figureOf({ name: "any", avatar }), figureOf({ name: "other", avatar }));
    });

  for (const { name } of HOUSE_BOTS)
    it(`is a face of its own for ${name}, and for no player of that name`, () => {
      assert.notEqual(figureOf({ name, house: true }), ORB);
      assert.equal(figureOf({ name, house: false }), ORB);
      assert.match(avatarShapes({ name, house: true }), /class="ring"/);
    });

  it("is the plain orb without an avatar, and for one that this version does not know", () => {
    for (const avatar of [undefined, null, "", "constructor", "<b>"])
      assert.equal(figureOf({ name: "gladiator", avatar }), ORB);
    assert.equal(figureOf({ name: "new-house-bot", house: true }), ORB);
  });

  it("has a hue that its name alone decides, and all hues are used", () => {
    assert.equal(hueOf("ada"), hueOf("ada"));
    const hues = new Set(Array.from({ length: 1000 }, (_, at) => hueOf(`bot-${at}`)));
    assert.equal(hues.size, 24);
  });

  it("has hues far apart for bots of one series", () => {
    for (const [one, next] of [
      ["bot-1", "bot-2"],
      ["ada-a", "ada-b"],
    ] as const) {
      const apart = Math.abs(hueOf(one) - hueOf(next));
      assert.ok(Math.min(apart, 24 - apart) >= 6, `${one} and ${next} are ${apart} apart`);
    }
  });
});

it("stands in the docs as it is drawn", async () => {
  const [file, plate] = await Promise.all([
    readFile(new URL("../../../docs/avatars.svg", import.meta.url), "utf8"),
    avatarPlate(),
  ]);
  assert.ok(file === plate, "run node scripts/write-docs.ts");
});

/** Pixels of a picture of 40 by 40 in which two silhouettes have to differ. */
const LEAST_DIFFERENCE = 100;

/** In the browser: which pixels of a picture the figure fills, without the ground behind it. */
async function silhouette(figure: string): Promise<boolean[]> {
  const style = "<style>path{fill:#000}.line{fill:none}</style>";
  const image = new globalThis.Image();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">`;
  image.src = `data:image/svg+xml,${encodeURIComponent(`${svg}${style}${figure}</svg>`)}`;
  await image.decode();
  const canvas = globalThis.document.createElement("canvas");
  [canvas.width, canvas.height] = [40, 40];
  const context = canvas.getContext("2d")!;
  context.arc(20, 20, 20, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, 40, 40);
  return Array.from({ length: 1600 }, (_, at) => data[4 * at + 3]! > 127);
}

/** In the browser: the lowest contrasts of two tones among all faces of a theme. */
function contrasts(theme: string): Record<string, number> {
  const context = globalThis.document.createElement("canvas").getContext("2d")!;
  const luminance = (color: string): number => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const lowest: Record<string, number> = {};
  const pairs = ["back pale", "back paper", "pale dark", "tint dark"];
  for (let hue = 0; hue < 24; hue += 1) {
    const face = globalThis.document.createElement("i");
    face.className = `avatar hue-${hue}`;
    globalThis.document.querySelector(`.${theme}`)!.append(face);
    for (const pair of pairs) {
      const [one, other] = pair.split(" ").map((tone) => {
        face.style.color = `var(--${tone})`;
        return luminance(globalThis.getComputedStyle(face).color);
      });
      const [dim, bright] = [Math.min(one!, other!), Math.max(one!, other!)];
      lowest[pair] = Math.min(lowest[pair] ?? Infinity, (bright + 0.05) / (dim + 0.05));
    }
  }
  return lowest;
}

// The browser in the npm package is built for Linux.
describe("the sheet of all pictures", { skip: process.platform !== "linux" }, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.setContent(await avatarSheet());
  });
  after(() => browser?.close());

  it("has no two with the same silhouette at 40 pixels", async (t) => {
    const named = [...FACES.slice(0, AVATARS.length + HOUSE_BOTS.length), { name: "orb" }];
    const shapes = await Promise.all(
      named.map(async (face) => ({
        name: face.avatar ?? face.name,
        pixels: await page.evaluate(silhouette, figureOf(face)),
      })),
    );
    for (const { name, pixels } of shapes) {
      const filled = pixels.filter(Boolean).length;
      assert.ok(filled > 300 && filled < 1150, `${name} fills ${filled} pixels`);
    }
    const pairs = shapes.flatMap((one, at) =>
      shapes.slice(at + 1).map((other) => ({
        names: `${one.name} and ${other.name}`,
        difference: one.pixels.filter((isFilled, pixel) => isFilled !== other.pixels[pixel]).length,
      })),
    );
    assert.equal(pairs.length, (25 * 24) / 2);
    const [closest] = pairs.toSorted((one, other) => one.difference - other.difference);
    t.diagnostic(`closest: ${closest!.names}, ${closest!.difference} pixels`);
    assert.ok(closest!.difference >= LEAST_DIFFERENCE, closest!.names);
  });

  for (const theme of ["light", "dark"])
    it(`keeps its tones apart in every hue, ${theme}`, async (t) => {
      const lowest = await page.evaluate(contrasts, theme);
      t.diagnostic(JSON.stringify(lowest));
      assert.ok(lowest["back paper"]! >= 3, "the frame on the page");
      assert.ok(lowest["back pale"]! >= 3, "the figure on its ground");
      assert.ok(lowest["pale dark"]! >= 7, "the features on the figure");
      assert.ok(lowest["tint dark"]! >= 4.5, "the features on its second tone");
    });

  it("is accessible", async () => {
    const axe = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
    await page.evaluate(await readFile(axe, "utf8"));
    assert.deepEqual(await page.evaluate("axe.run().then(({ violations }) => violations)"), []);
  });
});
