// Pictures of bots as SVG: drawings of our own, in tones that the style sheet mixes from a hue.

/** What a bot is recognized by. */
export type Face = { name: string; avatar?: string | null; house?: boolean };

/** Class names `hue-0` to `hue-23` of the style sheet, 15 degrees apart. */
const HUES = 24;

/** The hue of a bot, derived from its name so that it never changes. */
export function hueOf(name: string): number {
  const sum = Array.from(name).reduce(
    (hash, letter) => (hash * 31 + letter.codePointAt(0)!) >>> 0,
    7,
  );
  return sum % HUES;
}

/** The shapes inside a picture's `svg`, 40 by 40 units. Drawings are constants, so this is safe. */
export function avatarShapes({ name, avatar, house }: Face): string {
  void name;
  void avatar;
  void house;
  return `<circle class="back" cx="20" cy="20" r="20"/>`;
}
