// Parses JSON that people write. JSON.parse gives no position for some errors and quotes the text
// in others, which may hold secrets.

/** `place` is "line 1, column 2", both counted from 1 (columns in UTF-16 code units). */
export type ParsedJson = { value: unknown } | { place: string };

/** Ignores a byte order mark. */
export function parseJson(text: string): ParsedJson {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    return { place: placeOf(json, faultOffset(json, (error as Error).message)) };
  }
}

/** The end of a sentence about text that is not JSON. */
export const notJson = (place: string) => `is not valid JSON: syntax error at ${place}`;

function faultOffset(json: string, message: string): number {
  if (message === "Unexpected end of JSON input") return json.length;
  const position = /at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
  return position === undefined ? unexpectedToken(json) : Number(position);
}

const TOKEN = /[ \t\n\r]*("(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|true|false|null|[[\]{}:,])/gy;
const SPACE = /[ \t\n\r]*/y;

/** Offset of the token that stands where a value must. JSON.parse reports other errors itself. */
function unexpectedToken(json: string): number {
  let [end, previous] = [0, ","];
  for (const { 0: match, 1: token = "" } of json.matchAll(TOKEN)) {
    const isEmpty = ["[]", "{}"].includes(previous + token);
    if ("[{:,".includes(previous) && "]}:,".includes(token) && !isEmpty) break;
    end += match.length;
    previous = token;
  }
  SPACE.lastIndex = end;
  return end + (SPACE.exec(json)?.[0].length ?? 0);
}

function placeOf(json: string, offset: number): string {
  const lines = json.slice(0, offset).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
