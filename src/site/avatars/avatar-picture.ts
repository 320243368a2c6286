// Renders bot avatars as SVG. The style sheet derives the colors from a hue.

import type { AvatarName } from "#core/ids/avatars.ts";

import type { AvatarDrawing } from "./avatar-shape.ts";
import { COURT_AVATARS } from "./avatars-court.ts";
import { FIGHTER_AVATARS } from "./avatars-fighters.ts";
import { HOUSE_AVATARS } from "./avatars-house.ts";
import { WILD_AVATARS } from "./avatars-wild.ts";
import { generatedAvatar } from "./generated-avatar.ts";

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

/** Hue of house bots, in steps. Their drawings have it, but their background has none. */
const HOUSE_HUE = 80 / (360 / HUE_COUNT);
/** Minimum distance of two hues in view, in steps. */
const MIN_HUE_DISTANCE = 4;

/**
 * Returns the hues of bots that are drawn next to each other, in steps. A bot keeps the hue of its
 * name unless a house bot or an earlier bot has a
 * similar one.
 */
export function huesInView(subjects: readonly AvatarSubject[]): number[] {
  const usedHues = subjects.some(({ house }) => house === true) ? [HOUSE_HUE] : [];
  return subjects.map(({ name, house }) => {
    if (house === true) return HOUSE_HUE;
    const ownHue = avatarHue(name);
    const candidates = Array.from({ length: HUE_COUNT }, (_, step) => (ownHue + step) % HUE_COUNT);
    const freeHue = candidates.find((hue) =>
      usedHues.every((usedHue) => hueDistance(hue, usedHue) >= MIN_HUE_DISTANCE),
    );
    usedHues.push(freeHue ?? ownHue);
    return freeHue ?? ownHue;
  });
}

function hueDistance(hue: number, otherHue: number): number {
  const distance = Math.abs(hue - otherHue);
  return Math.min(distance, HUE_COUNT - distance);
}

/**
 * Returns the content of the avatar's `svg`. Drawings consist of constants and numbers, so the
 * result is safe to insert as HTML.
 */
export function avatarSvgContent(subject: AvatarSubject): string {
  const ring = subject.house === true ? `<circle class="ring" cx="20" cy="20" r="18.9"/>` : "";
  return `<circle class="back" cx="20" cy="20" r="20"/>${avatarFigureSvg(subject)}${ring}`;
}

export const avatarFigureSvg = (subject: AvatarSubject): string =>
  avatarDrawing(subject).map(shapeSvg).join("");

export function avatarDrawing({
  name,
  avatar = null,
  house = false,
}: AvatarSubject): AvatarDrawing {
  const avatarDrawing = avatar !== null ? AVATAR_DRAWINGS.get(avatar) : undefined;
  return avatarDrawing ?? (house ? HOUSE_DRAWINGS.get(name) : undefined) ?? generatedAvatar(name);
}

function shapeSvg([tone, path, mirror]: AvatarDrawing[number]): string {
  const shape = `<path class="${tone}" d="${path}"/>`;
  return mirror === undefined
    ? shape
    : `${shape}<path class="${tone}" d="${path}" ${MIRROR_TRANSFORM}/>`;
}

const MIRROR_TRANSFORM = `transform="matrix(-1 0 0 1 40 0)"`;
