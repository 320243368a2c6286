// Checks how deeply JSON is nested before it is parsed, because parsing uses memory for every
// level.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Greater than the depth of any document in this project. */
const MAX_DEPTH = 64;

export function isJsonTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) isString = !isString;
    else if (isString) offset += code === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
