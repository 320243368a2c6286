// A simulated bot. It registers, wakes and sleeps, connects, queues and plays, as well or as badly
// as its character makes it.

import { DAY } from "#base/units/time.ts";
import type { MatchId } from "#core/words/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import type { BotEnd, Link } from "#testing/simulation/link.ts";
import type { Timeline } from "#testing/simulation/timeline.ts";

import { CHARACTERS } from "./behaviour.ts";
import type { Manners } from "./behaviour.ts";
import { matchIdOf, moveOf, newPlaying, wrongBy } from "./match-play.ts";
import type { Playing } from "./match-play.ts";
import { drawShift } from "./population.ts";
import type { BotSpec } from "./population.ts";

/** What an agent does to the world. */
export type Surroundings = {
  timeline: Timeline;
  /** The end of the last day, µs. */
  end: number;
  /** Whether nobody misbehaves any more. */
  isCalm(): boolean;
  /** Whether nobody queues any more. */
  isClosing(): boolean;
  register(spec: BotSpec): Promise<void>;
  /** Whether its owner knows that it would be turned away. */
  isBarred(spec: BotSpec): boolean;
  connect(spec: BotSpec, end: BotEnd): Link;
  retireVersion(spec: BotSpec, label: string): void;
  rotateToken(spec: BotSpec): void;
  practise(spec: BotSpec): void;
  /** Whether the engine fights this match. */
  isFought(matchId: MatchId): boolean;
  /** A match ended against a bot that did everything it should. */
  wronged(spec: BotSpec, matchId: MatchId, reason: string): void;
};

type State = {
  readonly spec: BotSpec;
  readonly dice: SeededDice;
  readonly around: Surroundings;
  isAwake: boolean;
  link: Link | null;
  /** Counts connections, so that what is meant for an old one is dropped. */
  dials: number;
  isWaiting: boolean;
  /** Counts the rests before it queues again, so that only the latest one ends in that. */
  rests: number;
  retired: Set<string>;
  playing: Playing | null;
};

export type Agent = {
  /** Whether a failed tick of this match would not be the bot's fault. */
  isBlameless(matchId: MatchId): boolean;
  /** The network breaks its connection; `serverKnowsAfterMs` may be Infinity. */
  cut(serverKnowsAfterMs: number): void;
  /** Leaves, unless it is playing. */
  retreat(): void;
};

const READY_MS = [200, 2000] as const;
const REST_MS = [500, 20_000] as const;
const BACKOFF_MS = [1000, 8000] as const;
/** Delay after an error that says to try again later. */
const RETRY_MS = [3000, 9000] as const;
/** Delay after a ladder is found closed, or not to take the bot; or while its owner is banned. */
const SHUT_MS = [30_000, 150_000] as const;
/** Delay after too many new versions in a day. */
const TOMORROW_MS = [1_800_000, 7_200_000] as const;
/** More frames than allowed per second outside a match. */
const FLOOD_FRAMES = 60;

/** Puts a bot into the world. From now on it acts by itself. */
export function openAgent(spec: BotSpec, dice: SeededDice, around: Surroundings): Agent {
  const state: State = {
    spec,
    dice,
    around,
    isAwake: false,
    link: null,
    dials: 0,
    isWaiting: false,
    rests: 0,
    retired: new Set(),
    playing: null,
  };
  at(state, spec.arrives, () => void arrive(state));
  return {
    isBlameless: (matchId) => state.playing?.matchId === matchId && !state.playing.isToBlame,
    cut: (serverKnowsAfterMs) => state.link?.cut(serverKnowsAfterMs),
    retreat: () => {
      if (state.playing === null) hangUp(state);
    },
  };
}

function at({ around }: State, moment: number, call: () => void): void {
  around.timeline.after(Math.max(0, moment - around.timeline.now()) / 1000, call);
}

type Range = readonly [least: number, most: number];

function later({ around, dice }: State, range: Range, call: () => void): void {
  around.timeline.after(dice.between(...range), call);
}

const mannersOf = ({ spec, around }: State): Manners =>
  around.isCalm() ? CHARACTERS.polite.manners : CHARACTERS[spec.character].manners;

async function arrive(state: State): Promise<void> {
  const { spec, around, dice } = state;
  await around.register(spec);
  if (spec.hours === null) {
    wake(state);
    return;
  }
  for (let day = Math.floor(spec.arrives / DAY); day * DAY < around.end; day += 1) {
    const { wakes, sleeps } = drawShift(dice, spec, day);
    if (sleeps <= wakes) continue;
    at(state, wakes, () => wake(state));
    at(state, sleeps, () => sleep(state));
  }
}

function wake(state: State): void {
  state.isAwake = true;
  if (state.link === null) connect(state);
}

/** Falls asleep between matches; a running match is finished first. */
function sleep(state: State): void {
  state.isAwake = false;
  if (state.playing !== null) return;
  if (state.dice.chance(0.5)) say(state, { type: "leave" }, 0);
  hangUp(state);
}

function connect(state: State): void {
  const isWanted = state.isAwake && !state.around.isClosing();
  if (!isWanted && state.playing === null) return;
  if (state.around.isBarred(state.spec)) {
    stayAway(state);
    return;
  }
  const dial = (state.dials += 1);
  const isCurrent = () => dial === state.dials;
  state.isWaiting = false;
  state.link = state.around.connect(state.spec, {
    opened: () => {
      later(state, READY_MS, () => {
        if (isCurrent()) settleIn(state);
      });
    },
    hear: (text) => {
      if (isCurrent()) hear(state, text);
    },
    lost: () => {
      if (isCurrent()) lose(state);
    },
  });
}

function stayAway(state: State): void {
  state.playing = null;
  later(state, SHUT_MS, () => {
    if (state.link === null) connect(state);
  });
}

/** A bot that has not been greeted by now has no match any more. */
function settleIn(state: State): void {
  if (state.playing?.isAttached === false) state.playing = null;
  queue(state);
}

function letGo(state: State): void {
  state.link = null;
  state.isWaiting = false;
  if (state.playing === null) return;
  state.playing.isToBlame = true;
  state.playing.isAttached = false;
}

function lose(state: State): void {
  letGo(state);
  later(state, BACKOFF_MS, () => {
    if (state.link === null) connect(state);
  });
}

function hangUp(state: State): void {
  state.dials += 1;
  state.link?.hangUp();
  letGo(state);
}

function say(state: State, message: object | string, afterMs: number): void {
  state.link?.say(typeof message === "string" ? message : JSON.stringify(message), afterMs);
}

/** The newest version released by now; a fickle bot forgets which ones it has retired. */
function labelOf({ spec, around, retired, dice }: State): string {
  const now = around.timeline.now();
  const there = spec.versions.filter(({ from }) => from <= now);
  const { label } = there.at(-1) ?? spec.versions[0]!;
  return retired.size > 0 && dice.chance(0.05) ? dice.pick([...retired]) : label;
}

function queue(state: State): void {
  const { around, dice, spec } = state;
  if (state.playing !== null || state.isWaiting) return;
  if (!state.isAwake || around.isClosing()) {
    hangUp(state);
    return;
  }
  const label = labelOf(state);
  retireBefore(state, label);
  const queueing = { type: "queue", version: label, ladder_id: dice.pick(spec.ladders) };
  if (dice.chance(mannersOf(state).practises)) around.practise(spec);
  if (!misqueue(state, queueing)) say(state, queueing, 0);
}

function queueAfter(state: State, range: Range): void {
  const rest = (state.rests += 1);
  later(state, range, () => {
    if (rest === state.rests) queue(state);
  });
}

/** A place in the queue that is left, doubled or talked to death; true when it is. */
function misqueue(state: State, queueing: object): boolean {
  const { dice } = state;
  const manners = mannersOf(state);
  if (dice.chance(manners.floods / 4)) {
    for (let frame = 0; frame < FLOOD_FRAMES; frame += 1) say(state, { type: "leave" }, frame);
    return true;
  }
  if (!dice.chance(manners.leaves)) return false;
  say(state, queueing, 0);
  say(state, dice.chance(0.5) ? { type: "leave" } : queueing, 100);
  state.isWaiting = true;
  later(state, REST_MS, () => {
    state.isWaiting = false;
    queue(state);
  });
  return true;
}

/** The first game of a new version may retire the previous one. */
function retireBefore(state: State, label: string): void {
  const { spec, dice, around, retired } = state;
  const place = spec.versions.findIndex((version) => version.label === label);
  const old = spec.versions[place - 1]?.label;
  if (old === undefined || retired.has(old) || !dice.chance(mannersOf(state).retires)) return;
  retired.add(old);
  around.retireVersion(spec, old);
}

const TYPE_FROM = '{"type":"'.length;

/** Server messages are identified by their type, which comes first. */
export function typeOf(text: string): string {
  return text.slice(TYPE_FROM, text.indexOf('"', TYPE_FROM));
}

function hear(state: State, text: string): void {
  switch (typeOf(text)) {
    case "hello":
      hearHello(state, text);
      break;
    case "observation":
      hearObservation(state, text);
      break;
    case "queued":
      state.isWaiting = true;
      break;
    case "end":
      hearEnd(state, text);
      break;
    case "error":
      hearError(state, text);
      break;
    default:
      break;
  }
}

function hearHello(state: State, hello: string): void {
  const { spec, dice, around } = state;
  const matchId = matchIdOf(hello);
  const wasWaiting = state.isWaiting;
  if (state.playing?.matchId !== matchId) {
    const greeting = { hello, isFought: around.isFought(matchId), wasWaiting };
    state.playing = newPlaying(spec, mannersOf(state), dice, greeting);
  }
  state.playing.isAttached = true;
  state.isWaiting = false;
  if (state.playing.plan.type !== "skip_ready")
    say(state, { type: "ready", match_id: matchId }, dice.between(...READY_MS));
}

function hearObservation(state: State, text: string): void {
  const { playing, dice } = state;
  if (playing === null) return;
  const move = moveOf(playing, text, mannersOf(state), dice);
  switch (move.type) {
    case "say":
      for (const { text: frame, afterMs } of move.frames) say(state, frame, afterMs);
      break;
    case "double":
      connect(state);
      break;
    case "away":
      goAway(state, move.awayMs);
      break;
  }
}

function goAway(state: State, awayMs: number): void {
  hangUp(state);
  state.around.timeline.after(awayMs, () => {
    if (state.link === null) connect(state);
  });
}

function hearEnd(state: State, text: string): void {
  const { playing, spec, around, dice } = state;
  const wrong = wrongBy(playing, text);
  if (wrong !== null) around.wronged(spec, matchIdOf(text), wrong);
  state.playing = null;
  if (dice.chance(mannersOf(state).rotates)) around.rotateToken(spec);
  queueAfter(state, REST_MS);
}

function hearError(state: State, text: string): void {
  const { code } = JSON.parse(text) as { code: string };
  switch (code) {
    case "version_limit":
      queueAfter(state, TOMORROW_MS);
      break;
    case "ladder_closed":
    case "enrollment_required":
    case "unknown_ladder":
      state.isWaiting = false;
      queueAfter(state, SHUT_MS);
      break;
    case "version_retired":
    case "store_unavailable":
    case "already_queued":
      state.isWaiting = false;
      queueAfter(state, RETRY_MS);
      break;
    default:
      break;
  }
}
