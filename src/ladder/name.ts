// Names of bots and owners: what they may look like and which ones nobody may take.

import { LIMITS } from "#protocol/limits.ts";

import { HOUSE_BOTS, HOUSE_OWNER } from "./house.ts";

/** Also the pattern of the JSON Schema. ASCII alone, so lower case is unique without Unicode. */
export const BOT_NAME_PATTERN = `^[A-Za-z0-9_-]{${LIMITS.bot_name_min},${LIMITS.bot_name_max}}$`;

const botName = new RegExp(BOT_NAME_PATTERN);
/** A handle also begins with a letter or digit. */
const handle = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9._-]{${LIMITS.handle_min - 1},${LIMITS.handle_max - 1}}$`,
);

/** The last six would confuse programs that use a name as an object key or print a missing one. */
const RESERVED: ReadonlySet<string> = new Set([
  ...HOUSE_BOTS.flatMap(({ name, short, display }) => [name, short, display.toLowerCase()]),
  HOUSE_OWNER,
  "admin",
  "human",
  "api",
  "system",
  "constructor",
  "prototype",
  "__proto__",
  "null",
  "undefined",
]);

/** Whether a bot could have this name: for look-ups, where house bots are found too. */
export function isBotName(text: string): boolean {
  return botName.test(text);
}

/** Whether a new bot may take this name, were it free. */
export function isFreeBotName(text: string): boolean {
  return isBotName(text) && !isReserved(text);
}

/** Whether a person may be called so. */
export function isFreeHandle(text: string): boolean {
  return handle.test(text) && !isReserved(text);
}

function isReserved(text: string): boolean {
  return RESERVED.has(text.toLowerCase());
}
