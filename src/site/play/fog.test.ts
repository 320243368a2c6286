import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";

import { assertDefined } from "#base/util/assert-defined.ts";
import { gridOf } from "#core/engine/maps.ts";
import { createRecordingSurface } from "#testing/fixtures/recording-canvas.ts";

import { drawFog } from "./choice-overlay.ts";
import type { PlayObservation } from "./messages.ts";

/** Minimum contrast between floor in sight and floor out of sight. */
const MIN_CONTRAST = 1.5;

type Rgb = readonly [red: number, green: number, blue: number];

const tokens = await readFile(new URL("../ui/tokens.css", import.meta.url), "utf8");
const [LIGHT, DARK] = [/^:root \{([^}]*)\}/m, /data-theme="dark"\] \{([^}]*)\}/].map((pattern) =>
  assertDefined(pattern.exec(tokens)?.[1], "theme"),
) as [string, string];

function tokenIn(theme: string, name: string): string {
  const [, value] = new RegExp(`--${name}: ([^;]+);`).exec(theme) ?? [];
  return assertDefined(value, name);
}

function parseHex(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function parseTranslucent(color: string): { rgb: Rgb; alpha: number } {
  const [red = 0, green = 0, blue = 0, percent = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return { rgb: [red, green, blue], alpha: percent / 100 };
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function fogContrast(theme: string): number {
  const floor = parseHex(tokenIn(theme, "floor"));
  const fog = parseTranslucent(tokenIn(theme, "fog"));
  const blended = floor.map((value, index) => {
    return value * (1 - fog.alpha) + (fog.rgb[index] ?? 0) * fog.alpha;
  });
  return (luminance(floor) + 0.05) / (luminance(blended as unknown as Rgb) + 0.05);
}

describe("fog", () => {
  for (const [name, theme] of [
    ["light", LIGHT],
    ["dark", DARK],
  ] as const)
    it(`contrasts with the floor in sight, ${name}`, (t) => {
      const contrast = fogContrast(theme);
      t.diagnostic(`contrast ${contrast.toFixed(2)}`);
      assert.ok(contrast >= MIN_CONTRAST, String(contrast));
    });

  it("covers exactly the floor out of sight", () => {
    const grid = assertDefined(gridOf("cage") ?? undefined, "map");
    const [x, y] = [4, 9];
    const { surface, calls } = createRecordingSurface(grid);
    drawFog(surface, { self: { x, y } } as PlayObservation);
    const fogFill = calls.findIndex(
      ({ name, fillStyle }) => name === "fill" && fillStyle === "fog",
    );
    const covered = calls
      .slice(0, fogFill)
      .flatMap(({ name, args }) => (name === "rect" ? [`${args[0]},${args[1]}`] : []));
    const hidden = Array.from({ length: grid.tileCount }, (_, tile) => tile)
      .filter((tile) => grid.floor[tile] === 1)
      .filter((tile) => grid.sight[(y * grid.width + x) * grid.tileCount + tile] === 0)
      .map((tile) => `${tile % grid.width},${Math.floor(tile / grid.width)}`);
    assert.ok(hidden.length > 10);
    assert.deepEqual(covered, hidden);
    assert.equal(calls.filter(({ name }) => name === "clip").length, 1);
  });
});
