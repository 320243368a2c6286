// Names of bots and owners: what they may look like and which are reserved.

import { isLabel } from "#core/ladder/label.ts";
import { HOUSE_BOTS, HOUSE_OWNER } from "#core/words/house.ts";
import type { AccountId, OwnerId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

/**
 * Also the pattern in the JSON Schema. ASCII only, so lower case is unique without Unicode folding.
 */
export const BOT_NAME_PATTERN = `^[A-Za-z0-9_-]{${FIXED.bot_name_min},${FIXED.bot_name_max}}$`;

const botName = new RegExp(BOT_NAME_PATTERN);
/** The last six would confuse programs that use a name as an object key or print a missing one. */
const RESERVED: ReadonlySet<string> = new Set([
  ...HOUSE_BOTS.flatMap(({ name, short, display }) => [name, short, display.toLowerCase()]),
  HOUSE_OWNER,
  "admin",
  "staff",
  "human",
  "api",
  "system",
  "bout",
  "constructor",
  "prototype",
  "__proto__",
  "null",
  "undefined",
]);

/** New names may not begin with these, so that no bot or account passes for the server's own. */
const RESERVED_PREFIXES = ["house-", "house_", "house.", "bout-", "bout_", "bout.", "admin"];

/** Reserved for owners: words for a role on this server, or for nobody. */
const RESERVED_OWNERS: ReadonlySet<string> = new Set([
  "deleted",
  "anonymous",
  "public",
  "operator",
  "moderator",
  "support",
  "security",
  "sysadmin",
  "official",
  "root",
  "owner",
  "me",
]);
/** Where either an id or a name may stand, this is an id. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is wrong with a name. */
export type NameFault = "malformed" | "reserved";

/** Whether a bot could have this name. For look-ups, so the names of house bots count. */
export function isBotName(text: string): boolean {
  return botName.test(text);
}

/** Why no new bot may take a name, even if nobody has it; null if one may. */
export function botNameFault(text: string): NameFault | null {
  if (!isBotName(text)) return "malformed";
  return isReserved(text) ? "reserved" : null;
}

const WORD = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const LIKE_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a word has letters of scripts that are taken for one another, as no language has. */
function mixesScripts(text: string): boolean {
  const words = text.normalize("NFKC").match(WORD) ?? [];
  return words.some((word) => LATIN.test(word) && LIKE_LATIN.test(word));
}

/** Why no bot's owner may have this name: any label is free, ids and reserved words apart. */
export function ownerFault(text: string): NameFault | null {
  const fold = ownerFold(text);
  if (!isLabel(text, FIXED.owner_max) || UUID.test(fold) || mixesScripts(text)) return "malformed";
  return isReserved(fold) || RESERVED_OWNERS.has(fold) ? "reserved" : null;
}

/** What says whose a bot is; `accountId` is null unless it belongs to an account. */
type Owned = { house: boolean; owner: string; accountId: AccountId | null };

/** Two bots have the same owner if these are equal. */
export function ownerIdOf({ house, owner, accountId }: Owned): OwnerId {
  if (house) return HOUSE_OWNER;
  return accountId ?? `anon:${ownerFold(owner)}`;
}

/** The account that a bot belongs to; null for the house and for owners without one. */
export function accountOf(ownerId: OwnerId): AccountId | null {
  return UUID.test(ownerId) ? (ownerId as string) : null;
}

/** What says where an owner's profile is. */
export type Owner = { owner: string; ownerId: OwnerId; ownerBanned: boolean };

/** The path of an owner's profile; null for owners without one. */
export function ownerPath({ owner, ownerId, ownerBanned }: Owner): string | null {
  return ownerBanned || accountOf(ownerId) === null ? null : `/user/${owner}`;
}

/** Why a bot that has shown its token may not play here; null when it may. */
export function playRefusal(
  { house, ownerId }: { house: boolean; ownerId: OwnerId },
  isAnonymous: boolean,
): "account_required" | null {
  return isAnonymous || house || accountOf(ownerId) !== null ? null : "account_required";
}

/** Two owners without an account are the same if their folds are equal. */
export function ownerFold(owner: string): string {
  return owner.normalize("NFKC").trim().toLowerCase();
}

function isReserved(text: string): boolean {
  const key = text.toLowerCase();
  return RESERVED.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
