// A whole bout in words, for readers who do not see the arena.
import type { RecordedTurn } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";

import type { Film, FilmTick } from "./film.ts";
import { eventWords, targetWords } from "./words.ts";
import type { Names } from "./words.ts";

/** A turn may name an attack by any text. */
const LONGEST_NAME = 40;

export type TickText = {
  tick: number;
  /** What each fighter wanted, in seat order. */
  turns: string[];
  /** What came of it. */
  events: string[];
  /** Where everybody stands after it, if anything about it changed since the tick before. */
  state: string | null;
};

/** Every tick of a bout: what was wanted, what happened, what was left. */
export function fightText(film: Film, names: Names): TickText[] {
  return film.ticks.map((tick) => ({
    tick: tick.tick,
    turns: tick.turns.map((turn, seat) => `${nameAt(film, names, seat)}: ${turnText(turn)}`),
    events: tick.events.map((event) => eventWords(event, names)),
    state: stateText(film, names, tick),
  }));
}

/** What everybody has before the first tick. */
export function startText(film: Film, names: Names): string {
  return standings(film, names, 0);
}

/** The parts of a turn as sent. */
export function turnWords(turn: RecordedTurn): string[] {
  if (turn === null) return ["fallen"];
  if ("idle" in turn) return [`no turn: ${IDLE_WORDS[turn.idle]}`];
  const { move, dash, attack, shout } = turn;
  const parts = [
    ...(move === undefined ? [] : [`move${targetWords(move)}`]),
    ...(dash === undefined ? [] : [`dash${targetWords(dash)}`]),
    ...(attack === undefined ? [] : [`${shortened(attack.name)}${targetWords(attack.target)}`]),
    ...(shout === undefined ? [] : [`shout “${shout}”`]),
  ];
  return parts.length === 0 ? ["nothing"] : parts;
}

/** Whose turn failed in a tick, and why. */
export function failedTurns(film: Film, names: Names, { turns }: FilmTick): string[] {
  return turns.flatMap((turn, seat) =>
    turn !== null && "idle" in turn ? [`${nameAt(film, names, seat)}: ${turnText(turn)}`] : [],
  );
}

const turnText = (turn: RecordedTurn): string => turnWords(turn).join(", ");

function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME).join("")}…`;
}

function nameAt({ replay }: Film, names: Names, seat: number): string {
  const id = replay.header.fighters[seat]!.id;
  return names[id] ?? id;
}

function stateText(film: Film, names: Names, { tick }: FilmTick): string | null {
  const text = standings(film, names, tick + 1);
  return text === standings(film, names, tick) ? null : text;
}

function standings(film: Film, names: Names, frame: number): string {
  return film.frames[frame]!.fighters.map(({ hp, x, y, alive }, seat) => {
    const place = alive ? `${hp} hp at ${x},${y}` : "fallen";
    return `${nameAt(film, names, seat)} ${place}`;
  }).join("; ");
}
