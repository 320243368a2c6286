// A match between bots that answer at once: the fight, its referee and its record, without a clock.

import { startFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { EMPTY_TRACE, extendTrace, hex8, stateHash, traceHash } from "#core/engine/hash.ts";
import type { Trace } from "#core/engine/hash.ts";
import { mapView } from "#core/engine/maps.ts";
import { matchStats, startMatchTally, tallyMatchTick } from "#core/engine/match-stats.ts";
import type { MatchTally } from "#core/engine/match-stats.ts";
import { observe } from "#core/engine/observe.ts";
import { decideAtLimit, outcome } from "#core/engine/outcome.ts";
import { RULES } from "#core/engine/rules.ts";
import { disqualifiedSeats } from "#core/engine/server-stats.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type {
  EndReason,
  FighterId,
  MatchStats,
  RecordedTurn,
  ReplayHeader,
  ReplayTick,
} from "#core/engine/types.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import { printObservation } from "#core/protocol/print-observation.ts";
import { printHello } from "#core/protocol/print.ts";
import { printReplay } from "#core/replay/print-replay.ts";
import type { MatchId } from "#core/words/ids.ts";
import { LIMITS } from "#core/words/limits.ts";

import { isFailure, readAnswer, seatBot } from "./bot.ts";
import type { SimulatorBot, Failure, SimulatorPlayer } from "./bot.ts";
import { gridNamed } from "./map.ts";
import type { HelloMessage, ObservationMessage } from "./message.ts";
import { VERSIONS } from "./versions.ts";

/** The ladder's deadlines. Nobody is timed here: every reply takes 0 ms. */
const DEADLINES = deadlinesOf(LIMITS);
export const LOCAL = "local";
/** The start of every match, so that the same match gives the same replay. */
const STARTED = "1970-01-01T00:00:00.000Z";
const FIRST_NAMES = ["a", "b", "c", "d"];

export type MatchOptions = {
  /** One of the ladder's maps. */
  map: string;
  /** 0 to 2^32 - 1: the source of the match's randomness. */
  seed: number;
  /** In seat order, two to four. */
  bots: readonly SimulatorBot[];
  /** Names of the fighters in the replay. The default is the partner's name, or a letter. */
  names?: readonly string[];
  /** The id in every message. Partners also derive their randomness from it. */
  matchId?: MatchId;
};

/** A tick that was played. */
export type Tick = {
  tick: number;
  /** By seat: a turn, `{idle: reason}` for a failed one, or null for the fallen. */
  turns: RecordedTurn[];
  /** Hash of the state after the tick, as in replays. */
  hash: string;
  /** The fight after the tick. It continues with the match: clone it to keep it. */
  fight: Fight;
};

export type MatchResult = {
  winner: FighterId | null;
  reason: EndReason;
  ticks: number;
  stats: MatchStats;
  /** The content of the replay file. */
  replay: string;
};

/** A bot threw, or is not a bot, so the match cannot continue. `cause` is what it threw. */
export class BotFailure extends Error {
  /** Its index among the bots, from 0. */
  readonly seat: number;
  /** The current tick; -1 if it failed at hello. */
  readonly tick: number;

  constructor(seat: number, tick: number, cause: unknown) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`the bot in seat ${FIGHTER_IDS[seat]} broke at tick ${tick}: ${what}`, { cause });
    this.name = "BotFailure";
    this.seat = seat;
    this.tick = tick;
  }
}

/**
 * Plays a match to its end. The same bots, map, seed and id give the same match. An invalid answer
 * is a failed tick, as on the ladder, and ten in a row lose. `visit` receives each tick. Throws
 * BotFailure if a bot throws, and an Error for invalid options.
 */
export function playMatch(options: MatchOptions, visit?: (tick: Tick) => void): MatchResult {
  const ticks = playTicks(options);
  let next = ticks.next();
  for (; next.done !== true; next = ticks.next()) visit?.(next.value);
  return next.value;
}

/** The same tick by tick: a generator that yields each one and returns the result. */
export function* playTicks(options: MatchOptions): Generator<Tick, MatchResult, undefined> {
  const match = openMatch(options);
  let verdict: Verdict | null = null;
  while (verdict === null) {
    yield playTick(match);
    verdict = verdictOf(match);
  }
  return resultOf(match, verdict);
}

type Running = {
  readonly header: ReplayHeader;
  readonly fight: Fight;
  readonly players: readonly SimulatorPlayer[];
  /** By seat: why its last tick failed, or null. */
  readonly failed: (Failure | null)[];
  /** By seat: failed ticks in a row. */
  /** Failed ticks of each fighter: up to now in a row, and in all. */
  readonly failures: { inARow: number; inAll: number }[];
  readonly tally: MatchTally;
  readonly ticks: ReplayTick[];
  trace: Trace;
};

/** The winner is given as a seat. */
type Verdict = { winner: number | null; reason: EndReason };

function openMatch(options: MatchOptions): Running {
  const { map, seed, bots } = options;
  const grid = gridNamed(map);
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new Error(`a seed is a whole number from 0 to 2^32 - 1, not ${seed}`);
  const fight = startFight(grid, seed, bots.length);
  const header = headerOf(options, fight);
  return {
    header,
    fight,
    players: bots.map((bot, seat) => guarded(seat, -1, () => seatBot(bot, helloOf(header, seat)))),
    failed: bots.map(() => null),
    failures: bots.map(() => ({ inARow: 0, inAll: 0 })),
    tally: startMatchTally(header),
    ticks: [],
    trace: EMPTY_TRACE,
  };
}

function headerOf({ seed, bots, names, matchId }: MatchOptions, fight: Fight): ReplayHeader {
  return {
    match_id: matchId ?? "local-0",
    ladder_id: LOCAL,
    mode: LOCAL,
    started: STARTED,
    versions: VERSIONS,
    seed,
    deadlines: DEADLINES,
    map: { name: fight.grid.name, rows: fight.grid.rows },
    fighters: bots.map((bot, seat) => ({
      id: FIGHTER_IDS[seat]!,
      bot_id: `${LOCAL}-${seat + 1}`,
      name: names?.[seat] ?? (typeof bot === "string" ? bot : FIRST_NAMES[seat]!),
      version: LOCAL,
    })),
  };
}

function helloOf({ match_id, ladder_id, map, fighters }: ReplayHeader, seat: number) {
  const text = printHello({
    matchId: match_id,
    ladderId: ladder_id,
    mode: "practice",
    fighter: FIGHTER_IDS[seat]!,
    fighters,
    deadlines: DEADLINES,
    map: mapView(gridNamed(map.name)),
    rules: RULES,
  });
  return JSON.parse(text) as HelloMessage;
}

function guarded<T>(seat: number, tick: number, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new BotFailure(seat, tick, error);
  }
}

/** Asks every living fighter, plays the tick and records it. */
function playTick(match: Running): Tick {
  const { fight, ticks, tally } = match;
  const tick = ticks.length;
  const turns = match.players.map((_, seat) => ask(match, seat));
  for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
  step(fight);
  const state = stateHash(fight);
  match.trace = extendTrace(match.trace, state);
  const played: ReplayTick = {
    tick,
    turns,
    reply_ms: turns.map((turn) => (turn === null ? null : 0)),
    budget_ms: turns.map(() => DEADLINES.budget_ms),
    hash: hex8(state),
  };
  ticks.push(played);
  tallyMatchTick(tally, fight, played);
  return { tick, turns, hash: played.hash, fight };
}

function ask(match: Running, seat: number): RecordedTurn {
  const { header, fight, players, failed, failures, ticks } = match;
  if (fight.alive[seat] === 0) return null;
  const tick = ticks.length;
  const seen = seenBy(fight, seat, header.match_id, failed[seat]!);
  const read = guarded(seat, tick, () => readAnswer(tick, players[seat]!(seen)));
  const isFailed = isFailure(read);
  failed[seat] = isFailed ? read : null;
  const { inARow, inAll } = failures[seat]!;
  failures[seat] = isFailed ? { inARow: inARow + 1, inAll: inAll + 1 } : { inARow: 0, inAll };
  return isFailed ? { idle: read.reason } : read;
}

/**
 * The message before the next tick, printed and parsed so that it is exactly what a socket sends.
 */
export function seenBy(
  fight: Fight,
  seat: number,
  matchId: MatchId,
  failed: Failure | null,
): ObservationMessage {
  const seen = observe(fight, seat);
  const lastReply = seen.tick === 0 ? null : 0;
  const text = printObservation(matchId, seen, DEADLINES.budget_ms, lastReply, failed);
  return JSON.parse(text) as ObservationMessage;
}

/** How the match ends with the last tick, or null while it goes on. */
function verdictOf({ fight, failures, ticks }: Running): Verdict | null {
  const ending = outcome(fight);
  if (ending !== null) return ending;
  const isOut = disqualifiedSeats(failures, ticks.length, DEADLINES.failed_ticks_to_disqualify);
  const staying = [...failures.keys()].filter((seat) => fight.alive[seat] === 1 && !isOut[seat]);
  if (staying.length > 1) return null;
  const winner = staying.length === 1 ? staying[0]! : decideAtLimit(fight);
  return { winner, reason: "disqualification" };
}

function resultOf({ header, fight, ticks, trace, tally }: Running, verdict: Verdict): MatchResult {
  const { reason } = verdict;
  const winner = verdict.winner === null ? null : FIGHTER_IDS[verdict.winner]!;
  const result = { winner, reason, ticks: ticks.length, hash: hex8(traceHash(trace)) };
  const stats = matchStats(header, result, tally);
  if (stats === null) throw new Error("only a server's fault leaves no statistics");
  const replay = printReplay({ header, ticks, result }, mapView(fight.grid), RULES);
  return { winner, reason, ticks: ticks.length, stats, replay };
}
