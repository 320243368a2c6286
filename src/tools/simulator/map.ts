import type { Grid } from "#core/engine/grid.ts";
import { allGrids, gridOf, MAP_NAMES, mapView } from "#core/engine/maps.ts";
import type { MapView } from "#core/engine/maps.ts";

/** Returns the ladder's maps as in `hello`. In `rows`, # is a wall, o a low wall, + a pad. */
export function listMaps(): MapView[] {
  return allGrids().map(mapView);
}

/** Throws an Error that lists all maps if the name is unknown. */
export function gridNamed(name: string): Grid {
  const grid = gridOf(name);
  if (grid === null) throw new Error(`there is no map '${name}'. Maps: ${MAP_NAMES.join(", ")}`);
  return grid;
}
