// Match transcript, for people who can't see the arena.
import type { RecordedTurn } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";

import { describeEvent, describeTarget } from "./match-texts.ts";
import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay, SimulatedTick } from "./simulated-replay.ts";

/** Maximum number of characters to show from an attack name. Bots can send any text. */
const MAX_ATTACK_NAME_LENGTH = 40;

export type TranscriptTickText = {
  tick: number;
  turns: string[];
  events: string[];
  /** State after the tick, or null if unchanged. */
  state: string | null;
};

export function matchTranscript(
  simulation: SimulatedReplay,
  names: NamesByFighter,
): TranscriptTickText[] {
  return simulation.ticks.map((tick) => ({
    tick: tick.tick,
    turns: tick.turns.map(
      (turn, seat) => `${seatName(simulation, names, seat)}: ${describeTurn(turn)}`,
    ),
    events: tick.events.map((event) => describeEvent(event, names)),
    state: changedStateText(simulation, names, tick),
  }));
}

export function initialStateText(simulation: SimulatedReplay, names: NamesByFighter): string {
  return describeFighters(simulation, names, 0);
}

export function describeTurnParts(turn: RecordedTurn): string[] {
  if (turn === null) return ["fallen"];
  if ("idle" in turn) return [`no turn: ${IDLE_REASON_TEXT[turn.idle]}`];
  const { move, dash, attack, shout } = turn;
  const parts = [
    ...(move === undefined ? [] : [`move${describeTarget(move)}`]),
    ...(dash === undefined ? [] : [`dash${describeTarget(dash)}`]),
    ...(attack === undefined
      ? []
      : [`${truncateName(attack.name)}${describeTarget(attack.target)}`]),
    ...(shout === undefined ? [] : [`shout “${shout}”`]),
  ];
  return parts.length === 0 ? ["nothing"] : parts;
}

/** Describes a tick's failed turns, with names and reasons. */
export function describeFailedTurnsIn(
  simulation: SimulatedReplay,
  names: NamesByFighter,
  { turns }: SimulatedTick,
): string[] {
  return turns.flatMap((turn, seat) =>
    turn !== null && "idle" in turn
      ? [`${seatName(simulation, names, seat)}: ${describeTurn(turn)}`]
      : [],
  );
}

const describeTurn = (turn: RecordedTurn): string => describeTurnParts(turn).join(", ");

function truncateName(name: string): string {
  const characters = Array.from(name);
  return characters.length <= MAX_ATTACK_NAME_LENGTH
    ? name
    : `${characters.slice(0, MAX_ATTACK_NAME_LENGTH).join("")}…`;
}

function seatName({ replay }: SimulatedReplay, names: NamesByFighter, seat: number): string {
  const id = replay.header.fighters[seat]!.id;
  return names[id] ?? id;
}

function changedStateText(
  simulation: SimulatedReplay,
  names: NamesByFighter,
  { tick }: SimulatedTick,
): string | null {
  const text = describeFighters(simulation, names, tick + 1);
  return text === describeFighters(simulation, names, tick) ? null : text;
}

function describeFighters(
  simulation: SimulatedReplay,
  names: NamesByFighter,
  frame: number,
): string {
  return simulation.frames[frame]!.fighters.map(({ hp, x, y, alive }, seat) => {
    const positionText = alive ? `${hp} HP at ${x},${y}` : "fallen";
    return `${seatName(simulation, names, seat)} ${positionText}`;
  }).join("; ");
}
