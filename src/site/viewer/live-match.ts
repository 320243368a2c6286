// A match that is watched live, built from the messages of the watch socket. It can be drawn like a
// simulated replay.

import type { MatchFrame } from "#core/engine/frame.ts";
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { FightEvent, FighterId } from "#core/engine/types.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";

import { boltFlights } from "./bolt-flight.ts";
import type { FighterBots } from "./portraits.ts";
import type { SimulatedTick } from "./simulated-replay.ts";
import { computeTickTiming } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

export type WatchFrame = MatchFrame & { events: FightEvent[] };

export type WatchMessage =
  | {
      type: "watching";
      match_id: string;
      map: { name: string; rows: readonly string[] };
      fighters: { id: FighterId; name: string }[];
      delay_ms: number;
    }
  | { type: "frames"; match_id: string; frames: WatchFrame[] }
  | { type: "over"; match_id: string }
  | { type: "stored"; match_id: string }
  | { type: "idle" }
  | { type: "error"; code: string };

/** Above this number of ticks that wait to be drawn, playback speeds up. */
const RELAXED_BACKLOG = 2;
const MAX_SPEED = 8;

export type LiveMatch = {
  readonly grid: Grid;
  readonly bots: FighterBots;
  /** The state that the next tick starts from; null before the first frame. */
  current: MatchFrame | null;
  /** Number of ticks taken for drawing. */
  shownCount: number;
  /** Ticks that have arrived but aren't drawn yet, oldest first. */
  readonly waiting: TickScene[];
};

export function startLiveMatch({
  map: { name: mapName, rows },
  fighters,
}: Pick<Extract<WatchMessage, { type: "watching" }>, "map" | "fighters">): LiveMatch {
  const isHouse = (botName: string) => HOUSE_BOTS.some(({ name }) => name === botName);
  const bots: FighterBots = Object.fromEntries(
    fighters.map(({ id, name }) => [id, { name, house: isHouse(name) }] as const),
  );
  return { grid: parseGrid(mapName, rows), bots, current: null, shownCount: 0, waiting: [] };
}

/** Appends frames. A frame that doesn't follow the previous one is shown without animation. */
export function addFrames(match: LiveMatch, frames: readonly WatchFrame[]): void {
  for (const { events, ...frame } of frames) {
    const before = match.waiting.at(-1)?.after ?? match.current;
    if (before !== null && frame.tick <= before.tick) continue;
    if (before === null || frame.tick !== before.tick + 1) {
      match.waiting.length = 0;
      match.current = frame;
    } else match.waiting.push(sceneBetween(match.grid, before, frame, events));
  }
}

/** Removes and returns the next tick to draw, or null if all have been drawn. */
export function takeTick(match: LiveMatch): TickScene | null {
  const scene = match.waiting.shift() ?? null;
  if (scene === null) return null;
  match.current = scene.after;
  match.shownCount += 1;
  return scene;
}

/** Returns the playback speed, which grows with the number of waiting ticks. */
export const playbackSpeed = ({ waiting }: LiveMatch): number =>
  Math.min(MAX_SPEED, Math.max(1, waiting.length - RELAXED_BACKLOG + 1));

/** Returns a scene without any movement. */
export const stillScene = (grid: Grid, frame: MatchFrame): TickScene =>
  sceneBetween(grid, frame, frame, []);

function sceneBetween(
  grid: Grid,
  before: MatchFrame,
  after: MatchFrame,
  events: FightEvent[],
): TickScene {
  const flights = boltFlights(grid, events, after.fighters);
  const tick: SimulatedTick = {
    tick: before.tick,
    turns: [],
    reply_ms: [],
    budget_ms: [],
    events,
    flights,
  };
  return { tick, before, after, timing: computeTickTiming(tick, before, after) };
}
