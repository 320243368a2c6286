// Schema of the match statistics document, stats_version 2.

import { Type } from "typebox";

import {
  ATTACKS,
  DAMAGE_SOURCES,
  END_REASONS,
  IDLE_REASONS,
  REFUSALS,
} from "#core/engine/types.ts";

import { Counts, Each, FighterIdSchema, Nullable, OneOf } from "./schema-fight.ts";

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Number({ minimum: 0, description: "milliseconds" });
const WeaponSchema = Type.Object({ uses: Count, hits: Count, damage: Count });

const TimingSchema = Type.Object({
  replies: Count,
  mean_ms: Milliseconds,
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  max_ms: Milliseconds,
  near_limit: Type.Integer({ minimum: 0, description: "replies at or above 80% of tick_ms" }),
  tick_ms: Milliseconds,
  budget_ms: Milliseconds,
  budget_ms_left: Milliseconds,
  histogram: Type.Array(Count, {
    minItems: 16,
    maxItems: 16,
    description:
      "upper bounds in thousandths of tick_ms: 10, 25, 50, 100, 200, 300, 400, 500, 600, 700, 800, 850, 900, 950, 1000, slower",
  }),
});

const FighterStatsSchema = Type.Object({
  id: FighterIdSchema,
  name: Type.String(),
  version: Type.String(),
  hp: Count,
  alive: Type.Boolean(),
  moves: Count,
  moves_blocked: Count,
  dashes: Count,
  dash_tiles: Count,
  weapons: Each(ATTACKS, WeaponSchema),
  ricochets: Type.Object({ bounces: Count, hits: Count, damage: Count }),
  pickups: Type.Object({ health: Count, power: Count }),
  healed: Count,
  damage_dealt: Count,
  dealt_by_source: Each(DAMAGE_SOURCES, Count),
  damage_taken: Count,
  taken_by_source: Each(DAMAGE_SOURCES, Count),
  wall_slams: Count,
  knocked_back: Count,
  stunned: Count,
  zone_ticks: Count,
  rejected: Counts(REFUSALS, "refused parts by reason"),
  refused_turns: Count,
  refused_turns_by_reason: Counts(REFUSALS, "ticks with a refused part, by reason"),
  server_idles: Counts(IDLE_REASONS, "failed ticks by reason"),
  timing: Nullable(TimingSchema),
  disconnects: Count,
  disqualified: Type.Boolean(),
});

export const MatchStatsSchema = Type.Object({
  match_id: Type.String(),
  stats_version: Type.Literal(2),
  map: Type.String(),
  seed: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  ticks: Count,
  winner: Nullable(FighterIdSchema),
  reason: OneOf(END_REASONS),
  fighters: Type.Array(FighterStatsSchema),
});
