import { assess, competitiveGround, mayBeAdded, underTested } from "./assessment.ts";
import type { Assessment } from "./assessment.ts";
import { maximumWeightMatching } from "./matching.ts";
import { createDraw, shuffled } from "./random.ts";
import type { Draw } from "./random.ts";
import { mayMeet, readyBots } from "./rules.ts";
import { leastPlayedMap, seated } from "./seating.ts";
import type { Ground, Pairing, Snapshot, WaitingBot, WaveLimits } from "./types.ts";
import { termsOf, weightOf } from "./weight.ts";

/** One in so many starts is reserved for under-tested version pairs. */
const STARTS_PER_DISCOVERY = 7;

/** A pair that may play, why, and what it weighs. */
type Candidate = { one: WaitingBot; other: WaitingBot; ground: Ground; weight: number };

/**
 * Chooses the matches to start now: reserved discovery first, then the matching of greatest weight
 * among competitive pairs, then discovery among those it left over; heavier pairs first where the
 * server is short of matches. The same snapshot, limits and seed give the same pairings.
 * @throws RangeError without a map to play on.
 */
export function pairWave(snapshot: Snapshot, limits: WaveLimits, seed: number): Pairing[] {
  if (snapshot.maps.length === 0) throw new RangeError("there is no map to play on");
  if (limits.freeMatches <= 0) return [];
  const draw = createDraw(seed);
  const bots = shuffled(readyBots(snapshot, limits), draw);
  const competitive = candidates(snapshot, bots, competitiveGround);
  const starts = Math.min(limits.freeMatches, plainStarts(competitive));
  const reserved = reserve(snapshot, bots, Math.floor(starts / STARTS_PER_DISCOVERY + draw()));
  const taken = playersOf(reserved);
  const matched = heaviest(competitive.filter((choice) => free(choice, taken)));
  for (const bot of playersOf(matched)) taken.add(bot);
  const left = bots.filter((bot) => !taken.has(bot));
  const added = heaviest(candidates(snapshot, left, addedGround));
  const chosen = [...reserved, ...matched, ...added].slice(0, limits.freeMatches);
  return chosen.map((choice) => pairingOf(snapshot, choice, draw));
}

/** Starts that the competitive pairs allow at least, counted without weighing anything. */
function plainStarts(competitive: readonly Candidate[]): number {
  const taken = new Set<WaitingBot>();
  for (const choice of competitive) {
    if (free(choice, taken)) taken.add(choice.one).add(choice.other);
  }
  return taken.size / 2;
}

/** Up to `count` under-tested pairs: bots in the drawn order, each with its heaviest partner. */
function reserve(snapshot: Snapshot, bots: readonly WaitingBot[], count: number): Candidate[] {
  const reserved: Candidate[] = [];
  const taken = new Set<WaitingBot>();
  for (const one of bots) {
    if (reserved.length >= count) break;
    if (taken.has(one)) continue;
    const others = bots.filter((other) => !taken.has(other));
    const best = heaviestPartner(snapshot, one, others);
    if (best === null) continue;
    reserved.push(best);
    taken.add(best.one).add(best.other);
  }
  return reserved;
}

function heaviestPartner(
  snapshot: Snapshot,
  one: WaitingBot,
  others: readonly WaitingBot[],
): Candidate | null {
  let best: Candidate | null = null;
  for (const other of others) {
    const found = candidate(snapshot, one, other, reservedGround);
    if (found !== null && found.weight > (best?.weight ?? 0)) best = found;
  }
  return best;
}

type GroundOf = (assessment: Assessment, one: WaitingBot, other: WaitingBot) => Ground | null;

const reservedGround: GroundOf = (assessment) => (underTested(assessment) ? "reserved" : null);

const addedGround: GroundOf = (_, one, other) => (mayBeAdded(one, other) ? "addition" : null);

function candidates(
  snapshot: Snapshot,
  bots: readonly WaitingBot[],
  groundOf: GroundOf,
): Candidate[] {
  const found: Candidate[] = [];
  for (const [place, one] of bots.entries()) {
    for (let next = place + 1; next < bots.length; next += 1) {
      const pair = candidate(snapshot, one, bots[next], groundOf);
      if (pair !== null) found.push(pair);
    }
  }
  return found;
}

/** Null for a pair that may not meet or has no ground to: such an edge does not exist. */
function candidate(
  snapshot: Snapshot,
  one: WaitingBot,
  other: WaitingBot,
  groundOf: GroundOf,
): Candidate | null {
  if (!mayMeet(one, other)) return null;
  const assessment = assess(snapshot, one, other);
  const ground = groundOf(assessment, one, other);
  if (ground === null) return null;
  return { one, other, ground, weight: weightOf(termsOf(ground, assessment, one, other)) };
}

/** The candidates of the matching of greatest weight, the heaviest first. */
function heaviest(pairs: readonly Candidate[]): Candidate[] {
  const places = new Map<WaitingBot, number>();
  const placeOf = (bot: WaitingBot): number => {
    const place = places.get(bot) ?? places.size;
    places.set(bot, place);
    return place;
  };
  const from = pairs.map(({ one }) => placeOf(one));
  const to = pairs.map(({ other }) => placeOf(other));
  const weight = pairs.map((pair) => pair.weight);
  const { partner } = maximumWeightMatching({ vertices: places.size, from, to, weight });
  const chosen = pairs.filter((_, edge) => partner[from[edge]] === to[edge]);
  return chosen.sort((one, other) => other.weight - one.weight);
}

function playersOf(choices: readonly Candidate[]): Set<WaitingBot> {
  return new Set(choices.flatMap(({ one, other }) => [one, other]));
}

function free({ one, other }: Candidate, taken: ReadonlySet<WaitingBot>): boolean {
  return !taken.has(one) && !taken.has(other);
}

function pairingOf(snapshot: Snapshot, { one, other, ground }: Candidate, draw: Draw): Pairing {
  const [first, second] = seated(one, other, draw);
  const assessment = assess(snapshot, first, second);
  const terms = termsOf(ground, assessment, first, second);
  return {
    bots: [first.bot, second.bot],
    versions: [first.version, second.version],
    map: leastPlayedMap(snapshot, first, second, draw),
    ground,
    discovery: ground !== "window" && ground !== "established",
    gap: assessment.gap,
    window: assessment.window,
    expected: assessment.expected,
    quality: assessment.quality,
    terms,
    weight: weightOf(terms),
  };
}
