/**
 * Returns the diagonal of the inverse of a symmetric positive definite matrix with `size` rows,
 * under the constraint that the dot product with `constraint` stays zero. An all-zero constraint
 * has no effect. Overwrites the matrix. Costs about size^3 / 3 multiplications.
 */
export function constrainedVariances(
  matrix: Float64Array,
  size: number,
  constraint: Float64Array,
): Float64Array {
  factorize(matrix, size);
  const constraintColumn = new Float64Array(size);
  solveLower(matrix, size, 0, constraint, constraintColumn);
  const variances = new Float64Array(size);
  const unit = new Float64Array(size);
  const column = new Float64Array(size);
  for (let index = 0; index < size; index += 1) {
    unit[index] = 1;
    solveLower(matrix, size, index, unit, column);
    variances[index] = squaredDistance(column, constraintColumn);
    unit[index] = 0;
    column[index] = 0;
  }
  return variances;
}

function factorize(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      const remainder = matrix[row * size + column]! - rowProduct(matrix, size, row, column);
      matrix[row * size + column] =
        row === column ? Math.sqrt(remainder) : remainder / matrix[column * size + column]!;
    }
  }
}

function rowProduct(matrix: Float64Array, size: number, row: number, column: number): number {
  let sum = 0;
  for (let k = 0; k < column; k += 1) sum += matrix[row * size + k]! * matrix[column * size + k]!;
  return sum;
}

/** Solves L x = rhs. `rhs` and x must be zero before `from`. */
function solveLower(
  factored: Float64Array,
  size: number,
  from: number,
  rhs: Float64Array,
  x: Float64Array,
): void {
  for (let row = from; row < size; row += 1) {
    let sum = rhs[row]!;
    for (let k = from; k < row; k += 1) sum -= factored[row * size + k]! * x[k]!;
    x[row] = sum / factored[row * size + row]!;
  }
}

/**
 * Returns the squared distance from a vector to the nearest multiple of `reference`. Never
 * negative, despite rounding.
 */
function squaredDistance(vector: Float64Array, reference: Float64Array): number {
  let product = 0;
  let length = 0;
  for (let k = 0; k < vector.length; k += 1) {
    product += vector[k]! * reference[k]!;
    length += reference[k]! * reference[k]!;
  }
  const multiple = length > 0 ? product / length : 0;
  let sum = 0;
  for (let k = 0; k < vector.length; k += 1) sum += (vector[k]! - multiple * reference[k]!) ** 2;
  return sum;
}
