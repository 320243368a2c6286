// A fight that is not fought: its result and length are drawn from the true strengths when it
// starts, and its ticks are a few exchanges with long thoughts in between.

import type { Outcome } from "#core/engine/outcome.ts";
import type { MatchId } from "#core/words/ids.ts";
import type { MatchFight, Told } from "#live/match/fight-port.ts";
import type { MatchSetup } from "#live/match/setup.ts";

import { createDice } from "./dice.ts";
import { drawWinner } from "./truth.ts";

/** Fewest and most exchanges; with thoughts of 5 to 13 s, a match takes one to five minutes. */
const EXCHANGES = [6, 29] as const;

export type DrawnObserver = {
  /** The fight ended; null for a draw. */
  decided(winner: number | null): void;
  /** An observation tells a seat that its previous tick failed. */
  failed(seat: number, reason: string): void;
};

/** The recording of a drawn fight. */
export const DRAWN = "drawn";

/** `share` is the share of points expected of seat 0. */
export function drawFight(
  setup: MatchSetup,
  share: number,
  observer: DrawnObserver,
  [shortest, longest]: readonly [number, number] = EXCHANGES,
): MatchFight {
  const dice = createDice(setup.seed);
  const winner = drawWinner(share, dice.draw());
  const length = shortest + dice.below(longest - shortest + 1);
  let tick = 0;

  /** The seat that is ahead: early on at random, later more and more likely the winner. */
  let leader = dice.pick([0, 1, null]);

  return {
    observation: (seat, told) => {
      if (told.failed !== null) observer.failed(seat, told.failed.reason);
      return printDrawn(setup.matchId, tick, leader === null ? 0 : leader === seat ? 1 : -1, told);
    },
    play: () => {
      tick += 1;
      leader = dice.chance(tick / length) ? winner : dice.pick([0, 1, null]);
      if (tick < length) return null;
      observer.decided(winner);
      return outcomeOf(winner);
    },
    leader: () => leader,
    record: () => DRAWN,
    blankRecord: () => DRAWN,
  };
}

function outcomeOf(winner: number | null): Outcome {
  return { winner, reason: winner === null ? "timeout_draw" : "last_standing" };
}

function printDrawn(matchId: MatchId, tick: number, lead: number, told: Told): string {
  return `{"type":"observation","match_id":"${matchId}","tick":${tick},"lead":${lead},"budget_ms":${told.budgetMs}}`;
}
