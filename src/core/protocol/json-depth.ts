// How deeply JSON is nested, checked before parsing, because parsing takes memory for every level.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Deeper than any document of this project. */
const MOST_DEPTH = 64;

/** Whether lists and objects are nested deeper than any document here. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    else if (isString) at += code === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}
