// Schema of the match statistics document, version 2 (`stats_version`).

import { Type } from "typebox";

import {
  ATTACKS,
  DAMAGE_SOURCES,
  END_REASONS,
  IDLE_REASONS,
  REFUSALS,
} from "#core/engine/types.ts";

import { CountsOf, RecordOf, FighterIdSchema, Nullable, OneOf } from "./schema-fight.ts";

const CountField = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Number({ minimum: 0, description: "milliseconds" });
const WeaponSchema = Type.Object({ uses: CountField, hits: CountField, damage: CountField });

const TimingSchema = Type.Object({
  replies: CountField,
  mean_ms: Milliseconds,
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  max_ms: Milliseconds,
  near_limit: Type.Integer({
    minimum: 0,
    description: "Replies that took at least 80% of tick_ms.",
  }),
  tick_ms: Milliseconds,
  budget_ms: Milliseconds,
  budget_ms_left: Milliseconds,
  histogram: Type.Array(CountField, {
    minItems: 16,
    maxItems: 16,
    description:
      "Upper bounds in thousandths of tick_ms: 10, 25, 50, 100, 200, 300, 400, 500, 600, 700, 800, 850, 900, 950, 1000, slower.",
  }),
});

const FighterStatsSchema = Type.Object({
  id: FighterIdSchema,
  name: Type.String(),
  version: Type.String(),
  hp: CountField,
  alive: Type.Boolean(),
  moves: CountField,
  moves_blocked: CountField,
  dashes: CountField,
  dash_tiles: CountField,
  weapons: RecordOf(ATTACKS, WeaponSchema),
  ricochets: Type.Object({ bounces: CountField, hits: CountField, damage: CountField }),
  pickups: Type.Object({ health: CountField, power: CountField }),
  healed: CountField,
  damage_dealt: CountField,
  dealt_by_source: RecordOf(DAMAGE_SOURCES, CountField),
  damage_taken: CountField,
  taken_by_source: RecordOf(DAMAGE_SOURCES, CountField),
  wall_slams: CountField,
  knocked_back: CountField,
  stunned: CountField,
  zone_ticks: CountField,
  rejected: CountsOf(REFUSALS, "Refused parts by reason."),
  refused_turns: CountField,
  refused_turns_by_reason: CountsOf(REFUSALS, "Ticks with a refused part, by reason."),
  server_idles: CountsOf(IDLE_REASONS, "Failed ticks by reason."),
  timing: Nullable(TimingSchema),
  disconnects: CountField,
  disqualified: Type.Boolean(),
});

export const MatchStatsSchema = Type.Object({
  match_id: Type.String(),
  stats_version: Type.Literal(2),
  map: Type.String(),
  seed: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  ticks: CountField,
  winner: Nullable(FighterIdSchema),
  reason: OneOf(END_REASONS),
  fighters: Type.Array(FighterStatsSchema),
});
