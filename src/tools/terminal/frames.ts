// A replay played again for reading, tick by tick: what was done, what happened, what it led to.

import { sure } from "#base/units/sure.ts";
import { eventsOf } from "#core/engine/events.ts";
import { startFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { parseGrid } from "#core/engine/grid.ts";
import { hex8, stateHash } from "#core/engine/hash.ts";
import { mapProblem } from "#core/engine/map-check.ts";
import { observe } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { FightEvent, Replay, ReplayTick, SelfView } from "#core/engine/types.ts";

import { bodyWords, drawBoard, zoneWords } from "./board.ts";
import type { Scene } from "./board.ts";
import { printable } from "./printable.ts";
import { eventWords, turnWords } from "./words.ts";

/** The state after a tick. The first frame is the start and has no tick. */
export type StepFrame = {
  tick: ReplayTick | null;
  events: FightEvent[];
  scene: Scene;
  bodies: SelfView[];
};

/** All frames up to the end, or up to the tick where the file and the engine part ways. */
export function framesOf({ header, ticks }: Replay): StepFrame[] {
  if (mapProblem(header.map.rows) !== null) return [];
  const grid = parseGrid(header.map.name, header.map.rows);
  const fight = startFight(grid, header.seed, header.fighters.length);
  const frames = [frameOf(fight, null)];
  for (const tick of ticks) {
    for (const [seat, turn] of tick.turns.entries())
      setTurn(fight, seat, turn === null || "idle" in turn ? null : turn);
    step(fight);
    frames.push(frameOf(fight, tick));
    if (hex8(stateHash(fight)) !== tick.hash) break;
  }
  return frames;
}

function frameOf(fight: Fight, tick: ReplayTick | null): StepFrame {
  const views = Array.from({ length: fight.seats }, (_, seat) => observe(fight, seat));
  const pieces = views.flatMap(({ self }, seat) => {
    return fight.alive[seat] === 1 ? [{ mark: fighterIdAt(seat), x: self.x, y: self.y }] : [];
  });
  // Areas, pickups and the zone are public, so every view has the same ones.
  const { areas, pickups, zone } = sure(views[0], "view");
  return {
    tick,
    events: tick === null ? [] : eventsOf(fight),
    scene: { grid: fight.grid, pieces, areas, pickups, zone, cursor: null },
    bodies: views.map(({ self }) => self),
  };
}

/** A frame as lines of text. */
export function printFrame(frame: StepFrame, names: readonly string[]): string[] {
  const { tick, events, scene, bodies } = frame;
  const when = tick === null ? "start" : `tick ${tick.tick}`;
  const words = [
    ...bodies.map((body, seat) => fighterLine(body, names[seat] ?? body.id)),
    ...(tick === null ? [] : tick.turns.map((turn, seat) => turnLine(fighterIdAt(seat), turn))),
    ...events.map((event) => `  - ${eventWords(event)}`),
  ];
  return [`${when}  ${zoneWords(scene.zone)}`, ...drawBoard(scene), ...words.map(printable)];
}

function fighterLine(body: SelfView, name: string): string {
  const where = body.hp > 0 ? `  at ${body.x},${body.y}` : "";
  return `${body.id} ${name.padEnd(20)}${bodyWords(body)}${where}`;
}

function turnLine(id: string, turn: ReplayTick["turns"][number]): string {
  return `  ${id}: ${turnWords(turn)}`;
}
