// Describes a match in short lines for the terminal. Directions are written as bots write them.

import { RULES } from "#core/engine/rules.ts";
import type { FightEvent, RecordedTurn, Target, Turn } from "#core/engine/types.ts";
import { REFUSAL_REASON_TEXT } from "#core/replay/end-reason-text.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";

export function describeTurn(turn: RecordedTurn): string {
  if (turn === null) return "(fallen)";
  if ("idle" in turn) return `(failed: ${IDLE_REASON_TEXT[turn.idle]})`;
  return formatTurnParts(turn) || "waits";
}

/** Returns "" if the turn has no parts. */
export function formatTurnParts({ move, dash, attack, shout }: Turn): string {
  const partTexts = [
    move !== undefined && `move ${move}`,
    dash !== undefined && `dash ${dash}`,
    attack !== undefined && `${attack.name}${describeTarget(attack.target)}`,
    shout !== undefined && `shout ${JSON.stringify(shout)}`,
  ];
  return partTexts.filter((part) => part !== false).join(", ");
}

function describeTarget(target: Target | null | undefined): string {
  if (target === null || target === undefined) return "";
  return typeof target === "string" ? ` ${target}` : ` at ${target[0]},${target[1]}`;
}

type Event<Type extends FightEvent["type"]> = Extract<FightEvent, { type: Type }>;

const EVENT_DESCRIPTIONS: { [Type in FightEvent["type"]]: (event: Event<Type>) => string } = {
  shout: ({ by, text }) => `${by} shouts ${JSON.stringify(text)}`,
  rejected: describeRefusal,
  attack: describeAttack,
  hit: describeHit,
  repulse: (event) =>
    `${event.target} is thrown ${describeShove(event)}${event.slam ? " into a wall" : ""}`,
  pull: (event) => `${event.target} is pulled ${describeShove(event)}`,
  area_spawn: describeAreaSpawn,
  area_explode: ({ by, x, y }) => `${by}'s blast explodes at ${x},${y}`,
  pickup: describePickup,
  zone_damage: ({ target, damage }) => `${target} is outside the zone: -${damage}`,
  pickup_spawn: ({ kind, x, y, in: ticks }) => `${kind} appears at ${x},${y} in ${ticks} ticks`,
  death: ({ target }) => `${target} falls`,
};

/** Describes an event on one line, with fighters by letter. */
export function formatMatchEvent(event: FightEvent): string {
  return (EVENT_DESCRIPTIONS[event.type] as (event: FightEvent) => string)(event);
}

/** A refusal as seen by the refused fighter. Includes failed turns. */
type ObservedRefusal = Event<"rejected"> & { message?: string };

/** Only a fighter's own view omits `by`. */
function describeRefusal({ by, part, field, reason, message }: ObservedRefusal): string {
  const refusedPart = field ?? part;
  const owner = by === undefined ? `your ${refusedPart}` : `${by}'s ${refusedPart}`;
  return `${owner} is refused (${reason}: ${message?.replace(/\.$/, "") ?? REFUSAL_REASON_TEXT[reason]})`;
}

function describeAttack({ by, name, target, x, y }: Event<"attack">): string {
  if (x === undefined) return `${by} uses ${name}, unseen`;
  return `${by} uses ${name}${describeTarget(target)} from ${x},${y}`;
}

function describeHit({ by, target, name, damage, ricochet }: Event<"hit">): string {
  if (name === "wall_slam")
    return `${target} slams into the wall: -${damage}, stunned for ${RULES.wall_slam.stun} ticks`;
  if (name === "collision") return `${target} is rammed: -${damage}`;
  if (by === target) return `${target} is hit by its own ${name}: -${damage}`;
  const bouncedText = ricochet === true ? "bounced " : "";
  return `${target} is hit by ${by}'s ${bouncedText}${name}: -${damage}`;
}

function describeAreaSpawn({ by, name, x, y, in: ticks, left }: Event<"area_spawn">): string {
  return name === "blast"
    ? `${by}'s blast at ${x},${y} explodes in ${ticks} ticks`
    : `${by}'s scorch at ${x},${y} burns for ${left} ticks`;
}

function describePickup({ by, kind, healed }: Event<"pickup">): string {
  if (kind === "health") return `${by} takes health: +${healed ?? 0} hp`;
  return `${by} takes power for ${RULES.power.ticks} ticks`;
}

function describeShove({ tiles, direction }: { tiles: number; direction: string }): string {
  return `${tiles} ${tiles === 1 ? "tile" : "tiles"} ${direction}`;
}
