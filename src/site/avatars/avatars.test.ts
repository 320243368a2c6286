import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";

import { AVATARS } from "#core/ids/avatars.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import { avatarPlate, avatarSheet, AVATAR_SAMPLES } from "#testing/fixtures/avatar-sheet.ts";
import { launchBrowser } from "#testing/fixtures/launch-browser.ts";

import { avatarSvgContent, avatarFigureSvg, avatarHue, huesInView } from "./avatar-picture.ts";

/** Names as players choose them, many with only one differing letter. */
const NAMES = Array.from({ length: 500 }, (_, index) =>
  index % 2 === 0 ? `bot-${index}` : `fighter_${(index * 7919).toString(36)}`,
);

describe("bot avatar", () => {
  for (const avatar of AVATARS)
    it(`is drawn for ${avatar}`, () => {
      assert.notEqual(avatarFigureSvg({ name: "any", avatar }), avatarFigureSvg({ name: "any" }));
      assert.equal(
        avatarFigureSvg({ name: "any", avatar }),
        avatarFigureSvg({ name: "other", avatar }),
      );
    });

  for (const { name } of HOUSE_BOTS)
    it(`is special for ${name}, but not for a player's bot with the same name`, () => {
      assert.notEqual(avatarFigureSvg({ name, house: true }), avatarFigureSvg({ name }));
      assert.equal(avatarFigureSvg({ name, house: false }), avatarFigureSvg({ name }));
      assert.match(avatarSvgContent({ name, house: true }), /class="ring"/);
    });

  it("is generated without an avatar or with an unknown avatar", () => {
    const generated = avatarFigureSvg({ name: "gladiator" });
    for (const avatar of [null, "", "constructor", "<b>"])
      assert.equal(avatarFigureSvg({ name: "gladiator", avatar }), generated);
    const name = "new-house-bot";
    assert.equal(avatarFigureSvg({ name, house: true }), avatarFigureSvg({ name }));
  });

  it("is generated from the name alone, and differs for each of 500 names", () => {
    for (const name of NAMES) assert.equal(avatarFigureSvg({ name }), avatarFigureSvg({ name }));
    assert.equal(new Set(NAMES.map((name) => avatarFigureSvg({ name }))).size, NAMES.length);
  });

  it("contains no characters of the name when generated", () => {
    const svg = avatarFigureSvg({ name: `"><script>alert(1)</script>` });
    assert.match(svg, /^(?:<path class="\w+" d="[\d .a-zA-Z-]+"(?: transform="[^"]+")?\/>)+$/);
  });

  it("has a distinct hue in view for each pair of 500 names", () => {
    for (const [index, name] of NAMES.entries())
      for (const otherName of NAMES.slice(index + 1)) {
        const [hue = 0, otherHue = 0] = huesInView([{ name }, { name: otherName }]);
        const distance = Math.abs(hue - otherHue);
        assert.ok(Math.min(distance, 24 - distance) >= 4, `${name} and ${otherName}`);
        assert.equal(hue, avatarHue(name), "the first bot keeps the hue of its name");
      }
  });

  it("has a hue in view that differs from the hue of house bots", () => {
    for (const name of NAMES) {
      const subjects = [{ name }, { name: "house-kiter", house: true }];
      const [hue = 0, houseHue = 0] = huesInView(subjects);
      const distance = Math.abs(hue - houseHue);
      assert.ok(Math.min(distance, 24 - distance) >= 4, name);
    }
  });

  it("has a hue derived from the name, and all hues are used", () => {
    assert.equal(avatarHue("ada"), avatarHue("ada"));
    const hues = new Set(Array.from({ length: 1000 }, (_, index) => avatarHue(`bot-${index}`)));
    assert.equal(hues.size, 24);
  });

  it("gives numbered names distant hues", () => {
    for (const [one, next] of [
      ["bot-1", "bot-2"],
      ["ada-a", "ada-b"],
    ] as const) {
      const hueDistance = Math.abs(avatarHue(one) - avatarHue(next));
      assert.ok(
        Math.min(hueDistance, 24 - hueDistance) >= 6,
        `${one} and ${next} are ${hueDistance} apart`,
      );
    }
  });
});

it("matches the picture in the docs", async () => {
  const [file, plate] = await Promise.all([
    readFile(new URL("../../../docs/avatars.svg", import.meta.url), "utf8"),
    avatarPlate(),
  ]);
  assert.ok(file === plate, "run node scripts/write-docs.ts");
});

/** Minimum number of pixels, out of 40 × 40, by which two silhouettes must differ. */
const LEAST_DIFFERENCE = 100;

/** Runs in the browser. Returns whether the figure fills each pixel, ignoring the background. */
async function silhouette(avatarFigure: string): Promise<boolean[]> {
  const style = "<style>path{fill:#000}.line{fill:none}</style>";
  const image = new globalThis.Image();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">`;
  image.src = `data:image/svg+xml,${encodeURIComponent(`${svg}${style}${avatarFigure}</svg>`)}`;
  await image.decode();
  const canvas = globalThis.document.createElement("canvas");
  [canvas.width, canvas.height] = [40, 40];
  const context = canvas.getContext("2d")!;
  context.arc(20, 20, 20, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, 40, 40);
  return Array.from({ length: 1600 }, (_, index) => data[4 * index + 3]! > 127);
}

/**
 * Runs in the browser. Returns the lowest contrast for each pair of tones across a theme's avatars.
 */
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
    const sample = globalThis.document.createElement("i");
    sample.className = `avatar hue-${hue}`;
    globalThis.document.querySelector(`.${theme}`)!.append(sample);
    for (const pair of pairs) {
      const [one, other] = pair.split(" ").map((tone) => {
        sample.style.color = `var(--${tone})`;
        return luminance(globalThis.getComputedStyle(sample).color);
      });
      const [dim, bright] = [Math.min(one!, other!), Math.max(one!, other!)];
      lowest[pair] = Math.min(lowest[pair] ?? Infinity, (bright + 0.05) / (dim + 0.05));
    }
  }
  return lowest;
}

// The npm package bundles a browser for Linux only.
describe("avatar sheet", { skip: process.platform !== "linux" }, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.setContent(await avatarSheet());
  });
  after(() => browser?.close());

  it("has distinct silhouettes at 40 pixels", async (t) => {
    const plateSamples = [
      ...AVATAR_SAMPLES.slice(0, AVATARS.length + HOUSE_BOTS.length),
      { name: "generated" },
    ];
    const shapes = await Promise.all(
      plateSamples.map(async (sample) => ({
        name: sample.avatar ?? sample.name,
        pixels: await page.evaluate(silhouette, avatarFigureSvg(sample)),
      })),
    );
    for (const { name, pixels } of shapes) {
      const filled = pixels.filter(Boolean).length;
      assert.ok(filled > 300 && filled < 1150, `${name} fills ${filled} pixels`);
    }
    const pairs = shapes.flatMap((one, index) =>
      shapes.slice(index + 1).map((other) => ({
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
    it(`has distinct tones in every hue, ${theme}`, async (t) => {
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
