// Draws an avatar on a canvas, in the same colors as the style sheet.

import type { AvatarDrawing } from "./avatar-shape.ts";

/** Lightness and chroma of the tones, or a complete color for gold and for house bots. */
export type AvatarTones = Readonly<
  Record<"back" | "pale" | "shade" | "dark" | "gold" | "house", string>
>;

/** Width and height of an avatar drawing. */
export const AVATAR_UNITS = 40;
const DEGREES_PER_HUE = 15;
const LINE_WIDTH = 1.1;

export const avatarBackground = (tones: AvatarTones, hue: number, isHouse: boolean): string =>
  isHouse ? tones.house : toneColor(tones.back, hue);

/** Draws in units of `AVATAR_UNITS`, without the background. */
export function paintAvatar(
  context: CanvasRenderingContext2D,
  drawing: AvatarDrawing,
  tones: AvatarTones,
  hue: number,
): void {
  const colors = {
    pale: toneColor(tones.pale, hue),
    tint: toneColor(tones.shade, hue),
    dark: toneColor(tones.dark, hue),
    line: toneColor(tones.dark, hue),
    gold: tones.gold,
  };
  context.lineWidth = LINE_WIDTH;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const [tone, path, mirror] of drawing) {
    context.fillStyle = colors[tone];
    context.strokeStyle = colors[tone];
    paintShape(context, tone, new Path2D(path));
    if (mirror === undefined) continue;
    context.save();
    context.transform(-1, 0, 0, 1, AVATAR_UNITS, 0);
    paintShape(context, tone, new Path2D(path));
    context.restore();
  }
}

function paintShape(
  context: CanvasRenderingContext2D,
  tone: AvatarDrawing[number][0],
  shape: Path2D,
): void {
  if (tone === "line") context.stroke(shape);
  else context.fill(shape);
}

const toneColor = (tone: string, hue: number): string =>
  `oklch(${tone} ${Math.round(hue * DEGREES_PER_HUE)})`;
