import type { Beliefs, Information } from "./types.ts";

// Belief propagation: what each version's pairs tell about its strength, found by passing messages
// along the pairs. It is exact where the pairs form a tree and close elsewhere (Weiss and Freeman,
// Neural Computation 13, 2001). It costs next to nothing to follow game by game, so it carries exact
// variances on from one computation to the next.

/** The share of a version's information by which a message may still change. */
const SETTLED_CHANGE = 1e-4;

/** Messages settle in a few sweeps; what is left after so many is too little to wait for. */
const MOST_SWEEPS = 40;

export const noBeliefs = (): Beliefs => ({
  toFirst: new Float64Array(0),
  toSecond: new Float64Array(0),
});

/** Brings the messages up to the information, and returns each version's variance by them. */
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

/** What each version is told by all its pairs and the prior together. */
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
 * settled. A pair tells one version what the rest tells the other, through the pair's own weight:
 * two resistances in a row.
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
