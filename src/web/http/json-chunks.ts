// Serialises JSON in chunks, so that a long response doesn't delay matches.

const ROWS_PER_CHUNK = 50;

/** Yields a value's JSON text. Splits long lists into chunks, including lists in its fields. */
export function* jsonChunks(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* rowChunks(value, (rows) => JSON.stringify(rows).slice(1, -1));
  else if (typeof value === "object" && value !== null) yield* fieldChunks(value);
  else yield JSON.stringify(value);
}

/** Yields a list's JSON text. The callback serialises some rows without the enclosing brackets. */
export function* rowChunks<T>(
  rows: readonly T[],
  stringifyRows: (rows: readonly T[]) => string,
): Generator<string> {
  yield "[";
  for (let first = 0; first < rows.length; first += ROWS_PER_CHUNK) {
    if (first > 0) yield ",";
    yield stringifyRows(rows.slice(first, first + ROWS_PER_CHUNK));
  }
  yield "]";
}

function* fieldChunks(value: object): Generator<string> {
  let separator = "{";
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(field)) yield* jsonChunks(field);
    else yield JSON.stringify(field);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}
