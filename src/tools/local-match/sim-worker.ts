// Worker thread of a simulation. Opens both bots and plays every nth match.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

import { systemClock } from "#base/clock/clock.ts";
import { assertDefined } from "#base/util/assert-defined.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import { planGames } from "#tools/simulator/plan.ts";
import type { PlannedGame, SeriesPlan } from "#tools/simulator/plan.ts";
import { createGameResult } from "#tools/simulator/report.ts";
import type { GameResult } from "#tools/simulator/report.ts";

import { withFailureListener } from "./failed-turn.ts";
import type { FailedTurn } from "./failed-turn.ts";
import { findLocalBot } from "./local-bot.ts";
import type { LocalBot } from "./local-bot.ts";
import {
  LocalBotFailure,
  STOPPED_CLOCK,
  localDeadlines,
  localSetup,
  playLocalMatch,
  localMatchReplay,
  localMatchStats,
} from "./local-match.ts";
import type { LocalMatch, Player } from "./local-match.ts";
import { encodeReplay } from "./replay-file.ts";

export type SimPlan = SeriesPlan & {
  /** Time limit per turn for a program, in ms. */
  tickMs: number;
  /** Folder for replays, or null to save none. */
  save: string | null;
};

/** `processGroups` holds the process groups of running programs, two per worker. */
export type SimWorkerOrder = {
  plan: SimPlan;
  workerIndex: number;
  workerCount: number;
  processGroups: Int32Array;
};

/** `bot` is 0 for A and 1 for B. `turn` is the bot's first invalid turn. */
export type FirstFailure = { bot: number; game: PlannedGame; turn: FailedTurn };

export type SimWorkerMessage =
  | { type: "game"; result: GameResult }
  | { type: "failed"; failure: FirstFailure }
  | { type: "waiting"; message: string }
  | { type: "done" }
  | { type: "trouble"; isUnusable: boolean; message: string };

const { plan, workerIndex, workerCount, processGroups } = workerData as SimWorkerOrder;

const sendToParent = (outgoingMessage: SimWorkerMessage): void =>
  parentPort?.postMessage(outgoingMessage, []);

const createFailureMessage = (isUnusable: boolean, message: string): SimWorkerMessage => {
  return { type: "trouble", isUnusable, message };
};

const failedBots = new Set<number>();

function reportFirstFailure(bot: number, game: PlannedGame, turn: FailedTurn): void {
  if (failedBots.has(bot)) return;
  failedBots.add(bot);
  sendToParent({ type: "failed", failure: { bot, game, turn } });
}

/** The last message ends the thread, so no program may be running by then. */
async function runWorkerOrder(): Promise<void> {
  const localBots = plan.bots.map(findLocalBot).filter((findResult) => "open" in findResult);
  const players: Player[] = [];
  const outgoingMessage =
    (await openAllBots(localBots, players)) ?? (await playGames(localBots, players));
  await Promise.all(players.map((player) => player.close()));
  sendToParent(outgoingMessage);
}

/**
 * Opens bots in parallel, since each may wait for a connection. Returns null if all were opened.
 */
async function openAllBots(
  localBots: readonly LocalBot[],
  players: Player[],
): Promise<SimWorkerMessage | null> {
  const announce = (message: string) => sendToParent({ type: "waiting", message });
  const pendingPlayers = localBots.map(async (localBot, bot) => {
    const groupIndex = localBots.length * workerIndex + bot;
    const onProcessGroup = (processGroup: number) =>
      Atomics.store(processGroups, groupIndex, processGroup);
    return localBot.open(onProcessGroup, announce).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      throw new Error(`${localBot.spec}: ${problem}`, { cause: error });
    });
  });
  try {
    players.push(...(await Promise.all(pendingPlayers)));
    return null;
  } catch (error) {
    return createFailureMessage(true, (error as Error).message);
  }
}

async function playGames(
  localBots: readonly LocalBot[],
  players: readonly Player[],
): Promise<SimWorkerMessage> {
  for (const game of planGames(plan).filter(({ number }) => number % workerCount === workerIndex)) {
    const problem = await playOneGame(game, localBots, players);
    if (problem !== null) return problem;
  }
  return { type: "done" };
}

async function playOneGame(
  game: PlannedGame,
  localBots: readonly LocalBot[],
  players: readonly Player[],
): Promise<SimWorkerMessage | null> {
  const botOrder = game.seatOfA === 0 ? [0, 1] : [1, 0];
  const seats = botOrder.map((bot) => ({
    bot,
    contestant: assertDefined(localBots[bot], "bot"),
    player: assertDefined(players[bot], "player"),
  }));
  const isTimed = localBots.some(({ runsInProcess }) => !runsInProcess);
  const setup = createSetup(
    game,
    seats.map(({ contestant: localBot }) => localBot.name),
  );
  try {
    const observedPlayers = seats.map(({ bot, player }) =>
      withFailureListener(player, (turn) => reportFirstFailure(bot, game, turn)),
    );
    await Promise.all(observedPlayers.map(async (player) => player.whenReady?.()));
    const match = await playLocalMatch(
      setup,
      observedPlayers,
      isTimed ? systemClock : STOPPED_CLOCK,
    );
    assertBotAnswered(match);
    await save(game, match);
    sendToParent({ type: "game", result: createGameResult(game, localMatchStats(match), isTimed) });
    return null;
  } catch (error) {
    if (!(error instanceof LocalBotFailure)) throw error;
    const { spec } = assertDefined(seats[error.seat], "seat").contestant;
    const location = `game ${game.number} (${game.map}, seed ${game.seed}), tick ${error.tick}`;
    return createFailureMessage(false, `${location}: ${spec}: ${error.message}`);
  }
}

function createSetup({ matchId, map, seed }: PlannedGame, names: readonly string[]): MatchSetup {
  const deadlines = localDeadlines(plan.tickMs);
  return localSetup({ matchId, map, seed, names, deadlines, started: new Date(0).toISOString() });
}

/** A bot that isn't ready in time would lose every match, so it is reported as an error. */
function assertBotAnswered({ match, verdict }: LocalMatch): void {
  const { tick, setup } = match;
  if (tick > 0 || verdict.reason !== "forfeit") return;
  const absentSeat = winnerOf(verdict) === 0 ? 1 : 0;
  const { startup_ms: limit } = setup.deadlines;
  throw new LocalBotFailure(
    absentSeat,
    0,
    `the bot did not answer hello with ready within ${limit / 1000} s`,
  );
}

async function save({ matchId }: PlannedGame, match: LocalMatch): Promise<void> {
  if (plan.save === null) return;
  const path = join(plan.save, `${matchId}.jsonl.gz`);
  await writeFile(path, encodeReplay(path, localMatchReplay(match)));
}

void runWorkerOrder();
