// Reads the colors of the canvas from the style sheet's tokens.
import type { FighterId } from "#core/engine/types.ts";
import type { AvatarTones } from "#site/avatars/paint-avatar.ts";

export type Palette = {
  floor: string;
  grid: string;
  wall: string;
  lowWall: string;
  shade: string;
  /** Opacity of shadows on the floor. */
  shadowAlpha: number;
  glow: string;
  fog: string;
  ink: string;
  paper: string;
  card: string;
  muted: string;
  gold: string;
  good: string;
  bad: string;
  onAccent: string;
  corner: Record<FighterId, string>;
};

export function readTones(style: CSSStyleDeclaration): AvatarTones {
  const readTone = (name: string): string => style.getPropertyValue(`--face-${name}`).trim();
  return {
    back: readTone("back"),
    pale: readTone("pale"),
    shade: readTone("shade"),
    dark: readTone("dark"),
    gold: readTone("gold"),
    house: readTone("house"),
  };
}

export function readPalette(style: CSSStyleDeclaration): Palette {
  const readColor = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [a, b, gold, good] = [
    readColor("a"),
    readColor("b"),
    readColor("gold-fill"),
    readColor("good"),
  ];
  return {
    floor: readColor("floor"),
    grid: readColor("grid-line"),
    wall: readColor("wall"),
    lowWall: readColor("low-wall"),
    shade: readColor("shade"),
    shadowAlpha: Number(readColor("shadow-alpha")),
    glow: readColor("glow"),
    fog: readColor("fog"),
    ink: readColor("ink"),
    paper: readColor("paper"),
    card: readColor("card"),
    muted: readColor("muted"),
    gold,
    good,
    bad: readColor("bad"),
    onAccent: readColor("on-accent"),
    corner: { A: a, B: b, C: gold, D: good },
  };
}
