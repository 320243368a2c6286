// Renders the fighters' avatars once per size and theme. Drawing a frame then copies images.
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type { FighterId } from "#core/engine/types.ts";
import { avatarDrawing, huesInView } from "#site/avatars/avatar-picture.ts";
import type { AvatarSubject } from "#site/avatars/avatar-picture.ts";
import { AVATAR_UNITS, avatarBackground, paintAvatar } from "#site/avatars/paint-avatar.ts";
import type { AvatarTones } from "#site/avatars/paint-avatar.ts";

import { traceSeatFrame } from "./seat-frame.ts";

/** Bots by fighter ID. A fighter without a bot is drawn as its letter. */
export type FighterBots = Readonly<Partial<Record<FighterId, AvatarSubject>>>;
export type Portraits = ReadonlyMap<FighterId, HTMLCanvasElement>;

/** Radius of a portrait, in tiles. Its image is as wide as the largest frame. */
export const PORTRAIT_RADIUS = 0.42;
export const PORTRAIT_TILES = 2.5 * PORTRAIT_RADIUS;

export function paintPortraits(bots: FighterBots, tones: AvatarTones, scale: number): Portraits {
  const entries = FIGHTER_IDS.flatMap((id) => {
    const bot = bots[id];
    return bot === undefined ? [] : [{ id, bot }];
  });
  const hues = huesInView(entries.map(({ bot }) => bot));
  return new Map(
    entries.map(({ id, bot }, index) => [
      id,
      paintPortrait(id, bot, hues[index] ?? 0, tones, scale),
    ]),
  );
}

function paintPortrait(
  id: FighterId,
  bot: AvatarSubject,
  hue: number,
  tones: AvatarTones,
  scale: number,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const size = Math.ceil(PORTRAIT_TILES * scale);
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext("2d");
  if (context === null) return canvas;
  const radius = PORTRAIT_RADIUS * scale;
  context.beginPath();
  traceSeatFrame(context, id, size / 2, size / 2, radius);
  context.fillStyle = avatarBackground(tones, hue, bot.house === true);
  context.fill();
  context.clip();
  context.translate(size / 2 - radius, size / 2 - radius);
  context.scale((2 * radius) / AVATAR_UNITS, (2 * radius) / AVATAR_UNITS);
  paintAvatar(context, avatarDrawing(bot), tones, hue);
  return canvas;
}
