import { maximumWeightMatching } from "#core/graph-matching/matching.ts";

import { ADDITION_RULE, COMPETITIVE_RULE, REQUESTED_RULE, RESERVED_RULE } from "./assessment.ts";
import type { PairingRule } from "./assessment.ts";
import { createField, ratingWindow } from "./pairing-field.ts";
import type { PairingField } from "./pairing-field.ts";
import { assessPair, toPairChoice, findHeaviestPair, pairGraph, findPartner } from "./pairs.ts";
import type { PairChoice } from "./pairs.ts";
import { createRandomDraw, shuffle } from "./random.ts";
import { selectReadyBots, limitHouseBots } from "./rules.ts";
import { leastPlayedMaps, pickMapBySeed, assignSeats } from "./seating.ts";
import type { PlannedPairing, QueueSnapshot, PlannedStart, WaveLimits } from "./types.ts";
import { termsOf, weightOf } from "./weight.ts";

/** One in this many starts is reserved for under-tested version pairs. */
const STARTS_PER_DISCOVERY = 7;
const ALL_RULES = [COMPETITIVE_RULE, ADDITION_RULE, RESERVED_RULE];

/**
 * Returns the matches to start now. Takes requested pairs first, then reserved discovery pairs,
 * then the maximum weight matching of competitive pairs, and finally discovery pairs among the
 * leftover bots. If there are more pairs than starts, requested pairs come first, then reserved
 * pairs, then the pairs with the longest priority wait, then the heavier pairs. All other
 * randomness comes from `seed`, so the same arguments give the same pairings.
 * @throws RangeError if there is no map to play on.
 */
export function pairWave(
  snapshot: QueueSnapshot,
  limits: WaveLimits,
  starts: readonly PlannedStart[],
  seed: number,
): PlannedPairing[] {
  if (snapshot.maps.length === 0) throw new RangeError("there is no map to play on");
  if (starts.length === 0) return [];
  const draw = createRandomDraw(seed);
  const readyList = shuffle(selectReadyBots(snapshot, limits), draw);
  const field = createField(snapshot, limitHouseBots(snapshot, readyList, limits));
  const takenBots = new Uint8Array(field.bots.length);
  const requestedPairs = takeRequested(field, takenBots, snapshot.requested);
  const requestedBots = takenBots.slice();
  const competitiveCount = Math.min(
    starts.length - requestedPairs.length,
    countCompetitiveStarts(field, requestedBots),
  );
  const reservedPairs = reservePairs(
    field,
    takenBots,
    Math.floor(competitiveCount / STARTS_PER_DISCOVERY + draw()),
  );
  const matchedPairs = matchPairs(field, takenBots, COMPETITIVE_RULE);
  const additionPairs = matchPairs(field, takenBots, ADDITION_RULE);
  const unrequestedPairs = [
    ...reservedPairs,
    ...sortByWait(field, [...matchedPairs, ...additionPairs]),
  ];
  const claims = [
    ...requestedPairs.map((choice) => longestWaitOf(field, choice)),
    ...waitClaims(field, unrequestedPairs, requestedBots),
  ];
  return [...requestedPairs, ...unrequestedPairs].slice(0, starts.length).map((choice, index) => ({
    ...toPairing(snapshot, field, choice, starts[index]!),
    claimSeconds: claims[index]!,
  }));
}

/**
 * Returns the waits with which the pairs compete for capacity, longest first. The first is the wait
 * of the longest-waiting bot that could be paired. Excludes requested bots, even those taken
 * without a match.
 */
function waitClaims(
  field: PairingField,
  chosenPairs: readonly PairChoice[],
  requestedBots: Uint8Array,
): number[] {
  const waits = chosenPairs.map((choice) => longestWaitOf(field, choice));
  return [longestWait(field, requestedBots), ...waits.sort((a, b) => b - a).slice(1)];
}

const longestWaitOf = (field: PairingField, { a, b }: PairChoice): number =>
  Math.max(waitPriority(field, a), waitPriority(field, b));

const waitPriority = ({ bots, waitSeconds }: PairingField, index: number): number =>
  bots[index]!.house ? 0 : waitSeconds[index]!;

function longestWait(field: PairingField, requestedBots: Uint8Array): number {
  const longestFirst = Array.from(field.bots.keys()).sort(
    (a, b) => waitPriority(field, b) - waitPriority(field, a),
  );
  const canBePaired = (a: number) =>
    requestedBots[a] === 0 &&
    ALL_RULES.some((rule) => findPartner(field, a, requestedBots, rule) !== null);
  const longestIndex = longestFirst.find(canBePaired);
  return longestIndex === undefined ? 0 : waitPriority(field, longestIndex);
}

function markTaken(takenBots: Uint8Array, { a, b }: Pick<PairChoice, "a" | "b">): void {
  takenBots[a] = 1;
  takenBots[b] = 1;
}

function freeIndices(takenBots: Uint8Array): Int32Array {
  const freeBots = new Int32Array(takenBots.length);
  let count = 0;
  for (let index = 0; index < takenBots.length; index += 1) {
    if (takenBots[index] === 1) continue;
    freeBots[count] = index;
    count += 1;
  }
  return freeBots.subarray(0, count);
}

/** Returns a lower bound on the number of competitive pairs. Doesn't compute weights. */
function countCompetitiveStarts(field: PairingField, requestedBots: Uint8Array): number {
  const takenBots = requestedBots.slice();
  let starts = 0;
  for (let a = 0; a < takenBots.length; a += 1) {
    if (takenBots[a] === 1) continue;
    takenBots[a] = 1;
    const b = findPartner(field, a, takenBots, COMPETITIVE_RULE);
    if (b === null) continue;
    takenBots[b] = 1;
    starts += 1;
  }
  return starts;
}

/**
 * Takes the requested pairs that may meet, whatever their ratings. Two bots that are only waiting
 * for the end of their rematch hold are taken without a match. Otherwise matches against other
 * opponents would restart the hold again and again.
 */
function takeRequested(
  field: PairingField,
  takenBots: Uint8Array,
  requested: QueueSnapshot["requested"],
): PairChoice[] {
  const indices = new Map(field.bots.map(({ bot }, index) => [bot, index]));
  const chosenPairs: PairChoice[] = [];
  for (const [a, b] of requested.map((pair) => pair.map((bot) => indices.get(bot)))) {
    if (a === undefined || b === undefined || takenBots[a] === 1 || takenBots[b] === 1) continue;
    const choice = findHeaviestPair(field, a, Int32Array.of(b), REQUESTED_RULE);
    if (choice !== null) chosenPairs.push(choice);
    if (choice !== null || field.rematchHolds[a]!.includes(b)) markTaken(takenBots, { a, b });
  }
  return chosenPairs;
}

/**
 * Takes up to `count` under-tested pairs. Each is the heaviest pair of some bot. Bots with priority
 * choose first, longest wait first, then the other bots in shuffled order.
 */
function reservePairs(field: PairingField, takenBots: Uint8Array, count: number): PairChoice[] {
  const reservedPairs: PairChoice[] = [];
  for (const a of count > 0 ? sortByPriority(field) : []) {
    if (reservedPairs.length === count) break;
    if (takenBots[a] === 1) continue;
    const heaviestPair = findHeaviestPair(field, a, freeIndices(takenBots), RESERVED_RULE);
    if (heaviestPair === null) continue;
    reservedPairs.push(heaviestPair);
    markTaken(takenBots, heaviestPair);
  }
  return reservedPairs;
}

function sortByPriority({ bots, waitSeconds, numbers }: PairingField): number[] {
  const priority = (index: number): number =>
    waitSeconds[index]! >= numbers.priorityWaitSeconds ? waitSeconds[index]! : 0;
  return Array.from(bots.keys()).sort((a, b) => priority(b) - priority(a));
}

function matchPairs(field: PairingField, takenBots: Uint8Array, rule: PairingRule): PairChoice[] {
  const pairs = pairGraph(field, freeIndices(takenBots), rule);
  if (pairs.weight.length === 0) return [];
  const { partner } = maximumWeightMatching(pairs);
  const chosenPairs: PairChoice[] = [];
  for (const [a, b] of partner.entries())
    if (b > a) chosenPairs.push(toPairChoice(field, a, b, rule));
  for (const choice of chosenPairs) markTaken(takenBots, choice);
  return chosenPairs;
}

/**
 * If capacity is scarce, the bot with the longest wait beyond the priority wait starts first, then
 * the heavier pair. By weight alone, two long waits would outweigh one longer wait.
 */
function sortByWait(field: PairingField, choices: readonly PairChoice[]): PairChoice[] {
  const { priorityWaitSeconds } = field.numbers;
  const waitClaim = ({ a, b }: PairChoice): number => {
    const wait = Math.max(waitPriority(field, a), waitPriority(field, b));
    return wait < priorityWaitSeconds ? 0 : wait;
  };
  return choices.toSorted((a, b) => waitClaim(b) - waitClaim(a) || b.weight - a.weight);
}

function toPairing(
  snapshot: QueueSnapshot,
  field: PairingField,
  choice: PairChoice,
  start: PlannedStart,
): Omit<PlannedPairing, "claimSeconds"> {
  const { a, b, ground, countsQuality } = choice;
  const [first, second] = assignSeats(field.bots[a]!, field.bots[b]!, start.seed);
  const tiedMaps = leastPlayedMaps(snapshot, first, second);
  const assessment = assessPair(field, a, b);
  const terms = termsOf(snapshot.numbers, countsQuality, assessment, first, second);
  const { gap, expected, quality } = assessment;
  return {
    ...start,
    bots: [first.bot, second.bot],
    versions: [first.version, second.version],
    map: pickMapBySeed(tiedMaps, start.seed),
    tiedMaps,
    ground,
    discovery: ground !== "window" && ground !== "established",
    gap,
    window: ratingWindow(field, a, b),
    expected: first === field.bots[a] ? expected : 1 - expected,
    quality,
    terms,
    weight: weightOf(terms),
  };
}
