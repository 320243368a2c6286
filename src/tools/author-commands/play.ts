import { writeFile } from "node:fs/promises";

import { newSeed, systemClock } from "#base/clock/clock.ts";
import { assertDefined } from "#base/util/assert-defined.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type { Observation } from "#core/engine/types.ts";
import { endReasonText } from "#core/replay/end-reason-text.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { parseOneOf, parseWhole } from "#server/configuration/flag-values.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  printErrorLines,
  createCommand,
  runCommand,
  printLines,
} from "#tools/cli/command.ts";
import { BOT_HELP, findLocalBot } from "#tools/local-match/local-bot.ts";
import type { LocalBot } from "#tools/local-match/local-bot.ts";
import {
  LocalBotFailure,
  STOPPED_CLOCK,
  localDeadlines,
  localSetup,
  playLocalMatch,
  localMatchReplay,
  localMatchStats,
} from "#tools/local-match/local-match.ts";
import type { LocalMatch, Player } from "#tools/local-match/local-match.ts";
import { killGroupsOnExit } from "#tools/local-match/process-groups.ts";
import { encodeReplay } from "#tools/local-match/replay-file.ts";
import { BOARD_LEGEND } from "#tools/terminal/board.ts";
import { showScreen } from "#tools/terminal/keys.ts";
import type { FighterNames } from "#tools/terminal/match-screen.ts";
import { collectReplaySteps, formatReplayStep } from "#tools/terminal/replay-frames.ts";
import { createKeyInput, createLineInput } from "#tools/terminal/turn-input.ts";
import type { TurnInput } from "#tools/terminal/turn-input.ts";

const MAX_SEED = 2 ** 32 - 1;
const PERSON_NAME = "you";
const SEATS = ["A", "B"] as const;

type Flags = {
  against: string;
  map?: string;
  seed?: number;
  seat: (typeof SEATS)[number];
  save?: string;
  json?: true;
};

const NOTES = `${BOT_HELP}\n\nOn a terminal, the screen explains the keys, and there is no time limit. Otherwise each line of\nthe input is a turn as JSON, such as {"move":"e","attack":{"name":"bolt","target":"ne"}}.\nAn empty line makes the fighter wait, and the end of the input forfeits the match. With --json,\nthe output is hello, each observation and end, as on the bot socket.\nExit codes: 0 match played, 1 the bot failed, 2 invalid arguments.`;

export async function runPlay(args: readonly string[]): Promise<void> {
  const command = createCommand("play", "Play against a bot, turn by turn.")
    .option("--against <BOT>", "opponent", "kiter")
    .option("--map <NAME>", "map to play on (default: chosen by the seed)", parseOneOf(MAP_NAMES))
    .option(
      "--seed <S>",
      "seed of start tiles and pickups (default: random)",
      parseWhole(0, MAX_SEED),
    )
    .option("--seat <SEAT>", "your fighter, A or B", parseOneOf(SEATS), "A")
    .option("--save <FILE>", "save the replay (.jsonl or .jsonl.gz)")
    .option("--json", "print protocol messages instead of maps")
    .addHelpText("after", NOTES)
    .action(playAgainst);
  await runCommand(command, args);
}

async function playAgainst(flags: Flags): Promise<void> {
  const opponent = findLocalBot(flags.against);
  if ("error" in opponent) throw new CommandFailure(`${opponent.error}.`, EXIT_USAGE);
  const setup = createSetup(flags, opponent);
  const opponentPlayer = await openOpponent(opponent);
  const names = Object.fromEntries(setup.fighters.map(({ id, name }) => [id, name]));
  const isJson = flags.json === true;
  const turnInput = openTurnInput(setup.grid, names, isJson);
  const humanPlayer = createHumanPlayer(turnInput, isJson);
  try {
    const players =
      flags.seat === "A" ? [humanPlayer, opponentPlayer] : [opponentPlayer, humanPlayer];
    const match = await playLocalMatch(setup, players, STOPPED_CLOCK);
    if (!isJson) printResult(match, flags.seat);
    if (flags.save !== undefined) await save(flags.save, match, isJson);
  } catch (error) {
    if (!(error instanceof LocalBotFailure)) throw error;
    throw new CommandFailure(`tick ${error.tick}: ${opponent.spec}: ${error.message}`, EXIT_FAILED);
  } finally {
    turnInput.close();
    await opponentPlayer.close();
  }
}

function createSetup({ map, seat, seed = newSeed() }: Flags, { name }: LocalBot): MatchSetup {
  return localSetup({
    matchId: `play-${seed}`,
    map: map ?? assertDefined(MAP_NAMES[seed % MAP_NAMES.length], "map"),
    seed,
    started: systemClock.wall().toISOString(),
    deadlines: localDeadlines(),
    names: seat === "A" ? [PERSON_NAME, name] : [name, PERSON_NAME],
  });
}

async function openOpponent(opponent: LocalBot): Promise<Player> {
  const processGroups = new Int32Array(1);
  // A bot in this process may block the event loop. Therefore, only the default signal handler can
  // end it.
  if (!opponent.runsInProcess) killGroupsOnExit(processGroups);
  try {
    const announce = (line: string) => printErrorLines(`bout play: ${line}`);
    return await opponent.open((processGroup) => (processGroups[0] = processGroup), announce);
  } catch (error) {
    throw new CommandFailure(`${opponent.spec}: ${(error as Error).message}.`, EXIT_USAGE);
  }
}

function openTurnInput(grid: MatchSetup["grid"], names: FighterNames, isJson: boolean): TurnInput {
  if (process.stdin.isTTY && process.stdout.isTTY && !isJson) return createKeyInput(grid, names);
  if (isJson) return createLineInput(grid, names, () => {});
  console.log(`${BOARD_LEGEND}\n`);
  return createLineInput(grid, names, (lines) => console.log(`${lines.join("\n")}\n`));
}

function createHumanPlayer(turnInput: TurnInput, isJson: boolean): Player {
  return {
    handleMessage: (text, wire) => {
      const message = JSON.parse(text) as { type: string };
      if (isJson) printLines([text]);
      if (message.type === "hello") wire.send('{"type":"ready"}');
      if (message.type !== "observation") return;
      const sendTurn = (turn: string | null) => (turn === null ? wire.forfeit() : wire.send(turn));
      turnInput.readTurn(message as unknown as Observation).then(sendTurn, (error: unknown) => {
        wire.abort(String(error));
      });
    },
    close: async () => {},
  };
}

function printResult(match: LocalMatch, seat: Flags["seat"]): void {
  const replay = parseReplay(localMatchReplay(match));
  if ("error" in replay) throw new Error(replay.error);
  const names = replay.header.fighters.map(({ name }) => name);
  const lastFrame = collectReplaySteps(replay).at(-1);
  const lines = lastFrame === undefined ? [] : formatReplayStep(lastFrame, names);
  if (process.stdin.isTTY && process.stdout.isTTY) showScreen(lines);
  else console.log(lines.join("\n"));
  const { ticks, reason } = replay.result;
  const [ownSeat, opponentSeat] = seat === "A" ? [0, 1] : [1, 0];
  const hp = (localMatchStats(match)?.fighters ?? []).map((fighter) => fighter.hp);
  printLines([
    "",
    `${describeOutcome(match.verdict, seat)} after ${ticks} ${ticks === 1 ? "tick" : "ticks"} (${reason}: ${endReasonText(reason)}), ` +
      `${hp[ownSeat]} hp to ${hp[opponentSeat]}.`,
  ]);
}

function describeOutcome(verdict: Verdict, seat: Flags["seat"]): string {
  const winner = winnerOf(verdict);
  if (winner === null) return "A draw";
  return FIGHTER_IDS[winner] === seat ? "You win" : "You lose";
}

async function save(path: string, match: LocalMatch, isJson: boolean): Promise<void> {
  try {
    await writeFile(path, encodeReplay(path, localMatchReplay(match)));
  } catch (error) {
    throw new CommandFailure(`${path}: ${(error as Error).message}`, EXIT_FAILED);
  }
  if (!isJson) printLines([`Replay saved in ${path}. To view it, run: bout replay ${path}`]);
}
