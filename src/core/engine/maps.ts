import type { Grid } from "./grid.ts";
import { parseGrid } from "./grid.ts";
import bumpers from "./maps/bumpers.json" with { type: "json" };
import cage from "./maps/cage.json" with { type: "json" };
import courtyard from "./maps/courtyard.json" with { type: "json" };
import halls from "./maps/halls.json" with { type: "json" };
import keep from "./maps/keep.json" with { type: "json" };
import lanes from "./maps/lanes.json" with { type: "json" };
import pillars from "./maps/pillars.json" with { type: "json" };
import pinwheel from "./maps/pinwheel.json" with { type: "json" };
import trench from "./maps/trench.json" with { type: "json" };
import type { MapRows, Tile } from "./types.ts";

export const MAP_NAMES = [
  "courtyard",
  "pillars",
  "halls",
  "lanes",
  "keep",
  "trench",
  "bumpers",
  "pinwheel",
  "cage",
] as const;
export type MapName = (typeof MAP_NAMES)[number];

export type MapView = {
  name: string;
  width: number;
  height: number;
  center: Tile;
  rows: MapRows;
};

const MAPS = { courtyard, pillars, halls, lanes, keep, trench, bumpers, pinwheel, cage };

// Grids are immutable. Each is built on first use and cached for the lifetime of the process.
const grids = new Map<string, Grid>();

function isMapName(name: string): name is MapName {
  return (MAP_NAMES as readonly string[]).includes(name);
}

export const mapRows = (name: string): MapRows | null => (isMapName(name) ? MAPS[name].rows : null);

export function gridOf(name: string): Grid | null {
  const rows = mapRows(name);
  if (rows === null) return null;
  const grid = grids.get(name) ?? parseGrid(name, rows);
  grids.set(name, grid);
  return grid;
}

export function allGrids(): Grid[] {
  return MAP_NAMES.map((name) => gridOf(name)).filter((grid) => grid !== null);
}

export function mapView({ name, width, height, center, rows }: Grid): MapView {
  return { name, width, height, center, rows };
}
