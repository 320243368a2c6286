// npm run bench ladders: compares the cost of fifty small ladders with the cost of one large ladder
// that has the same number of bots. Both run alternately on the real arena, in virtual time. Counts
// the CPU time of the thread that serves matches and of the matchmaker thread.

import { firstTwo } from "#base/util/assert-defined.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { openMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { startBusyLadders } from "#testing/harness/busy-ladders.ts";
import type { BusyLaddersOptions, BusyLadders } from "#testing/harness/busy-ladders.ts";

import { middleValue } from "./sockets/children.ts";
import { threadSeconds } from "./sockets/thread-time.ts";

type LadderLoad = {
  name: string;
  thinkMsRange: BusyLaddersOptions["thinkTimeRange"];
  seconds: number;
};

const LADDER_LOADS: readonly LadderLoad[] = [
  { name: "matches of one to two seconds", thinkMsRange: [50, 150], seconds: 12 },
  { name: "matches of one to five minutes", thinkMsRange: [5000, 13_000], seconds: 120 },
];
/** Total number of bots. If house bots play, includes four of them per ladder. */
const SESSIONS = 500;
const LADDERS = 50;
const HOUSE_SESSIONS = 4;
const ROUNDS = 7;
const EXCHANGES = [6, 29] as const;

/** CPU time in milliseconds. */
type CpuTimes = { serving: number; matchmaker: number };
type Round = CpuTimes & { games: number; waves: number };

export async function run(): Promise<void> {
  for (const house of [false, true])
    for (const ladderLoad of LADDER_LOADS) await compareLadders(ladderLoad, house);
}

async function compareLadders(ladderLoad: LadderLoad, house: boolean): Promise<void> {
  const { seconds, name, thinkMsRange } = ladderLoad;
  const simulations = [
    await openSimulation(LADDERS, house, thinkMsRange),
    await openSimulation(1, house, thinkMsRange),
  ];
  const rounds: Round[][] = [[], []];
  for (const simulation of simulations) await simulation.run(seconds);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const worldIndex of round % 2 === 0 ? [0, 1] : [1, 0])
      rounds[worldIndex]!.push(await measureRound(simulations[worldIndex]!, seconds));
  for (const simulation of simulations) await simulation.close();
  console.log(`${name}, ${house ? "with" : "without"} house bots`);
  printRounds(...firstTwo(rounds));
}

type CountedSimulation = BusyLadders & { games(): number };

async function openSimulation(
  ladders: number,
  house: boolean,
  thinkMsRange: LadderLoad["thinkMsRange"],
): Promise<CountedSimulation> {
  let games = 0;
  const simulation = await startBusyLadders({
    seed: 1,
    ladders,
    players: SESSIONS / ladders - (house ? HOUSE_SESSIONS : 0),
    house,
    matchmaker: openMatchmaker(),
    exchangeRange: EXCHANGES,
    thinkTimeRange: thinkMsRange,
    watch: { onStarted: () => {}, onEnded: () => void (games += 1), onWaited: () => {} },
  });
  return { ...simulation, games: () => games };
}

async function measureRound(simulation: CountedSimulation, seconds: number): Promise<Round> {
  const games = simulation.games();
  const before = readCpuTimes();
  await simulation.run(seconds);
  const after = readCpuTimes();
  return {
    serving: after.serving - before.serving,
    matchmaker: after.matchmaker - before.matchmaker,
    games: simulation.games() - games,
    waves: seconds / DEFAULT_LIMITS.wave_every_s,
  };
}

/** Returns the CPU time of both simulations. Only one runs at a time; the other uses no CPU. */
function readCpuTimes(): CpuTimes {
  const { user, system } = process.threadCpuUsage();
  const matchmaker = threadSeconds(process.pid)?.get("matchmaker") ?? NaN;
  return { serving: (user + system) / 1000, matchmaker: 1000 * matchmaker };
}

const THREADS: readonly [name: string, time: (spent: CpuTimes) => number][] = [
  ["serving", ({ serving }) => serving],
  ["matchmaker", ({ matchmaker }) => matchmaker],
  ["both", ({ serving, matchmaker }) => serving + matchmaker],
];

function printRounds(manyLadders: readonly Round[], oneLadder: readonly Round[]): void {
  const medianGames = (rounds: readonly Round[]) => middleValue(rounds.map((round) => round.games));
  console.log(
    `  matches per round: ${medianGames(manyLadders)} on ${LADDERS} ladders, ${medianGames(oneLadder)} on one`,
  );
  for (const unit of ["games", "waves"] as const)
    for (const [name, time] of THREADS) {
      const costPerUnit = (round: Round) => time(round) / round[unit];
      const ratio = middleValue(
        manyLadders.map(
          (round, worldIndex) => costPerUnit(round) / costPerUnit(oneLadder[worldIndex]!),
        ),
      );
      const [manyLaddersMs, oneLadderMs] = firstTwo(
        [manyLadders, oneLadder].map((rounds) => middleValue(rounds.map(costPerUnit))),
      );
      const label = `${name}, ms for each of the ${unit}`.padEnd(38);
      console.log(
        `  ${label} ${manyLaddersMs.toFixed(3)} to ${oneLadderMs.toFixed(3)}, ratio ${ratio.toFixed(2)}`,
      );
    }
}
