import { updateSizes, setSteps } from "./solver-block.ts";
import type { SolverBlock, SolverKernels } from "./solver-block.ts";
import type { Information } from "./types.ts";

const WIDTH = 2;

export const KERNELS_2: SolverKernels = {
  width: WIDTH,
  updateDirections,
  multiply,
  updateSteps,
  advance,
};

function updateDirections({ residual, direction, beta }: SolverBlock, scale: Float64Array): void {
  const [beta0, beta1] = beta;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    direction[at] = residual[at]! * own + beta0! * direction[at]!;
    direction[at + 1] = residual[at + 1]! * own + beta1! * direction[at + 1]!;
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
  }
  for (let pair = 0; pair < count; pair += 1) {
    const a = WIDTH * first[pair]!;
    const b = WIDTH * second[pair]!;
    const pairWeight = weight[pair]!;
    const flow0 = pairWeight * (direction[a]! - direction[b]!);
    const flow1 = pairWeight * (direction[a + 1]! - direction[b + 1]!);
    product[a]! += flow0;
    product[a + 1]! += flow1;
    product[b]! -= flow0;
    product[b + 1]! -= flow1;
  }
}

function updateSteps(block: SolverBlock): void {
  const { direction, product } = block;
  let curve0 = 0;
  let curve1 = 0;
  for (let at = 0; at < product.length; at += WIDTH) {
    curve0 += direction[at]! * product[at]!;
    curve1 += direction[at + 1]! * product[at + 1]!;
  }
  setSteps(block, [curve0, curve1]);
}

function advance(block: SolverBlock, scale: Float64Array): void {
  const { residual, product } = block;
  const [step0, step1] = block.step;
  let size0 = 0;
  let size1 = 0;
  for (let index = 0, at = 0; index < scale.length; index += 1, at += WIDTH) {
    const own = scale[index]!;
    const rest0 = residual[at]! - step0! * product[at]!;
    const rest1 = residual[at + 1]! - step1! * product[at + 1]!;
    residual[at] = rest0;
    residual[at + 1] = rest1;
    size0 += rest0 * rest0 * own;
    size1 += rest1 * rest1 * own;
  }
  updateSizes(block, [size0, size1]);
}
