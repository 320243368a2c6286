import { updateSizes, setSteps } from "./solver-block.ts";
import type { SolverBlock, SolverKernels } from "./solver-block.ts";
import type { Information } from "./types.ts";

const WIDTH = 4;

export const KERNELS_4: SolverKernels = {
  width: WIDTH,
  updateDirections,
  multiply,
  updateSteps,
  advance,
};

function updateDirections({ residual, direction, beta }: SolverBlock, scale: Float64Array): void {
  const [beta0, beta1, beta2, beta3] = beta;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    direction[at] = residual[at]! * own + beta0! * direction[at]!;
    direction[at + 1] = residual[at + 1]! * own + beta1! * direction[at + 1]!;
    direction[at + 2] = residual[at + 2]! * own + beta2! * direction[at + 2]!;
    direction[at + 3] = residual[at + 3]! * own + beta3! * direction[at + 3]!;
  }
}

function multiply(
  { pairs, weight, prior }: Information,
  { direction, product }: SolverBlock,
): void {
  const { first, second, count } = pairs;
  for (let index = 0, at = 0; index < prior.length; index += 1, at += WIDTH) {
    const own = prior[index]!;
    product[at] = own * direction[at]!;
    product[at + 1] = own * direction[at + 1]!;
    product[at + 2] = own * direction[at + 2]!;
    product[at + 3] = own * direction[at + 3]!;
  }
  for (let pair = 0; pair < count; pair += 1) {
    const a = WIDTH * first[pair]!;
    const b = WIDTH * second[pair]!;
    const pairWeight = weight[pair]!;
    const flow0 = pairWeight * (direction[a]! - direction[b]!);
    const flow1 = pairWeight * (direction[a + 1]! - direction[b + 1]!);
    const flow2 = pairWeight * (direction[a + 2]! - direction[b + 2]!);
    const flow3 = pairWeight * (direction[a + 3]! - direction[b + 3]!);
    product[a]! += flow0;
    product[a + 1]! += flow1;
    product[a + 2]! += flow2;
    product[a + 3]! += flow3;
    product[b]! -= flow0;
    product[b + 1]! -= flow1;
    product[b + 2]! -= flow2;
    product[b + 3]! -= flow3;
  }
}

function updateSteps(block: SolverBlock): void {
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

function advance(block: SolverBlock, scale: Float64Array): void {
  const { residual, product } = block;
  const [step0, step1, step2, step3] = block.step;
  let size0 = 0;
  let size1 = 0;
  let size2 = 0;
  let size3 = 0;
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
    size0 += rest0 * rest0 * own;
    size1 += rest1 * rest1 * own;
    size2 += rest2 * rest2 * own;
    size3 += rest3 * rest3 * own;
  }
  updateSizes(block, [size0, size1, size2, size3]);
}
