import { mapShapes } from "./map-shapes.ts";

type MapThumbnailProps = {
  /** Map name. Unknown maps have no thumbnail. */
  map: string;
  /** Length of the longer side, in pixels. */
  size?: number | undefined;
};

/** Shows a map from above: walls, low walls, pickups, start tiles and the final zone. */
export function MapThumbnail({ map, size = 64 }: MapThumbnailProps) {
  const shapes = mapShapes(map);
  if (shapes === null) return null;
  const { width, height, walls, lowWalls, pickupPads, startTiles, zone } = shapes;
  const scale = size / Math.max(width, height);
  return (
    <svg
      class="map-picture"
      viewBox={`0 0 ${width} ${height}`}
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      role="img"
    >
      <title>{`Map ${map}`}</title>
      <rect class="map-floor" width={width} height={height} />
      <path class="map-zone" d={zone} />
      <path class="map-wall" d={walls} />
      <path class="map-low" d={lowWalls} />
      <path class="map-pad" d={pickupPads} />
      {startTiles.map(({ x, y, pair, side }) => (
        <circle key={`${x},${y}`} class={`map-start ${side} pair-${pair}`} cx={x} cy={y} r="0.42" />
      ))}
    </svg>
  );
}
