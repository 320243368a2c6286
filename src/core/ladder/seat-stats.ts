// Parses the parts of a statistics document (stats_version 2) that are summed over matches.

import { MILLISECOND_US } from "#base/util/time.ts";

import type { PlayStats, WeaponTotals } from "./play-style.ts";
import type { ReplyStats, TurnStats } from "./version-health.ts";

export type SeatStats = PlayStats & {
  weapons: Readonly<Record<string, WeaponTotals>>;
  turns: TurnStats;
};

type CountsByCode = Record<string, number>;

type TimingDocument = {
  replies: number;
  mean_ms: number;
  max_ms: number;
  near_limit: number;
  tick_ms: number;
  budget_ms_left: number;
  histogram: number[];
};

/** The part of a document that this module reads. A missing count means 0. */
type FighterDocument = {
  moves?: number;
  dashes?: number;
  damage_dealt?: number;
  damage_taken?: number;
  healed?: number;
  wall_slams?: number;
  weapons?: Record<string, WeaponTotals>;
  taken_by_source?: CountsByCode;
  server_idles?: CountsByCode;
  refused_turns?: number;
  refused_turns_by_reason?: CountsByCode;
  disconnects?: number;
  disqualified?: boolean;
  timing?: TimingDocument | null;
};

type StatsDocument = { stats_version?: number; ticks?: number; fighters?: FighterDocument[] };

export const STATS_VERSION = 2;

/** Returns the totals in seat order. Empty unless the document has the supported stats_version. */
export function parseSeatStats(stats: string | null): SeatStats[] {
  const document = stats === null ? {} : (JSON.parse(stats) as StatsDocument);
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
      turns: turnStatsOf(fighter, ticks),
    };
  });
}

function turnStatsOf(fighter: FighterDocument, ticks: number): TurnStats {
  return {
    matches: 1,
    turns: ticks,
    idles: fighter.server_idles ?? {},
    refusedTurns: fighter.refused_turns ?? 0,
    refused: fighter.refused_turns_by_reason ?? {},
    disconnects: fighter.disconnects ?? 0,
    disqualifications: Number(fighter.disqualified ?? false),
    replies: fighter.timing ? replyStatsOf(fighter.timing) : null,
  };
}

function replyStatsOf(timing: TimingDocument): ReplyStats {
  const { replies, mean_ms, max_ms, near_limit, tick_ms, budget_ms_left, histogram } = timing;
  const usedBuckets = histogram.findLastIndex((count) => count > 0) + 1;
  return {
    replies,
    total: Math.round(mean_ms * MILLISECOND_US) * replies,
    max: Math.round(max_ms * MILLISECOND_US),
    nearLimit: near_limit,
    budgetLeftMs: budget_ms_left,
    histograms: { [tick_ms]: histogram.slice(0, usedBuckets) },
  };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
