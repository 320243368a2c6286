// Fights for another engine to play again, text for text: `python/tests/compare.py` reads them.

import { eventsOf } from "#engine/events.ts";
import type { Fight } from "#engine/fight.ts";
import { allGrids } from "#engine/maps.ts";
import { observe } from "#engine/observe.ts";
import { cleanShout } from "#engine/shout.ts";
import { combatStats, startTally, tallyTick } from "#engine/stats.ts";
import { printObservation } from "#protocol/print-observation.ts";

import { garbagePlayer } from "./garbage-play.ts";
import { recordMatch } from "./record-match.ts";
import { referencePlayer } from "./reference-play.ts";
import type { Player } from "./reference-play.ts";

const BUDGET_MS = 300_000;

type PlannedFight = { seed: number; seats: number; player: Player };

/** Seeds from an unlike place for each map, so that no two fights are alike. */
function plan(at: number): PlannedFight[] {
  const seed = 7919 * (at + 1);
  return [
    { seed, seats: 2, player: referencePlayer("fight", seed) },
    ...[2, 3, 4].map((seats) => ({ seed, seats, player: garbagePlayer(seed + seats) })),
  ];
}

/** JSON lines of fights on every map, with two to four fighters, sensible and not. */
export function fightsForPython(): string[] {
  return allGrids().flatMap((grid, at) =>
    plan(at).flatMap(({ seed, seats, player }) => {
      const head = JSON.stringify({ map: grid.name, seed, seats });
      const tally = startTally(seats);
      const pen = penFor(player);
      const { result } = recordMatch(grid, seed, pen.player, {
        seats,
        visit: (fight, { turns, hash }) => {
          tallyTick(tally, fight);
          pen.write(fight, turns, hash);
        },
      });
      const stats = tally.map((_, seat) => combatStats(tally, seat));
      const outcome = [result.winner, result.reason];
      return [head, ...pen.lines, JSON.stringify({ outcome, stats: JSON.stringify(stats) })];
    }),
  );
}

/** Notes what a player is told and answers, and writes a line a tick. */
function penFor(player: Player) {
  const lines: string[] = [];
  const seen: Record<number, string> = {};
  const sent: Record<number, unknown> = {};
  return {
    lines,
    player: ((fight, seat) => {
      seen[seat] = printObservation("local", observe(fight, seat), BUDGET_MS, null, null);
      const turn = player(fight, seat);
      sent[seat] = turn;
      return turn?.shout === undefined ? turn : { ...turn, shout: cleanShout(turn.shout) };
    }) satisfies Player,
    write: (fight: Fight, recorded: readonly unknown[], hash: string) => {
      const living = recorded.map((turn, seat) => (turn === null ? null : seat));
      const told = living.map((seat) => (seat === null ? null : seen[seat]));
      const turns = living.map((seat) => (seat === null ? null : sent[seat]));
      const events = JSON.stringify(eventsOf(fight));
      lines.push(JSON.stringify({ turns, recorded, seen: told, events, hash }));
    },
  };
}
