// Measures how long a wave takes, and how long the exact matching within it takes. Shows the ratio
// of each result to the simplest rule (sort all pairs by weight and take them greedily), and the
// share of the maximum weight that this rule reaches. `sending` is what a wave costs the thread
// that serves matches: serializing the waiting bots.

import { serialize } from "node:v8";

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { Graph } from "#core/graph-matching/graph.ts";
import { maximumWeightMatching } from "#core/graph-matching/matching.ts";
import { DEFAULT_LIMITS as OPERATOR_LIMITS } from "#core/limits/limits.ts";
import { COMPETITIVE_RULE } from "#core/pairing/assessment.ts";
import { createMatchups, recordResults } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createField } from "#core/pairing/pairing-field.ts";
import { pairGraph } from "#core/pairing/pairs.ts";
import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import type { QueueSnapshot, PlannedStart, WaitingBot, WaveLimits } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-parameters.ts";

/**
 * `waiting` is the number of bots per queue, `met` the share of pairs that have met, and `rounds`
 * the number of rounds. The first third of the rounds is a warm-up.
 */
const QUEUE_SIZES = [
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

type PairingTimes = Record<"wave" | "weights" | "matching" | "sending" | "greedy", number[]>;

export async function run(): Promise<void> {
  console.log("means in ms of CPU time; ratios to sorting all pairs and taking them greedily");
  for (const queueSize of QUEUE_SIZES) measure(queueSize);
}

function measure({
  waiting: waitingCount,
  met: metShare,
  rounds,
}: (typeof QUEUE_SIZES)[number]): void {
  const snapshot = snapshotOf(waitingCount, metShare, createRandomDraw(waitingCount));
  const times: PairingTimes = { wave: [], weights: [], matching: [], sending: [], greedy: [] };
  const starts = startsFor(snapshot);
  let graph = graphOf(snapshot);
  let bestWeight = 0;
  let greedyTotal = 0;
  for (let round = 0; round < rounds; round += 1) {
    times.wave.push(timeOf(() => pairWave(snapshot, LIMITS, starts, round)));
    times.weights.push(timeOf(() => (graph = graphOf(snapshot))));
    times.matching.push(timeOf(() => (bestWeight = maximumWeightMatching(graph).weight)));
    times.sending.push(timeOf(() => serialize(snapshot.bots)));
    times.greedy.push(timeOf(() => (greedyTotal = greedyWeight(graph))));
  }
  const allowedPercent = (200 * graph.weight.length) / (waitingCount * (waitingCount - 1));
  console.log(
    `${waitingCount} waiting, ${allowedPercent.toFixed(0)} % of the pairs allowed, ${(100 * metShare).toFixed(1)} % have met`,
  );
  const reference = meanOf(times.greedy);
  for (const [name, samples] of Object.entries(times)) {
    const mean = meanOf(samples);
    const ratio = (mean / reference).toFixed(2);
    console.log(`  ${name.padEnd(9)} ${mean.toFixed(2).padStart(9)}  ${ratio} of greedy`);
  }
  console.log(
    `  greedy reaches ${((100 * greedyTotal) / bestWeight).toFixed(2)} % of the maximum weight`,
  );
}

function startsFor({ bots }: QueueSnapshot): PlannedStart[] {
  return Array.from({ length: bots.length / 2 }, (_, seed) => ({ matchId: `${seed}`, seed }));
}

function graphOf(snapshot: QueueSnapshot): Graph {
  const pairingField = createField(snapshot, snapshot.bots);
  return pairGraph(pairingField, Int32Array.from(snapshot.bots.keys()), COMPETITIVE_RULE);
}

function greedyWeight({ vertices, from, to, weight }: Graph): number {
  const edges = Int32Array.from({ length: weight.length }, (_, edge) => edge);
  edges.sort((a, b) => weight[b]! - weight[a]!);
  const isMatched = new Uint8Array(vertices);
  let sum = 0;
  for (const edge of edges) {
    if (isMatched[from[edge]!] === 1 || isMatched[to[edge]!] === 1) continue;
    isMatched[from[edge]!] = isMatched[to[edge]!] = 1;
    sum += weight[edge]!;
  }
  return sum;
}

/** Returns this thread's CPU time in ms, so other load on the machine doesn't count. */
function timeOf(task: () => void): number {
  const start = process.threadCpuUsage();
  task();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The CPU clock has a coarse resolution, so only sums of many samples are meaningful. */
function meanOf(samples: readonly number[]): number {
  const measured = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  return measured.reduce((sum, time) => sum + time, 0) / measured.length;
}

function snapshotOf(waitingCount: number, metShare: number, draw: RandomDraw): QueueSnapshot {
  const bots = Array.from({ length: waitingCount }, (_, botNumber) =>
    waitingBot(waitingCount, botNumber, draw),
  );
  const numbers = pairingNumbers(OPERATOR_LIMITS);
  const matchups = matchupsOf(bots, metShare, draw);
  return { bots, owners: new Map(), matchups, maps: MAP_NAMES, requested: [], numbers };
}

function waitingBot(waitingCount: number, botNumber: number, draw: RandomDraw): WaitingBot {
  const randomBot = (): string => `bot${Math.floor(waitingCount * draw())}`;
  return {
    bot: `bot${botNumber}`,
    owner: `owner${Math.floor((waitingCount / 2) * draw())}`,
    house: botNumber < 4,
    version: `version${botNumber}`,
    rating: 1500 + 430 * (draw() + draw() + draw() + draw() - 2),
    games: Math.floor(80 * draw()),
    formerRating: draw() < 0.2 ? 1500 : null,
    recentGames: Math.floor(60 * draw()),
    seatSurplus: 0,
    waitSeconds: draw() < 0.05 ? 20 + 60 * draw() : 20 * draw(),
    sinceStartSeconds: Infinity,
    lastOpponent: randomBot(),
    sinceMeetingSeconds: new Map([[randomBot(), 10 * draw()]]),
  };
}

function matchupsOf(bots: readonly WaitingBot[], share: number, draw: RandomDraw): Matchups {
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
