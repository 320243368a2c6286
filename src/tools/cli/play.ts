// `bout play`: a person in a seat of a local match, against any bot.

import { writeFile } from "node:fs/promises";

import { newSeed, systemClock } from "#base/clock/clock.ts";
import { sure } from "#base/units/sure.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import type { Observation } from "#core/engine/types.ts";
import { endWords } from "#core/replay/end-words.ts";
import { parseReplay } from "#core/replay/replay.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { oneOf, whole } from "#server/configuration/flag-values.ts";
import { BOT_HELP, findContestant } from "#tools/local/contestant.ts";
import type { Contestant } from "#tools/local/contestant.ts";
import {
  ContestantFailure,
  STILL_CLOCK,
  localDeadlines,
  localSetup,
  playMatch,
  replayOfMatch,
  statsOfMatch,
} from "#tools/local/local-match.ts";
import type { LocalMatch, Player } from "#tools/local/local-match.ts";
import { endWithProcess } from "#tools/local/programs.ts";
import { replayBytes } from "#tools/local/replay-file.ts";
import { LEGEND } from "#tools/terminal/board.ts";
import { framesOf, printFrame } from "#tools/terminal/frames.ts";
import { showScreen } from "#tools/terminal/keys.ts";
import type { FighterNames } from "#tools/terminal/play-screen.ts";
import { keyTable, lineTable } from "#tools/terminal/play-table.ts";
import type { Table } from "#tools/terminal/play-table.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  complain,
  newCommand,
  runCommand,
  say,
} from "./command.ts";

const MOST_SEED = 2 ** 32 - 1;
const PERSON = "you";
const SEATS = ["A", "B"] as const;

type Flags = {
  against: string;
  map?: string;
  seed?: number;
  seat: (typeof SEATS)[number];
  save?: string;
  json?: true;
};

const NOTES = `${BOT_HELP}

On a terminal the keys are explained on the screen, and nothing is timed. Otherwise every line of
the input is the JSON of one turn, such as {"move":"e","attack":{"name":"bolt","target":"ne"}};
an empty line waits, and the end of the input gives the match up. With --json the output is hello,
every observation and end, as on the bot socket.
Exit codes: 0 the match was played, 1 the bot broke, 2 the call is wrong.`;

export async function runPlay(args: readonly string[]): Promise<void> {
  const command = newCommand("play", "Fight a bot yourself, turn by turn.")
    .option("--against <BOT>", "your opponent", "kiter")
    .option("--map <NAME>", "the map (default: chosen by the seed)", oneOf(MAP_NAMES))
    .option("--seed <S>", "seed of spawn tiles and pickups (default: random)", whole(0, MOST_SEED))
    .option("--seat <SEAT>", "your fighter, A or B", oneOf(SEATS), "A")
    .option("--save <FILE>", "keep the replay (.jsonl or .jsonl.gz)")
    .option("--json", "lines of JSON out as well as in")
    .addHelpText("after", NOTES)
    .action(fight);
  await runCommand(command, args);
}

async function fight(flags: Flags): Promise<void> {
  const opponent = findContestant(flags.against);
  if ("error" in opponent) throw new CommandFailure(`${opponent.error}.`, EXIT_USAGE);
  const setup = setupOf(flags, opponent);
  const rival = await open(opponent);
  const names = Object.fromEntries(setup.fighters.map(({ id, name }) => [id, name]));
  const isJson = flags.json === true;
  const table = openTable(setup.grid, names, isJson);
  const person = personAt(table, isJson);
  try {
    const players = flags.seat === "A" ? [person, rival] : [rival, person];
    const match = await playMatch(setup, players, STILL_CLOCK);
    if (!isJson) showEnd(match, flags.seat);
    if (flags.save !== undefined) await save(flags.save, match, isJson);
  } catch (error) {
    if (!(error instanceof ContestantFailure)) throw error;
    throw new CommandFailure(`tick ${error.tick}: ${opponent.spec}: ${error.message}`, EXIT_FAILED);
  } finally {
    table.close();
    await rival.close();
  }
}

function setupOf({ map, seat, seed = newSeed() }: Flags, { name }: Contestant): MatchSetup {
  return localSetup({
    matchId: `play-${seed}`,
    map: map ?? sure(MAP_NAMES[seed % MAP_NAMES.length], "map"),
    seed,
    started: systemClock.wall().toISOString(),
    deadlines: localDeadlines(),
    names: seat === "A" ? [PERSON, name] : [name, PERSON],
  });
}

async function open(opponent: Contestant): Promise<Player> {
  const programs = new Int32Array(1);
  // A module that never answers is ended by the signal itself.
  if (!opponent.isInside) endWithProcess(programs);
  try {
    const announce = (line: string) => complain(`bout play: ${line}`);
    return await opponent.open((group) => (programs[0] = group), announce);
  } catch (error) {
    throw new CommandFailure(`${opponent.spec}: ${(error as Error).message}.`, EXIT_USAGE);
  }
}

function openTable(grid: MatchSetup["grid"], names: FighterNames, isJson: boolean): Table {
  if (process.stdin.isTTY && process.stdout.isTTY && !isJson) return keyTable(grid, names);
  if (isJson) return lineTable(grid, names, () => {});
  console.log(`${LEGEND}\n`);
  return lineTable(grid, names, (lines) => console.log(`${lines.join("\n")}\n`));
}

function personAt(table: Table, isJson: boolean): Player {
  return {
    hear: (text, wire) => {
      const message = JSON.parse(text) as { type: string };
      if (isJson) say([text]);
      if (message.type === "hello") wire.say('{"type":"ready"}');
      if (message.type !== "observation") return;
      const answer = (turn: string | null) => (turn === null ? wire.leave() : wire.say(turn));
      table.ask(message as unknown as Observation).then(answer, (error: unknown) => {
        wire.fail(String(error));
      });
    },
    close: async () => {},
  };
}

/** What the last tick led to, for both sides, and who won. */
function showEnd(match: LocalMatch, seat: Flags["seat"]): void {
  const replay = parseReplay(replayOfMatch(match));
  if ("error" in replay) throw new Error(replay.error);
  const names = replay.header.fighters.map(({ name }) => name);
  const last = framesOf(replay).at(-1);
  const lines = last === undefined ? [] : printFrame(last, names);
  if (process.stdin.isTTY && process.stdout.isTTY) showScreen(lines);
  else console.log(lines.join("\n"));
  const { ticks, reason } = replay.result;
  const [mine, theirs] = seat === "A" ? [0, 1] : [1, 0];
  const hp = (statsOfMatch(match)?.fighters ?? []).map((fighter) => fighter.hp);
  say([
    "",
    `${outcomeWords(match.verdict, seat)} after ${ticks} ${ticks === 1 ? "tick" : "ticks"} (${reason}: ${endWords(reason)}), ` +
      `${hp[mine]} hp to ${hp[theirs]}.`,
  ]);
}

function outcomeWords(verdict: Verdict, seat: Flags["seat"]): string {
  const winner = winnerOf(verdict);
  if (winner === null) return "A draw";
  return FIGHTER_IDS[winner] === seat ? "You win" : "You lose";
}

async function save(path: string, match: LocalMatch, isJson: boolean): Promise<void> {
  try {
    await writeFile(path, replayBytes(path, replayOfMatch(match)));
  } catch (error) {
    throw new CommandFailure(`${path}: ${(error as Error).message}`, EXIT_FAILED);
  }
  if (!isJson) say([`The replay is in ${path}: bout replay ${path}`]);
}
