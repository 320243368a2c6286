// The mark of Bout as numbers: the ring from above, with one fighter in each of two corners.

type Point = readonly [x: number, y: number];
type Corners = readonly [Point, Point, Point];

/** In units of a square of `size`. Its colours are its own, since it also stands on other sites. */
export const MARK = {
  size: 32,
  ring: { inset: 1, radius: 7, color: "#14161d" },
  fighters: [
    {
      corners: [
        [7, 25],
        [7, 14],
        [18, 25],
      ] satisfies Corners,
      color: "#ff6a4d",
    },
    {
      corners: [
        [25, 7],
        [25, 18],
        [14, 7],
      ] satisfies Corners,
      color: "#62a8ff",
    },
  ],
} as const;

/** The mark as a file. */
export function markSvg(): string {
  const { size, ring, fighters } = MARK;
  const { inset, radius, color } = ring;
  const side = size - 2 * inset;
  const paths = fighters.map(
    (fighter) => `<path d="M${fighter.corners.join("L")}Z" fill="${fighter.color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">`,
    `<rect x="${inset}" y="${inset}" width="${side}" height="${side}" rx="${radius}" fill="${color}"/>`,
    ...paths,
    "</svg>",
  ].join("");
}
