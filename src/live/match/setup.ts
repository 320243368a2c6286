// What a match is created with.

import type { Grid } from "#core/engine/grid.ts";
import type { Deadlines, ReplayFighter } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/words/ids.ts";
import type { Mode } from "#core/words/rated.ts";

export type MatchSetup = {
  matchId: MatchId;
  ladderId: LadderId;
  mode: Mode;
  /** The UTC instant when the match was created. */
  started: string;
  versions: { engine: string; protocol: string; rules: string; rules_hash: string };
  seed: number;
  grid: Grid;
  deadlines: Deadlines;
  fighters: ReplayFighter[];
};
