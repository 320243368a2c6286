import { sure } from "#base/units/sure.ts";
import { startFight, TICK, isOver } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";
import { observe } from "#core/engine/observe.ts";
import { outcome } from "#core/engine/outcome.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { CombatEndReason } from "#core/engine/types.ts";
import type { BotMaker } from "#core/policies/choice.ts";

/** `winner` is the seat, 0 for the first bot, or null for a draw; hp by seat. */
export type DuelResult = {
  winner: number | null;
  reason: CombatEndReason;
  ticks: number;
  hp: number[];
};

/** Plays a whole match without a server. The same seed gives the same match. */
export function playDuel(first: BotMaker, second: BotMaker, grid: Grid, seed: number): DuelResult {
  const fight = startFight(grid, seed);
  const map = { name: grid.name, rows: grid.rows };
  const bots = [first, second].map((make, seat) =>
    make({ map, fighter: fighterIdAt(seat), match_id: `duel-${seed}` }),
  );
  while (!isOver(fight)) {
    const turns = bots.map((bot, seat) => bot.turn(observe(fight, seat)));
    for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
    step(fight);
  }
  const { winner, reason } = sure(outcome(fight) ?? undefined, "outcome");
  return { winner, reason, ticks: sure(fight.words[TICK], "tick"), hp: [...fight.hp] };
}
