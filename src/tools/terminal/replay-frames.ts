// Steps through a replay tick by tick for display: turns, events, and the resulting state.

import { assertDefined } from "#base/util/assert-defined.ts";
import { eventsOf } from "#core/engine/events.ts";
import { createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import { hashToText, hashState } from "#core/engine/hash.ts";
import { mapError } from "#core/engine/map-validation.ts";
import { observationFor } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { FightEvent, Replay, ReplayTick, SelfView } from "#core/engine/types.ts";

import { describeFighter, drawBoard, describeZone } from "./board.ts";
import type { BoardScene } from "./board.ts";
import { formatMatchEvent, describeTurn } from "./match-text.ts";
import { escapeUnprintable } from "./printable.ts";

/** The state after a tick. The first frame is the initial state and has no tick. */
export type ReplayStep = {
  tick: ReplayTick | null;
  events: FightEvent[];
  scene: BoardScene;
  fighterViews: SelfView[];
};

/** Returns all frames up to the end, or up to the first mismatch between file and engine. */
export function collectReplaySteps({ header, ticks }: Replay): ReplayStep[] {
  if (mapError(header.map.rows) !== null) return [];
  const grid = parseGrid(header.map.name, header.map.rows);
  const fight = createFight(grid, header.seed, header.fighters.length);
  const frames = [createStep(fight, null)];
  for (const tick of ticks) {
    for (const [seat, turn] of tick.turns.entries())
      setSeatTurn(fight, seat, turn === null || "idle" in turn ? null : turn);
    step(fight);
    frames.push(createStep(fight, tick));
    if (hashToText(hashState(fight)) !== tick.hash) break;
  }
  return frames;
}

function createStep(fight: Fight, tick: ReplayTick | null): ReplayStep {
  const views = Array.from({ length: fight.seats }, (_, seat) => observationFor(fight, seat));
  const pieces = views.flatMap(({ self }, seat) => {
    return fight.alive[seat] === 1 ? [{ mark: fighterIdAt(seat), x: self.x, y: self.y }] : [];
  });
  // Areas, pickups and the zone are public, so they are the same in every view.
  const { areas, pickups, zone } = assertDefined(views[0], "view");
  return {
    tick,
    events: tick === null ? [] : eventsOf(fight),
    scene: { grid: fight.grid, pieces, areas, pickups, zone, cursor: null },
    fighterViews: views.map(({ self }) => self),
  };
}

export function formatReplayStep(frame: ReplayStep, names: readonly string[]): string[] {
  const { tick, events, scene, fighterViews } = frame;
  const tickLabel = tick === null ? "start" : `tick ${tick.tick}`;
  const textLines = [
    ...fighterViews.map((fighterView, seat) =>
      formatFighterLine(fighterView, names[seat] ?? fighterView.id),
    ),
    ...(tick === null
      ? []
      : tick.turns.map((turn, seat) => formatTurnLine(fighterIdAt(seat), turn))),
    ...events.map((event) => `  - ${formatMatchEvent(event)}`),
  ];
  return [
    `${tickLabel}  ${describeZone(scene.zone)}`,
    ...drawBoard(scene),
    ...textLines.map(escapeUnprintable),
  ];
}

function formatFighterLine(fighterView: SelfView, name: string): string {
  const position = fighterView.hp > 0 ? `  at ${fighterView.x},${fighterView.y}` : "";
  return `${fighterView.id} ${name.padEnd(20)}${describeFighter(fighterView)}${position}`;
}

function formatTurnLine(id: string, turn: ReplayTick["turns"][number]): string {
  return `  ${id}: ${describeTurn(turn)}`;
}
