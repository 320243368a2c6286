// Pictures of bots as SVG: drawings of our own, in tones that the style sheet mixes from a hue.

import type { AvatarName } from "#core/words/avatars.ts";

import { disc } from "./avatar-shape.ts";
import type { Drawing } from "./avatar-shape.ts";
import { COURT } from "./avatars-court.ts";
import { FIGHTERS } from "./avatars-fighters.ts";
import { HOUSE } from "./avatars-house.ts";
import { WILD } from "./avatars-wild.ts";

/** What a bot is recognized by. */
export type Face = {
  name: string;
  avatar?: string | null | undefined;
  house?: boolean | undefined;
};

const DRAWINGS: Readonly<Record<AvatarName, Drawing>> = { ...FIGHTERS, ...COURT, ...WILD };

const DRAWN: ReadonlyMap<string, Drawing> = new Map(Object.entries(DRAWINGS));
const SPARRING: ReadonlyMap<string, Drawing> = new Map(Object.entries(HOUSE));

/** Without an avatar: a plain orb. */
const ORB: Drawing = [
  ["tint", disc(20, 20, 15)],
  ["pale", "M9.5 17c0-5.5 4.5-9.5 10-9.5-3 2-4.5 4-5 6.5-.4 2-2 3.5-5 3z"],
];

/** Class names `hue-0` to `hue-23` of the style sheet, 15 degrees apart. */
const HUES = 24;

/** Of 2 ** 32: names that differ in their last letter alone get hues far apart. */
const GOLDEN_RATIO = 0x9e_37_79_b1;

/** The hue of a bot, derived from its name so that it never changes. */
export function hueOf(name: string): number {
  const codes = Array.from(name, (letter) => letter.codePointAt(0) ?? 0);
  const hash = codes.reduce((sum, code) => (sum * 31 + code) >>> 0, 7);
  const spread = Math.imul(hash, GOLDEN_RATIO) >>> 0;
  return Math.floor((spread / 2 ** 32) * HUES);
}

/** The drawing inside a picture's `svg`. Drawings are constants, so this is safe to insert. */
export function avatarShapes(face: Face): string {
  const ring = face.house === true ? `<circle class="ring" cx="20" cy="20" r="18.9"/>` : "";
  return `<circle class="back" cx="20" cy="20" r="20"/>${figureOf(face)}${ring}`;
}

/** The figure alone, without the ground it stands on. */
export const figureOf = (face: Face): string => drawingOf(face).map(pathOf).join("");

/** An avatar that this version does not know is an orb too. */
function drawingOf({ name, avatar = null, house = false }: Face): Drawing {
  const known = avatar !== null ? DRAWN.get(avatar) : undefined;
  return known ?? (house ? SPARRING.get(name) : undefined) ?? ORB;
}

function pathOf([tone, path, twin]: Drawing[number]): string {
  const own = `<path class="${tone}" d="${path}"/>`;
  return twin === undefined ? own : `${own}<path class="${tone}" d="${path}" ${MIRRORED}/>`;
}

const MIRRORED = `transform="matrix(-1 0 0 1 40 0)"`;
