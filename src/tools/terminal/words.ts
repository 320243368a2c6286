// A fight in words for the terminal: short lines, with directions as a bot writes them.

import { RULES } from "#core/engine/rules.ts";
import type { FightEvent, RecordedTurn, Target, Turn } from "#core/engine/types.ts";
import { REFUSAL_WORDS } from "#core/replay/end-words.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";

/** What a seat did in a tick. */
export function turnWords(turn: RecordedTurn): string {
  if (turn === null) return "(fallen)";
  if ("idle" in turn) return `(failed: ${IDLE_WORDS[turn.idle]})`;
  return partsWords(turn) || "waits";
}

/** The parts of a turn, or "" if it has none. */
export function partsWords({ move, dash, attack, shout }: Turn): string {
  const parts = [
    move !== undefined && `move ${move}`,
    dash !== undefined && `dash ${dash}`,
    attack !== undefined && `${attack.name}${targetWords(attack.target)}`,
    shout !== undefined && `shout ${JSON.stringify(shout)}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function targetWords(target: Target | null | undefined): string {
  if (target === null || target === undefined) return "";
  return typeof target === "string" ? ` ${target}` : ` at ${target[0]},${target[1]}`;
}

type Event<Type extends FightEvent["type"]> = Extract<FightEvent, { type: Type }>;

const WORDS: { [Type in FightEvent["type"]]: (event: Event<Type>) => string } = {
  shout: ({ by, text }) => `${by} shouts ${JSON.stringify(text)}`,
  rejected: refusalWords,
  attack: attackWords,
  hit: hitWords,
  repulse: (event) =>
    `${event.target} is thrown ${wayWords(event)}${event.slam ? " into a wall" : ""}`,
  pull: (event) => `${event.target} is pulled ${wayWords(event)}`,
  area_spawn: spawnWords,
  area_explode: ({ by, x, y }) => `the blast of ${by} explodes at ${x},${y}`,
  pickup: pickupWords,
  zone_damage: ({ target, damage }) => `${target} is outside the zone: -${damage}`,
  pickup_spawn: ({ kind, x, y, in: ticks }) => `${kind} comes to ${x},${y} in ${ticks} ticks`,
  death: ({ target }) => `${target} falls`,
};

/** One event as a line, with fighters by letter. */
export function eventWords(event: FightEvent): string {
  return (WORDS[event.type] as (event: FightEvent) => string)(event);
}

/** A fighter's own refusals; in its view, a failed turn is one too. */
type ToldRefusal = Event<"rejected"> & { message?: string };

/** Only a fighter's own view omits `by`. */
function refusalWords({ by, part, field, reason, message }: ToldRefusal): string {
  const what = field ?? part;
  const whose = by === undefined ? `your ${what}` : `the ${what} of ${by}`;
  return `${whose} is refused (${reason}: ${message?.replace(/\.$/, "") ?? REFUSAL_WORDS[reason]})`;
}

function attackWords({ by, name, target, x, y }: Event<"attack">): string {
  if (x === undefined) return `${by} uses ${name}, unseen`;
  return `${by} uses ${name}${targetWords(target)} from ${x},${y}`;
}

function hitWords({ by, target, name, damage, ricochet }: Event<"hit">): string {
  if (name === "wall_slam")
    return `${target} slams into the wall: -${damage}, stunned for ${RULES.wall_slam.stun} ticks`;
  if (name === "collision") return `${target} is rammed: -${damage}`;
  if (by === target) return `${target} is hit by its own ${name}: -${damage}`;
  const bounced = ricochet === true ? "bounced " : "";
  return `${target} is hit by the ${bounced}${name} of ${by}: -${damage}`;
}

function spawnWords({ by, name, x, y, in: ticks, left }: Event<"area_spawn">): string {
  return name === "blast"
    ? `the blast of ${by} at ${x},${y} explodes in ${ticks} ticks`
    : `the scorch of ${by} at ${x},${y} burns for ${left} ticks`;
}

function pickupWords({ by, kind, healed }: Event<"pickup">): string {
  if (kind === "health") return `${by} takes health: +${healed ?? 0} hp`;
  return `${by} takes power for ${RULES.power.ticks} ticks`;
}

function wayWords({ tiles, direction }: { tiles: number; direction: string }): string {
  return `${tiles} ${tiles === 1 ? "tile" : "tiles"} ${direction}`;
}
