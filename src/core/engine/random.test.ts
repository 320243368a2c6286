import assert from "node:assert/strict";
import { test } from "node:test";

import { randomFromState, nextState } from "./random.ts";

const FIRST_DRAWS = [
  { seed: 1, draws: [2693262067, 11749833, 2265367787, 4213581821, 4159151403] },
  { seed: 123456789, draws: [1107202814, 4169434471, 3372958138] },
];

for (const { seed, draws } of FIRST_DRAWS) {
  test(`the first draws for seed ${seed} match the published ones`, () => {
    let state = seed;
    const randomNumber = draws.map(() => randomFromState((state = nextState(state))));
    assert.deepEqual(randomNumber, draws);
  });
}
