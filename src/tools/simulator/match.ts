// A match between bots that answer synchronously, with the ladder's fight, referee and recording
// but without a clock.

import { createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { EMPTY_TRACE, extendTrace, hashToText, hashState, traceHash } from "#core/engine/hash.ts";
import type { Trace } from "#core/engine/hash.ts";
import { mapView } from "#core/engine/maps.ts";
import { createMatchStats, startMatchTally, tallyMatchTick } from "#core/engine/match-stats.ts";
import type { MatchTally } from "#core/engine/match-stats.ts";
import { observationFor } from "#core/engine/observe.ts";
import { winnerAtTickLimit, outcome } from "#core/engine/outcome.ts";
import { RULES } from "#core/engine/rules.ts";
import { disqualifiedSeats } from "#core/engine/server-stats.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type {
  EndReason,
  FighterId,
  MatchStats,
  RecordedTurn,
  ReplayHeader,
  ReplayTick,
} from "#core/engine/types.ts";
import type { MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";
import { printHello } from "#core/protocol/print-messages.ts";
import { printObservation } from "#core/protocol/print-observation.ts";
import { printReplay } from "#core/replay/print-replay.ts";

import { isFailure, readAnswer, seatBot } from "./bot.ts";
import type { SimulatorBot, TurnFailure, SimulatorPlayer } from "./bot.ts";
import { gridNamed } from "./map.ts";
import type { HelloMessage, ObservationMessage } from "./message.ts";
import { VERSIONS } from "./versions.ts";

/** The ladder's deadlines. Nothing is timed in the simulator: every reply takes 0 ms. */
const DEADLINES = matchDeadlines(DEFAULT_LIMITS);
export const LOCAL_ID = "local";
/** The same for every match, so that equal matches give equal replays. */
const FIXED_START = "1970-01-01T00:00:00.000Z";
const FIRST_NAMES = ["a", "b", "c", "d"];

export type MatchOptions = {
  /** Name of a map on the ladder. */
  map: string;
  /** Seed of the match's randomness, from 0 to 2^32 - 1. */
  seed: number;
  /** Two to four bots, in seat order. */
  bots: readonly SimulatorBot[];
  /** Fighter names in the replay. Default to the sparring partner's name, or a letter. */
  names?: readonly string[];
  /**
   * Sent as `match_id` in every message. Sparring partners also derive their randomness from it.
   */
  matchId?: MatchId;
};

export type Tick = {
  tick: number;
  /** By seat: a turn, `{idle: reason}` for a failed turn, or null for a fallen fighter. */
  turns: RecordedTurn[];
  /** Hash of the state after the tick, as in replays. */
  hash: string;
  /** The fight after the tick. It changes as the match continues, so clone it to keep it. */
  fight: Fight;
};

export type MatchResult = {
  winner: FighterId | null;
  reason: EndReason;
  ticks: number;
  stats: MatchStats;
  /** Content of the replay file. */
  replay: string;
};

/** A bot threw or isn't a bot, so the match can't continue. `cause` is what the bot threw. */
export class BotFailure extends Error {
  /** Index in `bots`. */
  readonly seat: number;
  /** The current tick; -1 if the bot failed at `hello`. */
  readonly tick: number;

  constructor(seat: number, tick: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the bot in seat ${FIGHTER_IDS[seat]} failed at tick ${tick}: ${reason}`, { cause });
    this.name = "BotFailure";
    this.seat = seat;
    this.tick = tick;
  }
}

/**
 * Plays a match to its end. The same bots, map, seed and id give the same match. An invalid answer
 * is a failed tick, and ten consecutive failed ticks lose the match, as on the ladder. Calls
 * `onTick` after each tick. Throws BotFailure if a bot throws, and an Error for invalid options.
 */
export function playMatch(options: MatchOptions, onTick?: (tick: Tick) => void): MatchResult {
  const ticks = playTicks(options);
  let nextTick = ticks.next();
  for (; nextTick.done !== true; nextTick = ticks.next()) onTick?.(nextTick.value);
  return nextTick.value;
}

/** Like `playMatch`, but yields each tick and returns the result. */
export function* playTicks(options: MatchOptions): Generator<Tick, MatchResult, undefined> {
  const match = createMatch(options);
  let verdict: SimulatedVerdict | null = null;
  while (verdict === null) {
    yield playTick(match);
    verdict = decideVerdict(match);
  }
  return createResult(match, verdict);
}

type SimulatedMatch = {
  readonly header: ReplayHeader;
  readonly fight: Fight;
  readonly players: readonly SimulatorPlayer[];
  readonly lastFailures: (TurnFailure | null)[];
  /** Failed ticks of each fighter: currently in a row, and in total. */
  readonly failureCounts: { consecutive: number; total: number }[];
  readonly tally: MatchTally;
  readonly ticks: ReplayTick[];
  trace: Trace;
};

type SimulatedVerdict = { winner: number | null; reason: EndReason };

function createMatch(options: MatchOptions): SimulatedMatch {
  const { map, seed, bots } = options;
  const grid = gridNamed(map);
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new Error(`a seed must be a whole number from 0 to 2^32 - 1, not ${seed}`);
  const fight = createFight(grid, seed, bots.length);
  const header = createHeader(options, fight);
  return {
    header,
    fight,
    players: bots.map((bot, seat) =>
      callBot(seat, -1, () => seatBot(bot, createHello(header, seat))),
    ),
    lastFailures: bots.map(() => null),
    failureCounts: bots.map(() => ({ consecutive: 0, total: 0 })),
    tally: startMatchTally(header),
    ticks: [],
    trace: EMPTY_TRACE,
  };
}

function createHeader({ seed, bots, names, matchId }: MatchOptions, fight: Fight): ReplayHeader {
  return {
    match_id: matchId ?? "local-0",
    ladder_id: LOCAL_ID,
    mode: LOCAL_ID,
    started: FIXED_START,
    versions: VERSIONS,
    seed,
    deadlines: DEADLINES,
    map: { name: fight.grid.name, rows: fight.grid.rows },
    fighters: bots.map((bot, seat) => ({
      id: FIGHTER_IDS[seat]!,
      bot_id: `${LOCAL_ID}-${seat + 1}`,
      name: names?.[seat] ?? (typeof bot === "string" ? bot : FIRST_NAMES[seat]!),
      version: LOCAL_ID,
    })),
  };
}

function createHello({ match_id, ladder_id, map, fighters }: ReplayHeader, seat: number) {
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

function callBot<T>(seat: number, tick: number, callback: () => T): T {
  try {
    return callback();
  } catch (error) {
    throw new BotFailure(seat, tick, error);
  }
}

function playTick(match: SimulatedMatch): Tick {
  const { fight, ticks, tally } = match;
  const tick = ticks.length;
  const turns = match.players.map((_, seat) => askBot(match, seat));
  for (const [seat, turn] of turns.entries()) setSeatTurn(fight, seat, turn);
  step(fight);
  const stateValue = hashState(fight);
  match.trace = extendTrace(match.trace, stateValue);
  const replayTick: ReplayTick = {
    tick,
    turns,
    reply_ms: turns.map((turn) => (turn === null ? null : 0)),
    budget_ms: turns.map(() => DEADLINES.budget_ms),
    hash: hashToText(stateValue),
  };
  ticks.push(replayTick);
  tallyMatchTick(tally, fight, replayTick);
  return { tick, turns, hash: replayTick.hash, fight };
}

function askBot(match: SimulatedMatch, seat: number): RecordedTurn {
  const { header, fight, players, lastFailures, failureCounts, ticks } = match;
  if (fight.alive[seat] === 0) return null;
  const tick = ticks.length;
  const observation = observationOf(fight, seat, header.match_id, lastFailures[seat]!);
  const answer = callBot(seat, tick, () => readAnswer(tick, players[seat]!(observation)));
  const isFailed = isFailure(answer);
  lastFailures[seat] = isFailed ? answer : null;
  const { consecutive, total } = failureCounts[seat]!;
  failureCounts[seat] = isFailed
    ? { consecutive: consecutive + 1, total: total + 1 }
    : { consecutive: 0, total };
  return isFailed ? { idle: answer.reason } : answer;
}

/**
 * Returns the next observation, serialised and parsed so that it equals what the socket would
 * deliver.
 */
export function observationOf(
  fight: Fight,
  seat: number,
  matchId: MatchId,
  lastFailures: TurnFailure | null,
): ObservationMessage {
  const observation = observationFor(fight, seat);
  const lastReply = observation.tick === 0 ? null : 0;
  const text = printObservation(matchId, observation, DEADLINES.budget_ms, lastReply, lastFailures);
  return JSON.parse(text) as ObservationMessage;
}

/** Returns how the match ended in the last tick; null if the match continues. */
function decideVerdict({ fight, failureCounts, ticks }: SimulatedMatch): SimulatedVerdict | null {
  const engineOutcome = outcome(fight);
  if (engineOutcome !== null) return engineOutcome;
  const disqualified = disqualifiedSeats(
    failureCounts,
    ticks.length,
    DEADLINES.failed_ticks_to_disqualify,
  );
  const remainingSeats = [...failureCounts.keys()].filter(
    (seat) => fight.alive[seat] === 1 && !disqualified[seat],
  );
  if (remainingSeats.length > 1) return null;
  const winner = remainingSeats.length === 1 ? remainingSeats[0]! : winnerAtTickLimit(fight);
  return { winner, reason: "disqualification" };
}

function createResult(
  { header, fight, ticks, trace, tally }: SimulatedMatch,
  verdict: SimulatedVerdict,
): MatchResult {
  const { reason } = verdict;
  const winner = verdict.winner === null ? null : FIGHTER_IDS[verdict.winner]!;
  const result = { winner, reason, ticks: ticks.length, hash: hashToText(traceHash(trace)) };
  const stats = createMatchStats(header, result, tally);
  if (stats === null) throw new Error("statistics are missing only after a server fault");
  const replay = printReplay({ header, ticks, result }, mapView(fight.grid), RULES);
  return { winner, reason, ticks: ticks.length, stats, replay };
}
