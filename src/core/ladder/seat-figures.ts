// What is read from a statistics document (stats_version 2) to be summed.

import { MILLISECOND } from "#base/units/time.ts";

import type { PlayFigures, WeaponFigures } from "./style.ts";
import type { ReplyFigures, TurnFigures } from "./version-health.ts";

export type SeatFigures = PlayFigures & {
  /** The attacks that were used. */
  weapons: Readonly<Record<string, WeaponFigures>>;
  turns: TurnFigures;
};

type Counts = Record<string, number>;

type Timing = {
  replies: number;
  mean_ms: number;
  max_ms: number;
  near_limit: number;
  tick_ms: number;
  budget_ms_left: number;
  histogram: number[];
};

/** The part of a document that is read. A missing count is zero. */
type Fighter = {
  moves?: number;
  dashes?: number;
  damage_dealt?: number;
  damage_taken?: number;
  healed?: number;
  wall_slams?: number;
  weapons?: Record<string, WeaponFigures>;
  taken_by_source?: Counts;
  server_idles?: Counts;
  refused_turns?: number;
  refused_turns_by_reason?: Counts;
  disconnects?: number;
  disqualified?: boolean;
  timing?: Timing | null;
};

type Document = { stats_version?: number; ticks?: number; fighters?: Fighter[] };

/** Documents of other versions are not counted. */
export const STATS_VERSION = 2;

/** In seat order; empty unless the document has a stats_version that is counted. */
export function seatFigures(stats: string | null): SeatFigures[] {
  const document = stats === null ? {} : (JSON.parse(stats) as Document);
  const { stats_version, ticks = 0, fighters = [] } = document;
  if (stats_version !== STATS_VERSION) return [];
  return fighters.map((fighter) => {
    const weapons = Object.entries(fighter.weapons ?? {}).filter(([, { uses }]) => uses > 0);
    return {
      ticks,
      moves: fighter.moves ?? 0,
      dashes: fighter.dashes ?? 0,
      uses: sum(weapons.map(([, { uses }]) => uses)),
      hits: sum(weapons.map(([, { hits }]) => hits)),
      damageDealt: fighter.damage_dealt ?? 0,
      damageTaken: fighter.damage_taken ?? 0,
      healed: fighter.healed ?? 0,
      wallSlams: fighter.wall_slams ?? 0,
      zoneDamage: fighter.taken_by_source?.zone ?? 0,
      idles: sum(Object.values(fighter.server_idles ?? {})),
      weapons: Object.fromEntries(weapons),
      turns: turnsOf(fighter, ticks),
    };
  });
}

function turnsOf(fighter: Fighter, ticks: number): TurnFigures {
  return {
    matches: 1,
    turns: ticks,
    idles: fighter.server_idles ?? {},
    refusedTurns: fighter.refused_turns ?? 0,
    refused: fighter.refused_turns_by_reason ?? {},
    disconnects: fighter.disconnects ?? 0,
    disqualifications: Number(fighter.disqualified ?? false),
    replies: fighter.timing ? repliesOf(fighter.timing) : null,
  };
}

function repliesOf(timing: Timing): ReplyFigures {
  const { replies, mean_ms, max_ms, near_limit, tick_ms, budget_ms_left, histogram } = timing;
  const used = histogram.findLastIndex((count) => count > 0) + 1;
  return {
    replies,
    total: Math.round(mean_ms * MILLISECOND) * replies,
    max: Math.round(max_ms * MILLISECOND),
    nearLimit: near_limit,
    budgetLeftMs: budget_ms_left,
    histograms: { [tick_ms]: histogram.slice(0, used) },
  };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
