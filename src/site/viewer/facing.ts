import { DIRECTIONS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import { beatOf, fighterPosition, isWithinSpan } from "./tick-timing.ts";
import type { TickScene } from "./tick-timing.ts";

/** Offset of one tile per direction, in the order of `DIRECTIONS`. */
const STEPS: readonly TilePoint[] = [
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
  { x: -1, y: -1 },
];

export function stepOf(direction: string): TilePoint {
  return STEPS[DIRECTIONS.findIndex((name) => name === direction)] ?? { x: 0, y: 0 };
}

/**
 * Returns the angle at which a fighter looks: at its target while it attacks, ahead while it moves,
 * and otherwise at its opponent. Null if there is nothing to look at.
 */
export function facingAngle(scene: TickScene, seat: number, progress: number): number | null {
  const position = fighterPosition(scene, seat, progress);
  const { move } = scene.timing.spans;
  const destination =
    attackTarget(scene, seat, progress, position) ??
    (isWithinSpan(move, progress) ? fighterPosition(scene, seat, move.to) : null);
  if (destination !== null && !isSamePoint(destination, position))
    return angleTo(position, destination);
  const opponentSeat = scene.before.fighters.findIndex((_, index) => index !== seat);
  if (opponentSeat === -1) return null;
  const opponent = fighterPosition(scene, opponentSeat, progress);
  return isSamePoint(opponent, position) ? null : angleTo(position, opponent);
}

function attackTarget(
  { tick, before, timing }: TickScene,
  seat: number,
  progress: number,
  position: TilePoint,
): TilePoint | null {
  const id = before.fighters[seat]?.id;
  const index = tick.events.findIndex((event) => event.type === "attack" && event.by === id);
  const attack = tick.events[index];
  if (attack?.type !== "attack") return null;
  const span = timing.spans[beatOf(tick.events, index)];
  return progress === 1 || isWithinSpan(span, progress) ? targetPoint(attack, position) : null;
}

type AttackEvent = Extract<FightEvent, { type: "attack" }>;

function targetPoint({ target }: AttackEvent, position: TilePoint): TilePoint | null {
  if (target === null || target === undefined) return null;
  if (typeof target !== "string") return { x: target[0], y: target[1] };
  const step = stepOf(target);
  return { x: position.x + step.x, y: position.y + step.y };
}

const isSamePoint = (from: TilePoint, to: TilePoint): boolean => from.x === to.x && from.y === to.y;

const angleTo = (from: TilePoint, to: TilePoint): number =>
  Math.atan2(to.y - from.y, to.x - from.x);
