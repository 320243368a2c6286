import { setSizes, setSteps } from "./block.ts";
import type { Block, Kernels } from "./block.ts";
import type { Information } from "./types.ts";

const WIDTH = 4;

/** For many versions. */
export const FOURS: Kernels = { width: WIDTH, turn, multiply, measure, advance };

function turn({ residual, direction, keep }: Block, scale: Float64Array): void {
  const [keep0, keep1, keep2, keep3] = keep;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    direction[at] = residual[at]! * own + keep0! * direction[at]!;
    direction[at + 1] = residual[at + 1]! * own + keep1! * direction[at + 1]!;
    direction[at + 2] = residual[at + 2]! * own + keep2! * direction[at + 2]!;
    direction[at + 3] = residual[at + 3]! * own + keep3! * direction[at + 3]!;
  }
}

function multiply({ pairs, weight, prior }: Information, { direction, product }: Block): void {
  const { first, second, count } = pairs;
  for (let index = 0, at = 0; index < prior.length; index += 1, at += WIDTH) {
    const own = prior[index]!;
    product[at] = own * direction[at]!;
    product[at + 1] = own * direction[at + 1]!;
    product[at + 2] = own * direction[at + 2]!;
    product[at + 3] = own * direction[at + 3]!;
  }
  for (let pair = 0; pair < count; pair += 1) {
    const one = WIDTH * first[pair]!;
    const other = WIDTH * second[pair]!;
    const linked = weight[pair]!;
    const flow0 = linked * (direction[one]! - direction[other]!);
    const flow1 = linked * (direction[one + 1]! - direction[other + 1]!);
    const flow2 = linked * (direction[one + 2]! - direction[other + 2]!);
    const flow3 = linked * (direction[one + 3]! - direction[other + 3]!);
    product[one]! += flow0;
    product[one + 1]! += flow1;
    product[one + 2]! += flow2;
    product[one + 3]! += flow3;
    product[other]! -= flow0;
    product[other + 1]! -= flow1;
    product[other + 2]! -= flow2;
    product[other + 3]! -= flow3;
  }
}

function measure(block: Block): void {
  const { direction, product } = block;
  let curve0 = 0;
  let curve1 = 0;
  let curve2 = 0;
  let curve3 = 0;
  for (let at = 0; at < product.length; at += WIDTH) {
    curve0 += direction[at]! * product[at]!;
    curve1 += direction[at + 1]! * product[at + 1]!;
    curve2 += direction[at + 2]! * product[at + 2]!;
    curve3 += direction[at + 3]! * product[at + 3]!;
  }
  setSteps(block, [curve0, curve1, curve2, curve3]);
}

function advance(block: Block, scale: Float64Array): void {
  const { residual, product } = block;
  const [step0, step1, step2, step3] = block.step;
  let left0 = 0;
  let left1 = 0;
  let left2 = 0;
  let left3 = 0;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    const rest0 = residual[at]! - step0! * product[at]!;
    const rest1 = residual[at + 1]! - step1! * product[at + 1]!;
    const rest2 = residual[at + 2]! - step2! * product[at + 2]!;
    const rest3 = residual[at + 3]! - step3! * product[at + 3]!;
    residual[at] = rest0;
    residual[at + 1] = rest1;
    residual[at + 2] = rest2;
    residual[at + 3] = rest3;
    left0 += rest0 * rest0 * own;
    left1 += rest1 * rest1 * own;
    left2 += rest2 * rest2 * own;
    left3 += rest3 * rest3 * own;
  }
  setSizes(block, [left0, left1, left2, left3]);
}
