// Renders bot avatars as SVG. The style sheet derives the colors from a hue.

import type { AvatarName } from "#core/ids/avatars.ts";

import { discPath } from "./avatar-shape.ts";
import type { AvatarDrawing } from "./avatar-shape.ts";
import { COURT_AVATARS } from "./avatars-court.ts";
import { FIGHTER_AVATARS } from "./avatars-fighters.ts";
import { HOUSE_AVATARS } from "./avatars-house.ts";
import { WILD_AVATARS } from "./avatars-wild.ts";

export type AvatarSubject = {
  name: string;
  avatar?: string | null | undefined;
  house?: boolean | undefined;
};

const DRAWINGS: Readonly<Record<AvatarName, AvatarDrawing>> = {
  ...FIGHTER_AVATARS,
  ...COURT_AVATARS,
  ...WILD_AVATARS,
};

const AVATAR_DRAWINGS: ReadonlyMap<string, AvatarDrawing> = new Map(Object.entries(DRAWINGS));
const HOUSE_DRAWINGS: ReadonlyMap<string, AvatarDrawing> = new Map(Object.entries(HOUSE_AVATARS));

const DEFAULT_DRAWING: AvatarDrawing = [
  ["tint", discPath(20, 20, 15)],
  ["pale", "M9.5 17c0-5.5 4.5-9.5 10-9.5-3 2-4.5 4-5 6.5-.4 2-2 3.5-5 3z"],
];

/** The style sheet has classes `hue-0` to `hue-23`, 15 degrees apart. */
const HUE_COUNT = 24;

/** 2 ** 32 divided by the golden ratio. Names that differ in the last letter get distant hues. */
const HASH_MULTIPLIER = 0x9e_37_79_b1;

/** Returns a hue index from 0 to 23 that depends only on the bot's name. */
export function avatarHue(name: string): number {
  const codes = Array.from(name, (character) => character.codePointAt(0) ?? 0);
  const hash = codes.reduce((sum, code) => (sum * 31 + code) >>> 0, 7);
  const scrambledHash = Math.imul(hash, HASH_MULTIPLIER) >>> 0;
  return Math.floor((scrambledHash / 2 ** 32) * HUE_COUNT);
}

/**
 * Returns the content of the avatar's `svg`. All drawings are constants, so the result is safe to
 * insert as HTML.
 */
export function avatarSvgContent(subject: AvatarSubject): string {
  const ring = subject.house === true ? `<circle class="ring" cx="20" cy="20" r="18.9"/>` : "";
  return `<circle class="back" cx="20" cy="20" r="20"/>${avatarFigureSvg(subject)}${ring}`;
}

export const avatarFigureSvg = (subject: AvatarSubject): string =>
  drawingFor(subject).map(shapeSvg).join("");

function drawingFor({ name, avatar = null, house = false }: AvatarSubject): AvatarDrawing {
  const avatarDrawing = avatar !== null ? AVATAR_DRAWINGS.get(avatar) : undefined;
  return avatarDrawing ?? (house ? HOUSE_DRAWINGS.get(name) : undefined) ?? DEFAULT_DRAWING;
}

function shapeSvg([tone, path, mirror]: AvatarDrawing[number]): string {
  const shape = `<path class="${tone}" d="${path}"/>`;
  return mirror === undefined
    ? shape
    : `${shape}<path class="${tone}" d="${path}" ${MIRROR_TRANSFORM}/>`;
}

const MIRROR_TRANSFORM = `transform="matrix(-1 0 0 1 40 0)"`;
