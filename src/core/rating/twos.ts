import { setSizes, setSteps } from "./block.ts";
import type { Block, Kernels } from "./block.ts";
import type { Information } from "./types.ts";

const WIDTH = 2;

/** For the two versions of a game. */
export const TWOS: Kernels = { width: WIDTH, turn, multiply, measure, advance };

function turn({ residual, direction, keep }: Block, scale: Float64Array): void {
  const [keep0, keep1] = keep;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    direction[at] = residual[at]! * own + keep0! * direction[at]!;
    direction[at + 1] = residual[at + 1]! * own + keep1! * direction[at + 1]!;
  }
}

function multiply({ pairs, weight, prior }: Information, { direction, product }: Block): void {
  const { first, second, count } = pairs;
  for (let index = 0, at = 0; index < prior.length; index += 1, at += WIDTH) {
    const own = prior[index]!;
    product[at] = own * direction[at]!;
    product[at + 1] = own * direction[at + 1]!;
  }
  for (let pair = 0; pair < count; pair += 1) {
    const one = WIDTH * first[pair]!;
    const other = WIDTH * second[pair]!;
    const linked = weight[pair]!;
    const flow0 = linked * (direction[one]! - direction[other]!);
    const flow1 = linked * (direction[one + 1]! - direction[other + 1]!);
    product[one]! += flow0;
    product[one + 1]! += flow1;
    product[other]! -= flow0;
    product[other + 1]! -= flow1;
  }
}

function measure(block: Block): void {
  const { direction, product } = block;
  let curve0 = 0;
  let curve1 = 0;
  for (let at = 0; at < product.length; at += WIDTH) {
    curve0 += direction[at]! * product[at]!;
    curve1 += direction[at + 1]! * product[at + 1]!;
  }
  setSteps(block, [curve0, curve1]);
}

function advance(block: Block, scale: Float64Array): void {
  const { residual, product } = block;
  const [step0, step1] = block.step;
  let left0 = 0;
  let left1 = 0;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    const rest0 = residual[at]! - step0! * product[at]!;
    const rest1 = residual[at + 1]! - step1! * product[at + 1]!;
    residual[at] = rest0;
    residual[at + 1] = rest1;
    left0 += rest0 * rest0 * own;
    left1 += rest1 * rest1 * own;
  }
  setSizes(block, [left0, left1]);
}
