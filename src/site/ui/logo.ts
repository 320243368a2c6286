// The logo shows the ring from above, with a fighter in each of two corners.

type Point = readonly [x: number, y: number];
type Corners = readonly [Point, Point, Point];

/**
 * Coordinates are within a square with side `size`. Colors are fixed, because the logo also appears
 * on other sites.
 */
export const LOGO = {
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

export function logoSvg(): string {
  const { size, ring, fighters } = LOGO;
  const { inset, radius, color } = ring;
  const ringSize = size - 2 * inset;
  const paths = fighters.map(
    (fighter) => `<path d="M${fighter.corners.join("L")}Z" fill="${fighter.color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">`,
    `<rect x="${inset}" y="${inset}" width="${ringSize}" height="${ringSize}" rx="${radius}" fill="${color}"/>`,
    ...paths,
    "</svg>",
  ].join("");
}
