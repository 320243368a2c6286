// JSON text in pieces: a long answer is printed a little at a time, with matches played in between.

/** Rows printed in one go. */
const ROWS = 50;

/** The JSON text of a value. Its long lists, and those of its fields, come in several pieces. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* rowPieces(value, (rows) => JSON.stringify(rows).slice(1, -1));
  else if (typeof value === "object" && value !== null) yield* fieldPieces(value);
  else yield JSON.stringify(value);
}

/** The JSON text of a list; `print` returns that of some of its rows, without the brackets. */
export function* rowPieces<T>(
  rows: readonly T[],
  print: (rows: readonly T[]) => string,
): Generator<string> {
  yield "[";
  for (let first = 0; first < rows.length; first += ROWS) {
    if (first > 0) yield ",";
    yield print(rows.slice(first, first + ROWS));
  }
  yield "]";
}

function* fieldPieces(value: object): Generator<string> {
  let separator = "{";
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(field)) yield* jsonPieces(field);
    else yield JSON.stringify(field);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}
