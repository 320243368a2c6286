// Names of bots and owners: syntax and reserved names.

import { HOUSE_BOTS, HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { AccountId, OwnerId } from "#core/ids/ids.ts";
import { isLabel } from "#core/ladder/label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/**
 * Also the pattern in the JSON Schema. ASCII only, so lower case is unique without Unicode folding.
 */
export const BOT_NAME_PATTERN = `^[A-Za-z0-9_-]{${FIXED_LIMITS.bot_name_min},${FIXED_LIMITS.bot_name_max}}$`;

const botNameRegex = new RegExp(BOT_NAME_PATTERN);
/**
 * The last six would confuse programs that use a name as an object key or print a missing value.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
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

/** Prefixes that new names can't use, so that no bot or account can pass for an official one. */
const RESERVED_PREFIXES = ["house-", "house_", "house.", "bout-", "bout_", "bout.", "admin"];

/** Reserved for owners: words for a role on this server or for a missing owner. */
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
/** Where an id or a name is accepted, a text of this form is an id. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Why a name is rejected. */
export type NameError = "malformed" | "reserved";

/** Returns whether a bot name is well formed. For lookups, so names of house bots pass. */
export function isBotName(text: string): boolean {
  return botNameRegex.test(text);
}

/** Returns why a new bot can't take a name, even if it's available; null if it can. */
export function botNameError(text: string): NameError | null {
  if (!isBotName(text)) return "malformed";
  return isReserved(text) ? "reserved" : null;
}

const WORD = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const LATIN_LOOKALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns whether a word mixes scripts with look-alike letters, which no language does. */
function hasMixedScripts(text: string): boolean {
  const words = text.normalize("NFKC").match(WORD) ?? [];
  return words.some((word) => LATIN.test(word) && LATIN_LOOKALIKES.test(word));
}

/**
 * Returns why an owner can't have this name; null if allowed. Any label is allowed except ids and
 * reserved words.
 */
export function ownerNameError(text: string): NameError | null {
  const normalizedOwner = normalizeOwner(text);
  if (!isLabel(text, FIXED_LIMITS.owner_max) || UUID.test(normalizedOwner) || hasMixedScripts(text))
    return "malformed";
  return isReserved(normalizedOwner) || RESERVED_OWNERS.has(normalizedOwner) ? "reserved" : null;
}

/** Identifies a bot's owner; `accountId` is null unless the owner is an account. */
type Ownership = { house: boolean; owner: string; accountId: AccountId | null };

/** Returns a key that is equal for bots of the same owner. */
export function ownerIdOf({ house, owner, accountId }: Ownership): OwnerId {
  if (house) return HOUSE_OWNER;
  return accountId ?? `anon:${normalizeOwner(owner)}`;
}

/**
 * Returns the id of the account that owns a bot; null for the house and for owners without an
 * account.
 */
export function accountIdOfOwner(ownerId: OwnerId): AccountId | null {
  return UUID.test(ownerId) ? (ownerId as string) : null;
}

/** The fields that locate an owner's profile. */
export type OwnerReference = { owner: string; ownerId: OwnerId; ownerBanned: boolean };

/** Returns the path of an owner's profile; null for owners without one. */
export function ownerProfilePath({ owner, ownerId, ownerBanned }: OwnerReference): string | null {
  return ownerBanned || accountIdOfOwner(ownerId) === null ? null : `/user/${owner}`;
}

/** Returns why a bot with a valid token can't play; null if it can. */
export function playRefusal(
  { house, ownerId }: { house: boolean; ownerId: OwnerId },
  isAnonymous: boolean,
): "account_required" | null {
  return isAnonymous || house || accountIdOfOwner(ownerId) !== null ? null : "account_required";
}

/**
 * Returns the normalized name of an owner without an account. Owners with equal results are the
 * same.
 */
export function normalizeOwner(owner: string): string {
  return owner.normalize("NFKC").trim().toLowerCase();
}

function isReserved(text: string): boolean {
  const key = text.toLowerCase();
  return RESERVED_NAMES.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
