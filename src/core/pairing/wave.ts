import { maximumWeightMatching } from "#core/graph-matching/matching.ts";

import { ADDED, COMPETITIVE, REQUESTED, RESERVED } from "./assessment.ts";
import type { Rule } from "./assessment.ts";
import { createField, ratingWindow } from "./field.ts";
import type { Field } from "./field.ts";
import { assessPair, choiceOf, heaviestChoice, pairGraph, partnerOf } from "./pairs.ts";
import type { Choice } from "./pairs.ts";
import { createDraw, shuffled } from "./random.ts";
import { readyBots, withinHouse } from "./rules.ts";
import { leastPlayedMaps, mapBySeed, seated } from "./seating.ts";
import type { Pairing, Snapshot, Start, WaveLimits } from "./types.ts";
import { termsOf, weightOf } from "./weight.ts";

/** One in this many starts is reserved for under-tested version pairs. */
const STARTS_PER_DISCOVERY = 7;
const ANY_RULE = [COMPETITIVE, ADDED, RESERVED];

/**
 * Chooses the matches to start now: those that somebody asked for, then reserved discovery, then
 * the maximum weight matching of competitive pairs and discovery among the bots it left over. When
 * there are more pairs than starts, those that were asked for come first, then those with the
 * longest wait, then the heavier ones. Each pairing takes one of the starts. All other chance comes
 * from the wave's own seed, so the same arguments give the same pairings.
 * @throws RangeError if there is no map to play on.
 */
export function pairWave(
  snapshot: Snapshot,
  limits: WaveLimits,
  starts: readonly Start[],
  seed: number,
): Pairing[] {
  if (snapshot.maps.length === 0) throw new RangeError("there is no map to play on");
  if (starts.length === 0) return [];
  const draw = createDraw(seed);
  const ready = shuffled(readyBots(snapshot, limits), draw);
  const field = createField(snapshot, withinHouse(snapshot, ready, limits));
  const taken = new Uint8Array(field.bots.length);
  const requested = takeRequested(field, taken, snapshot.requested);
  const asked = taken.slice();
  const plain = Math.min(starts.length - requested.length, plainStarts(field, asked));
  const reserved = reserve(field, taken, Math.floor(plain / STARTS_PER_DISCOVERY + draw()));
  const matched = heaviest(field, taken, COMPETITIVE);
  const added = heaviest(field, taken, ADDED);
  const others = [...reserved, ...oldestFirst(field, [...matched, ...added])];
  const claims = [
    ...requested.map((choice) => waitOf(field, choice)),
    ...claimsOf(field, others, asked),
  ];
  return [...requested, ...others].slice(0, starts.length).map((choice, place) => ({
    ...pairingOf(snapshot, field, choice, starts[place]!),
    claimSeconds: claims[place]!,
  }));
}

/**
 * Waits of the pairs, longest first. The first is that of the bot that has waited longest and could
 * be paired, those aside whose match was asked for or that rest for it.
 */
function claimsOf(field: Field, chosen: readonly Choice[], asked: Uint8Array): number[] {
  const waits = chosen.map((choice) => waitOf(field, choice));
  return [longestWait(field, asked), ...waits.sort((a, b) => b - a).slice(1)];
}

const waitOf = (field: Field, { one, other }: Choice): number =>
  Math.max(hurry(field, one), hurry(field, other));

/** The house is never in a hurry. */
const hurry = ({ bots, waitSeconds }: Field, place: number): number =>
  bots[place]!.house ? 0 : waitSeconds[place]!;

function longestWait(field: Field, asked: Uint8Array): number {
  const longestFirst = Array.from(field.bots.keys()).sort(
    (one, other) => hurry(field, other) - hurry(field, one),
  );
  const mayPlay = (one: number) =>
    asked[one] === 0 && ANY_RULE.some((rule) => partnerOf(field, one, asked, rule) !== null);
  const longest = longestFirst.find(mayPlay);
  return longest === undefined ? 0 : hurry(field, longest);
}

function take(taken: Uint8Array, { one, other }: Pick<Choice, "one" | "other">): void {
  taken[one] = 1;
  taken[other] = 1;
}

function placesLeft(taken: Uint8Array): Int32Array {
  const left = new Int32Array(taken.length);
  let count = 0;
  for (let place = 0; place < taken.length; place += 1) {
    if (taken[place] === 1) continue;
    left[count] = place;
    count += 1;
  }
  return left.subarray(0, count);
}

/** A lower bound on the starts that competitive pairs allow, found without weighing anything. */
function plainStarts(field: Field, asked: Uint8Array): number {
  const taken = asked.slice();
  let starts = 0;
  for (let one = 0; one < taken.length; one += 1) {
    if (taken[one] === 1) continue;
    taken[one] = 1;
    const other = partnerOf(field, one, taken, COMPETITIVE);
    if (other === null) continue;
    taken[other] = 1;
    starts += 1;
  }
  return starts;
}

/**
 * Takes the pairs that were asked for and may meet at all, whatever their ratings. Two that only
 * their hold keeps apart are taken without a match: they rest, or other opponents would come again
 * and again before the two have waited it out. It lasts no longer than the hold.
 */
function takeRequested(
  field: Field,
  taken: Uint8Array,
  requested: Snapshot["requested"],
): Choice[] {
  const places = new Map(field.bots.map(({ bot }, place) => [bot, place]));
  const chosen: Choice[] = [];
  for (const [one, other] of requested.map((pair) => pair.map((bot) => places.get(bot)))) {
    if (one === undefined || other === undefined || taken[one] === 1 || taken[other] === 1)
      continue;
    const choice = heaviestChoice(field, one, Int32Array.of(other), REQUESTED);
    if (choice !== null) chosen.push(choice);
    if (choice !== null || field.held[one]!.includes(other)) take(taken, { one, other });
  }
  return chosen;
}

/**
 * Takes up to `count` under-tested pairs, each the heaviest one of some bot: first of bots with
 * priority, oldest first, then of the others in the shuffled order.
 */
function reserve(field: Field, taken: Uint8Array, count: number): Choice[] {
  const reserved: Choice[] = [];
  for (const one of count > 0 ? byPriority(field) : []) {
    if (reserved.length === count) break;
    if (taken[one] === 1) continue;
    const best = heaviestChoice(field, one, placesLeft(taken), RESERVED);
    if (best === null) continue;
    reserved.push(best);
    take(taken, best);
  }
  return reserved;
}

function byPriority({ bots, waitSeconds, numbers }: Field): number[] {
  const priority = (place: number): number =>
    waitSeconds[place]! >= numbers.priorityWaitSeconds ? waitSeconds[place]! : 0;
  return Array.from(bots.keys()).sort((one, other) => priority(other) - priority(one));
}

/** Takes the pairs of the maximum weight matching of the bots left. */
function heaviest(field: Field, taken: Uint8Array, rule: Rule): Choice[] {
  const pairs = pairGraph(field, placesLeft(taken), rule);
  if (pairs.weight.length === 0) return [];
  const { partner } = maximumWeightMatching(pairs);
  const chosen: Choice[] = [];
  for (const [one, other] of partner.entries())
    if (other > one) chosen.push(choiceOf(field, one, other, rule));
  for (const choice of chosen) take(taken, choice);
  return chosen;
}

/**
 * Where room is short, who has waited longest beyond the wait that gives priority starts first,
 * then the heavier pair. By weight alone, two long waits would outweigh a longer one.
 */
function oldestFirst(field: Field, choices: readonly Choice[]): Choice[] {
  const { priorityWaitSeconds } = field.numbers;
  const claimOf = ({ one, other }: Choice): number => {
    const wait = Math.max(hurry(field, one), hurry(field, other));
    return wait < priorityWaitSeconds ? 0 : wait;
  };
  return choices.toSorted(
    (one, other) => claimOf(other) - claimOf(one) || other.weight - one.weight,
  );
}

function pairingOf(
  snapshot: Snapshot,
  field: Field,
  choice: Choice,
  start: Start,
): Omit<Pairing, "claimSeconds"> {
  const { one, other, ground, countsQuality } = choice;
  const [first, second] = seated(field.bots[one]!, field.bots[other]!, start.seed);
  const tiedMaps = leastPlayedMaps(snapshot, first, second);
  const assessment = assessPair(field, one, other);
  const terms = termsOf(snapshot.numbers, countsQuality, assessment, first, second);
  const { gap, expected, quality } = assessment;
  return {
    ...start,
    bots: [first.bot, second.bot],
    versions: [first.version, second.version],
    map: mapBySeed(tiedMaps, start.seed),
    tiedMaps,
    ground,
    discovery: ground !== "window" && ground !== "established",
    gap,
    window: ratingWindow(field, one, other),
    expected: first === field.bots[one] ? expected : 1 - expected,
    quality,
    terms,
    weight: weightOf(terms),
  };
}
