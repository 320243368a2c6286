// What drawings of faces are made of: filled paths on a square of 40 units, in tones of one hue.

/** `line` is a thin dark stroke; all others fill. */
type Tone = "pale" | "tint" | "dark" | "gold" | "line";

/** With "twin" the path is drawn a second time, mirrored left to right. */
type Shape = readonly [tone: Tone, path: string, twin?: "twin"];

/** From back to front. */
export type Drawing = readonly Shape[];

export const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** A star with its first point upwards. */
export function star(
  points: number,
  [x, y]: [number, number],
  outer: number,
  inner: number,
): string {
  const corners = Array.from({ length: 2 * points }, (_, at) => {
    const [angle, far] = [(Math.PI * at) / points, at % 2 === 0 ? outer : inner];
    return `${(x + far * Math.sin(angle)).toFixed(2)} ${(y - far * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
