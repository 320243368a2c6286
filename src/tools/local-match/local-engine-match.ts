import { assertDefined } from "#base/util/assert-defined.ts";
import type { PolicyFactory } from "#core/bot-policies/policy.ts";
import { createFight, TICK, isOver } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";
import { observationFor } from "#core/engine/observe.ts";
import { outcome } from "#core/engine/outcome.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { CombatEndReason } from "#core/engine/types.ts";

/** `winner` is a seat; null for a draw. `hp` is in seat order. */
export type EngineMatchResult = {
  winner: number | null;
  reason: CombatEndReason;
  ticks: number;
  hp: number[];
};

/** Plays a whole match without a server. The same seed gives the same match. */
export function playEngineMatch(
  first: PolicyFactory,
  second: PolicyFactory,
  grid: Grid,
  seed: number,
): EngineMatchResult {
  const fight = createFight(grid, seed);
  const map = { name: grid.name, rows: grid.rows };
  const bots = [first, second].map((createBot, seat) =>
    createBot({ map, fighter: fighterIdAt(seat), match_id: `duel-${seed}` }),
  );
  while (!isOver(fight)) {
    const turns = bots.map((bot, seat) => bot.turn(observationFor(fight, seat)));
    for (const [seat, turn] of turns.entries()) setSeatTurn(fight, seat, turn);
    step(fight);
  }
  const { winner, reason } = assertDefined(outcome(fight) ?? undefined, "outcome");
  return { winner, reason, ticks: assertDefined(fight.words[TICK], "tick"), hp: [...fight.hp] };
}
