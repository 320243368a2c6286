// A match without the engine. Its result and length are drawn from true strengths at the start.
// Each of its few ticks is an exchange with long think times.

import type { Outcome } from "#core/engine/outcome.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { MatchEngine, ServerFields } from "#live/match/match-engine.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";

import { createDice } from "./dice.ts";
import { drawWinner } from "./strength.ts";

/**
 * Minimum and maximum number of exchanges. With think times of 5–13 s, a match takes 1–5 minutes.
 */
const EXCHANGE_RANGE = [6, 29] as const;

export type SampledMatchObserver = {
  /** Null for a draw. */
  onResult(winner: number | null): void;
  /** An observation told the seat that its previous tick failed. */
  onFailedTick(seat: number, reason: string): void;
};

export const SAMPLED_RECORD = "drawn";

/** `share` is the share of points that seat 0 can expect. */
export function startSampledMatch(
  setup: MatchSetup,
  share: number,
  observer: SampledMatchObserver,
  [shortest, longest]: readonly [number, number] = EXCHANGE_RANGE,
): MatchEngine {
  const dice = createDice(setup.seed);
  const winner = drawWinner(share, dice.draw());
  const exchangeCount = shortest + dice.below(longest - shortest + 1);
  let tick = 0;

  /** The leading seat is random at first, and more and more likely to be the winner's. */
  let leader = dice.pick([0, 1, null]);

  return {
    printObservationFor: (seat, feedback) => {
      if (feedback.lastFailure !== null) observer.onFailedTick(seat, feedback.lastFailure.reason);
      return formatObservation(
        setup.matchId,
        tick,
        leader === null ? 0 : leader === seat ? 1 : -1,
        feedback,
      );
    },
    play: () => {
      tick += 1;
      leader = dice.chance(tick / exchangeCount) ? winner : dice.pick([0, 1, null]);
      if (tick < exchangeCount) return null;
      observer.onResult(winner);
      return createOutcome(winner);
    },
    leaderAtLimit: () => leader,
    record: () => SAMPLED_RECORD,
    printFrame: () => "{}",
    blankRecord: () => SAMPLED_RECORD,
  };
}

function createOutcome(winner: number | null): Outcome {
  return { winner, reason: winner === null ? "timeout_draw" : "last_standing" };
}

function formatObservation(
  matchId: MatchId,
  tick: number,
  lead: number,
  feedback: ServerFields,
): string {
  return `{"type":"observation","match_id":"${matchId}","tick":${tick},"lead":${lead},"budget_ms":${feedback.budgetMs}}`;
}
