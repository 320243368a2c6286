// npm run bench ladders: what fifty small ladders cost, compared with a large one of as many bots.
// Both play in turn on the real arena, on virtual time. Only the processor time of two threads
// counts: the one that serves matches, and the matchmaker's.

import { bothOf } from "#base/units/sure.ts";
import { LIMITS } from "#core/words/limits.ts";
import { openMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { openLively } from "#testing/harness/lively-ladders.ts";
import type { LivelyOptions, LivelyWorld } from "#testing/harness/lively-ladders.ts";

import { median } from "./sockets/children.ts";
import { threadSeconds } from "./sockets/thread-time.ts";

type Load = {
  name: string;
  thoughts: LivelyOptions["thoughts"];
  /** Virtual seconds of a round. */
  seconds: number;
};

const LOADS: readonly Load[] = [
  { name: "matches of a second or two", thoughts: [50, 150], seconds: 12 },
  { name: "matches of one to five minutes", thoughts: [5000, 13_000], seconds: 120 },
];
/** In all; with the house on, four of each ladder are its own. */
const SESSIONS = 500;
const LADDERS = 50;
const HOUSE_SESSIONS = 4;
const ROUNDS = 7;
/** Of a fight. */
const EXCHANGES = [6, 29] as const;

/** Milliseconds of processor time. */
type Spent = { serving: number; matchmaker: number };
type Round = Spent & { games: number; waves: number };

export async function run(): Promise<void> {
  for (const house of [false, true]) for (const load of LOADS) await compare(load, house);
}

async function compare(load: Load, house: boolean): Promise<void> {
  const { seconds, name, thoughts } = load;
  const worlds = [await open(LADDERS, house, thoughts), await open(1, house, thoughts)];
  const rounds: Round[][] = [[], []];
  for (const world of worlds) await world.play(seconds);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0])
      rounds[place]!.push(await measure(worlds[place]!, seconds));
  for (const world of worlds) await world.close();
  console.log(`${name}, ${house ? "with" : "without"} the house`);
  printRounds(...bothOf(rounds));
}

type Counted = LivelyWorld & { games(): number };

async function open(ladders: number, house: boolean, thoughts: Load["thoughts"]): Promise<Counted> {
  let games = 0;
  const world = await openLively({
    seed: 1,
    ladders,
    players: SESSIONS / ladders - (house ? HOUSE_SESSIONS : 0),
    house,
    matchmaker: openMatchmaker(),
    exchanges: EXCHANGES,
    thoughts,
    watch: { started: () => {}, ended: () => void (games += 1), waited: () => {} },
  });
  return { ...world, games: () => games };
}

async function measure(world: Counted, seconds: number): Promise<Round> {
  const games = world.games();
  const before = spent();
  await world.play(seconds);
  const after = spent();
  return {
    serving: after.serving - before.serving,
    matchmaker: after.matchmaker - before.matchmaker,
    games: world.games() - games,
    waves: seconds / LIMITS.wave_every_s,
  };
}

/** Of both worlds; the one that does not play uses nothing. */
function spent(): Spent {
  const { user, system } = process.threadCpuUsage();
  const matchmaker = threadSeconds(process.pid)?.get("matchmaker") ?? NaN;
  return { serving: (user + system) / 1000, matchmaker: 1000 * matchmaker };
}

const THREADS: readonly [name: string, time: (spent: Spent) => number][] = [
  ["serving", ({ serving }) => serving],
  ["matchmaker", ({ matchmaker }) => matchmaker],
  ["both", ({ serving, matchmaker }) => serving + matchmaker],
];

function printRounds(many: readonly Round[], one: readonly Round[]): void {
  const games = (rounds: readonly Round[]) => median(rounds.map((round) => round.games));
  console.log(`  games in a round: ${games(many)} on ${LADDERS} ladders, ${games(one)} on one`);
  for (const unit of ["games", "waves"] as const)
    for (const [name, time] of THREADS) {
      const share = (round: Round) => time(round) / round[unit];
      const ratio = median(many.map((round, place) => share(round) / share(one[place]!)));
      const [manyMs, oneMs] = bothOf([many, one].map((rounds) => median(rounds.map(share))));
      const label = `${name}, ms for each of the ${unit}`.padEnd(38);
      console.log(
        `  ${label} ${manyMs.toFixed(3)} to ${oneMs.toFixed(3)}, ratio ${ratio.toFixed(2)}`,
      );
    }
}
