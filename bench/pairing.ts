// How long a wave takes, and the exact matching in it. Each figure is shown with its ratio to the
// simplest possible rule (all pairs sorted by weight and taken greedily), and the share of the
// maximum weight that this rule would reach. `sending` is what a wave costs the thread that serves
// matches: packing up the waiting bots.

import { serialize } from "node:v8";

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { Graph } from "#core/graph-matching/graph.ts";
import { maximumWeightMatching } from "#core/graph-matching/matching.ts";
import { COMPETITIVE } from "#core/pairing/assessment.ts";
import { createField } from "#core/pairing/field.ts";
import { createMatchups, recordResults } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { pairGraph } from "#core/pairing/pairs.ts";
import { createDraw } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import type { Snapshot, Start, WaitingBot, WaveLimits } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { LIMITS as OPERATOR_LIMITS } from "#core/words/limits.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

/** Waiting bots, the share of pairs that have met, and rounds; the first third only warms up. */
const FIELDS = [
  { waiting: 100, met: 0.2, rounds: 240 },
  { waiting: 300, met: 0.07, rounds: 60 },
  { waiting: 1000, met: 0.02, rounds: 15 },
  { waiting: 3000, met: 0.007, rounds: 5 },
  { waiting: 300, met: 0.9, rounds: 60 },
  { waiting: 1000, met: 0.9, rounds: 12 },
];
const WARM_UP_SHARE = 1 / 3;

const LIMITS: WaveLimits = {
  ownerConcurrency: 40,
  matchIntervalSeconds: 0.3,
  houseStarts: Infinity,
};

type Timed = Record<"wave" | "weights" | "matching" | "sending" | "greedy", number[]>;

/** Prints means in milliseconds of processor time for queues of several sizes. */
export async function run(): Promise<void> {
  console.log(
    "means in ms of processor time; ratios to sorting all pairs and taking them greedily",
  );
  for (const field of FIELDS) measure(field);
}

function measure({ waiting, met, rounds }: (typeof FIELDS)[number]): void {
  const snapshot = snapshotOf(waiting, met, createDraw(waiting));
  const timed: Timed = { wave: [], weights: [], matching: [], sending: [], greedy: [] };
  const starts = startsFor(snapshot);
  let graph = graphOf(snapshot);
  let best = 0;
  let greedy = 0;
  for (let round = 0; round < rounds; round += 1) {
    timed.wave.push(timeOf(() => pairWave(snapshot, LIMITS, starts, round)));
    timed.weights.push(timeOf(() => (graph = graphOf(snapshot))));
    timed.matching.push(timeOf(() => (best = maximumWeightMatching(graph).weight)));
    timed.sending.push(timeOf(() => serialize(snapshot.bots)));
    timed.greedy.push(timeOf(() => (greedy = greedyWeight(graph))));
  }
  const allowed = (200 * graph.weight.length) / (waiting * (waiting - 1));
  console.log(
    `${waiting} waiting, ${allowed.toFixed(0)} % of the pairs allowed, ${(100 * met).toFixed(1)} % have met`,
  );
  const reference = meanOf(timed.greedy);
  for (const [name, times] of Object.entries(timed)) {
    const mean = meanOf(times);
    const ratio = (mean / reference).toFixed(2);
    console.log(`  ${name.padEnd(9)} ${mean.toFixed(2).padStart(9)}  ${ratio} of greedy`);
  }
  console.log(`  greedy reaches ${((100 * greedy) / best).toFixed(2)} % of the greatest weight`);
}

/** As many matches as possible. */
function startsFor({ bots }: Snapshot): Start[] {
  return Array.from({ length: bots.length / 2 }, (_, seed) => ({ matchId: `${seed}`, seed }));
}

function graphOf(snapshot: Snapshot): Graph {
  const field = createField(snapshot, snapshot.bots);
  return pairGraph(field, Int32Array.from(snapshot.bots.keys()), COMPETITIVE);
}

function greedyWeight({ vertices, from, to, weight }: Graph): number {
  const edges = Int32Array.from({ length: weight.length }, (_, edge) => edge);
  edges.sort((one, other) => weight[other]! - weight[one]!);
  const taken = new Uint8Array(vertices);
  let sum = 0;
  for (const edge of edges) {
    if (taken[from[edge]!] === 1 || taken[to[edge]!] === 1) continue;
    taken[from[edge]!] = taken[to[edge]!] = 1;
    sum += weight[edge]!;
  }
  return sum;
}

/** Milliseconds of this thread's own processor time: other load on the machine does not count. */
function timeOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Processor time is kept in coarse steps, so only sums of it are meaningful. */
function meanOf(times: readonly number[]): number {
  const warm = times.slice(Math.floor(times.length * WARM_UP_SHARE));
  return warm.reduce((sum, time) => sum + time, 0) / warm.length;
}

function snapshotOf(waiting: number, met: number, draw: Draw): Snapshot {
  const bots = Array.from({ length: waiting }, (_, place) => waitingBot(waiting, place, draw));
  const numbers = pairingNumbers(OPERATOR_LIMITS);
  const matchups = matchupsOf(bots, met, draw);
  return { bots, owners: new Map(), matchups, maps: MAP_NAMES, requested: [], numbers };
}

function waitingBot(waiting: number, place: number, draw: Draw): WaitingBot {
  const anyone = (): string => `bot${Math.floor(waiting * draw())}`;
  return {
    bot: `bot${place}`,
    owner: `owner${Math.floor((waiting / 2) * draw())}`,
    house: place < 4,
    version: `version${place}`,
    rating: 1500 + 430 * (draw() + draw() + draw() + draw() - 2),
    games: Math.floor(80 * draw()),
    formerRating: draw() < 0.2 ? 1500 : null,
    recentGames: Math.floor(60 * draw()),
    seatSurplus: 0,
    waitSeconds: draw() < 0.05 ? 20 + 60 * draw() : 20 * draw(),
    sinceStartSeconds: Infinity,
    lastOpponent: anyone(),
    sinceMeetingSeconds: new Map([[anyone(), 10 * draw()]]),
  };
}

/** A share of all pairs has met, a few times and on some maps. */
function matchupsOf(bots: readonly WaitingBot[], share: number, draw: Draw): Matchups {
  const matchups = createMatchups();
  for (const { version } of bots) {
    for (const { version: opponent } of bots) {
      if (version >= opponent || draw() >= share) continue;
      for (let meeting = 0; meeting < 3; meeting += 1) {
        const map = MAP_NAMES[Math.floor(MAP_NAMES.length * draw())]!;
        const wins = Math.floor(3 * draw());
        recordResults(matchups, { version, opponent, map, wins, draws: 0, losses: 2 - wins });
      }
    }
  }
  return matchups;
}
