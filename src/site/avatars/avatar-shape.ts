// Avatars are filled paths on a 40 × 40 grid, in tones of one hue.

/** `line` draws a thin dark stroke. All other tones fill the path. */
type Tone = "pale" | "tint" | "dark" | "gold" | "line";

/** "twin" also draws the path mirrored horizontally. */
type Shape = readonly [tone: Tone, path: string, twin?: "twin"];

export type AvatarDrawing = readonly Shape[];

export const discPath = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export function starPath(
  points: number,
  [x, y]: [number, number],
  outer: number,
  inner: number,
): string {
  const corners = Array.from({ length: 2 * points }, (_, index) => {
    const [angle, distance] = [(Math.PI * index) / points, index % 2 === 0 ? outer : inner];
    return `${(x + distance * Math.sin(angle)).toFixed(2)} ${(y - distance * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
