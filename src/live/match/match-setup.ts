import type { Grid } from "#core/engine/grid.ts";
import type { Deadlines, ReplayFighter } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";

export type MatchSetup = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: MatchMode;
  /** UTC creation time. */
  started: string;
  versions: { engine: string; protocol: string; rules: string; rules_hash: string };
  seed: number;
  grid: Grid;
  deadlines: Deadlines;
  fighters: ReplayFighter[];
};
