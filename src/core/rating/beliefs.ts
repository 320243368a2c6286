import type { Beliefs, Information } from "./types.ts";

// Belief propagation: what each version's pairs tell about its strength, found by passing messages
// along the pairs. It is exact if the pairs form a tree, and close otherwise (Weiss and Freeman,
// Neural Computation 13, 2001). Following it game by game costs almost nothing, so it carries exact
// variances from one computation to the next.

/** A message is settled once it changes by less than this share of a version's information. */
const SETTLED_CHANGE = 1e-4;

/** Messages settle in a few sweeps. What is left after this many is too little to wait for. */
const MOST_SWEEPS = 40;

export const noBeliefs = (): Beliefs => ({
  toFirst: new Float64Array(0),
  toSecond: new Float64Array(0),
});

/** Updates the messages for the information, and returns each version's variance by them. */
export function believedVariances(beliefs: Beliefs, information: Information): Float64Array {
  makeRoom(beliefs, information.pairs.first.length);
  const told = toldBy(beliefs, information);
  for (let left = MOST_SWEEPS; left > 0; left -= 2) {
    const forth = sweep(beliefs, information, told, 1);
    const back = sweep(beliefs, information, told, -1);
    if (forth && back) break;
  }
  return told.map((own) => 1 / own);
}

function makeRoom(beliefs: Beliefs, room: number): void {
  for (const way of ["toFirst", "toSecond"] as const) {
    if (beliefs[way].length >= room) continue;
    const larger = new Float64Array(room);
    larger.set(beliefs[way]);
    beliefs[way] = larger;
  }
}

/** What all pairs and the prior together tell each version. */
function toldBy({ toFirst, toSecond }: Beliefs, { pairs, prior }: Information): Float64Array {
  const { first, second, count } = pairs;
  const told = prior.slice();
  for (let pair = 0; pair < count; pair += 1) {
    told[first[pair]!]! += toFirst[pair]!;
    told[second[pair]!]! += toSecond[pair]!;
  }
  return told;
}

/**
 * Renews every message, in the order of the pairs or against it, and returns whether they had
 * settled. A pair tells one version what the other knows from elsewhere, through the pair's own
 * weight: two resistances in series.
 */
function sweep(
  { toFirst, toSecond }: Beliefs,
  { pairs, weight, prior }: Information,
  told: Float64Array,
  way: 1 | -1,
): boolean {
  const { first, second, count } = pairs;
  let settled = true;
  for (let pair = way === 1 ? 0 : count - 1; pair >= 0 && pair < count; pair += way) {
    const one = first[pair]!;
    const other = second[pair]!;
    const own = weight[pair]!;
    const behindOne = Math.max(prior[one]!, told[one]! - toFirst[pair]!);
    const behindOther = Math.max(prior[other]!, told[other]! - toSecond[pair]!);
    const changeOfOne = (own * behindOther) / (own + behindOther) - toFirst[pair]!;
    const changeOfOther = (own * behindOne) / (own + behindOne) - toSecond[pair]!;
    toFirst[pair]! += changeOfOne;
    toSecond[pair]! += changeOfOther;
    told[one]! += changeOfOne;
    told[other]! += changeOfOther;
    if (Math.abs(changeOfOne) > SETTLED_CHANGE * told[one]!) settled = false;
    if (Math.abs(changeOfOther) > SETTLED_CHANGE * told[other]!) settled = false;
  }
  return settled;
}
