import { mapShapes } from "./map-shapes.ts";

type MapPictureProps = {
  /** Name of a map. One that this version does not know has no picture. */
  map: string;
  /** Pixels of its longer side. */
  size?: number | undefined;
};

/** A map from above: walls, low walls, pickups, where fighters start and where the zone ends. */
export function MapPicture({ map, size = 64 }: MapPictureProps) {
  const shapes = mapShapes(map);
  if (shapes === null) return null;
  const { width, height, walls, lows, pads, starts, zone } = shapes;
  const scale = size / Math.max(width, height);
  return (
    <svg
      class="map-picture"
      viewBox={`0 0 ${width} ${height}`}
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      role="img"
    >
      <title>{`The map ${map}`}</title>
      <rect class="map-floor" width={width} height={height} />
      <path class="map-zone" d={zone} />
      <path class="map-wall" d={walls} />
      <path class="map-low" d={lows} />
      <path class="map-pad" d={pads} />
      {starts.map(({ x, y, pair, side }) => (
        <circle key={`${x},${y}`} class={`map-start ${side} pair-${pair}`} cx={x} cy={y} r="0.42" />
      ))}
    </svg>
  );
}
