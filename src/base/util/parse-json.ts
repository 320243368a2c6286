// Parses JSON written by people. JSON.parse gives no position for some errors, and its messages
// quote text that may contain secrets.

/**
 * `position` has the form "line 1, column 2". Both are counted from 1, columns in UTF-16 code
 * units.
 */
export type ParsedJson = { value: unknown } | { position: string };

/** Returns the value, or the position of the syntax error. Ignores a byte order mark. */
export function parseJson(text: string): ParsedJson {
  const jsonText = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    return { value: JSON.parse(jsonText) };
  } catch (error) {
    return { position: positionAt(jsonText, errorOffset(jsonText, (error as Error).message)) };
  }
}

export const invalidJsonText = (position: string) =>
  `is not valid JSON: syntax error at ${position}`;

function errorOffset(jsonText: string, message: string): number {
  if (message === "Unexpected end of JSON input") return jsonText.length;
  const position = /at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
  return position === undefined ? unexpectedToken(jsonText) : Number(position);
}

const TOKEN = /[ \t\n\r]*("(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|true|false|null|[[\]{}:,])/gy;
const SPACE = /[ \t\n\r]*/y;

/**
 * Returns the offset of a token found where a value was expected. JSON.parse reports the position
 * of all other errors.
 */
function unexpectedToken(jsonText: string): number {
  let [end, previous] = [0, ","];
  for (const { 0: match, 1: token = "" } of jsonText.matchAll(TOKEN)) {
    const isEmpty = ["[]", "{}"].includes(previous + token);
    if ("[{:,".includes(previous) && "]}:,".includes(token) && !isEmpty) break;
    end += match.length;
    previous = token;
  }
  SPACE.lastIndex = end;
  return end + (SPACE.exec(jsonText)?.[0].length ?? 0);
}

function positionAt(jsonText: string, offset: number): string {
  const lines = jsonText.slice(0, offset).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
