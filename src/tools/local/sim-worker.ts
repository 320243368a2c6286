// One lane of a simulation on its own thread: it opens both bots and plays every nth game.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

import { systemClock } from "#base/clock/clock.ts";
import { sure } from "#base/units/sure.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import { planGames } from "#tools/simulator/plan.ts";
import type { PlannedGame, SeriesPlan } from "#tools/simulator/plan.ts";
import { resultOf } from "#tools/simulator/report.ts";
import type { GameResult } from "#tools/simulator/report.ts";

import { findContestant } from "./contestant.ts";
import type { Contestant } from "./contestant.ts";
import { watchFailures } from "./failed-turn.ts";
import type { FailedTurn } from "./failed-turn.ts";
import {
  ContestantFailure,
  STILL_CLOCK,
  localDeadlines,
  localSetup,
  playMatch,
  replayOfMatch,
  statsOfMatch,
} from "./local-match.ts";
import type { LocalMatch, Player } from "./local-match.ts";
import { replayBytes } from "./replay-file.ts";

export type SimPlan = SeriesPlan & {
  /** Time a program has for a turn, in ms. */
  tickMs: number;
  /** Folder for the replays; null keeps none. */
  save: string | null;
};

/** `programs` holds the process groups of the running programs, two per lane. */
export type LaneOrder = { plan: SimPlan; lane: number; lanes: number; programs: Int32Array };

/** The first tick of a lane in which a bot, 0 for A or 1 for B, made no valid turn. */
export type FirstFailure = { bot: number; game: PlannedGame; turn: FailedTurn };

/** `isUnusable`: a bot could not even be opened. */
export type LaneNews =
  | { type: "game"; result: GameResult }
  | { type: "failed"; failure: FirstFailure }
  | { type: "waiting"; message: string }
  | { type: "done" }
  | { type: "trouble"; isUnusable: boolean; message: string };

const { plan, lane, lanes, programs } = workerData as LaneOrder;

const tell = (news: LaneNews): void => parentPort?.postMessage(news, []);

const trouble = (isUnusable: boolean, message: string): LaneNews => {
  return { type: "trouble", isUnusable, message };
};

const failing = new Set<number>();

function noteFailure(bot: number, game: PlannedGame, turn: FailedTurn): void {
  if (failing.has(bot)) return;
  failing.add(bot);
  tell({ type: "failed", failure: { bot, game, turn } });
}

/** The last news ends the thread, so nothing may be running by then. */
async function run(): Promise<void> {
  const contestants = plan.bots.map(findContestant).filter((found) => "open" in found);
  const players: Player[] = [];
  const news = (await openAll(contestants, players)) ?? (await playAll(contestants, players));
  await Promise.all(players.map((player) => player.close()));
  tell(news);
}

/** Opens all bots at once, since each may wait for something. Null if all were opened. */
async function openAll(
  contestants: readonly Contestant[],
  players: Player[],
): Promise<LaneNews | null> {
  const announce = (message: string) => tell({ type: "waiting", message });
  const opening = contestants.map(async (contestant, bot) => {
    const place = contestants.length * lane + bot;
    const note = (group: number) => Atomics.store(programs, place, group);
    return contestant.open(note, announce).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      throw new Error(`${contestant.spec}: ${problem}`, { cause: error });
    });
  });
  try {
    players.push(...(await Promise.all(opening)));
    return null;
  } catch (error) {
    return trouble(true, (error as Error).message);
  }
}

async function playAll(
  contestants: readonly Contestant[],
  players: readonly Player[],
): Promise<LaneNews> {
  for (const game of planGames(plan).filter(({ number }) => number % lanes === lane)) {
    const problem = await play(game, contestants, players);
    if (problem !== null) return problem;
  }
  return { type: "done" };
}

/** Null, or how a bot broke in the game. */
async function play(
  game: PlannedGame,
  contestants: readonly Contestant[],
  players: readonly Player[],
): Promise<LaneNews | null> {
  const order = game.seatOfA === 0 ? [0, 1] : [1, 0];
  const seats = order.map((bot) => ({
    bot,
    contestant: sure(contestants[bot], "bot"),
    player: sure(players[bot], "player"),
  }));
  const isTimed = contestants.some(({ isInside }) => !isInside);
  const setup = setupOf(
    game,
    seats.map(({ contestant }) => contestant.name),
  );
  try {
    const watched = seats.map(({ bot, player }) =>
      watchFailures(player, (turn) => noteFailure(bot, game, turn)),
    );
    await Promise.all(watched.map(async (player) => player.whenReady?.()));
    const match = await playMatch(setup, watched, isTimed ? systemClock : STILL_CLOCK);
    refuseAbsence(match);
    await save(game, match);
    tell({ type: "game", result: resultOf(game, statsOfMatch(match), isTimed) });
    return null;
  } catch (error) {
    if (!(error instanceof ContestantFailure)) throw error;
    const { spec } = sure(seats[error.seat], "seat").contestant;
    const where = `game ${game.number} (${game.map}, seed ${game.seed}), tick ${error.tick}`;
    return trouble(false, `${where}: ${spec}: ${error.message}`);
  }
}

function setupOf({ matchId, map, seed }: PlannedGame, names: readonly string[]): MatchSetup {
  const deadlines = localDeadlines(plan.tickMs);
  return localSetup({ matchId, map, seed, names, deadlines, started: new Date(0).toISOString() });
}

/**
 * A bot that is not ready in time would lose every game. That is a mistake rather than a result.
 */
function refuseAbsence({ match, verdict }: LocalMatch): void {
  const { tick, setup } = match;
  if (tick > 0 || verdict.reason !== "forfeit") return;
  const absent = winnerOf(verdict) === 0 ? 1 : 0;
  const { startup_ms: limit } = setup.deadlines;
  throw new ContestantFailure(
    absent,
    0,
    `it did not answer hello with ready within ${limit / 1000} s`,
  );
}

async function save({ matchId }: PlannedGame, match: LocalMatch): Promise<void> {
  if (plan.save === null) return;
  const path = join(plan.save, `${matchId}.jsonl.gz`);
  await writeFile(path, replayBytes(path, replayOfMatch(match)));
}

void run();
