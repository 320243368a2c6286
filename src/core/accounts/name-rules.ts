import { HOUSE_BOTS, HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { AccountId, OwnerId } from "#core/ids/ids.ts";
import { isLabel } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/** Shared with the JSON Schema. ASCII only, so that lowercasing needs no Unicode folding. */
export const BOT_NAME_PATTERN = `^[A-Za-z0-9_-]{${FIXED_LIMITS.bot_name_min},${FIXED_LIMITS.bot_name_max}}$`;

const botNameRegex = new RegExp(BOT_NAME_PATTERN);
/** The last six would confuse programs that use a name as an object key or print missing values. */
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

/** Reserved so that no new bot or account can pass for an official one. */
const RESERVED_PREFIXES = ["house-", "house_", "house.", "bout-", "bout_", "bout.", "admin"];

/** Reserved for owners: server roles, and placeholders for a missing owner. */
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
/** Where both ids and names are accepted, text in this form is an id. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type NameError = "malformed" | "reserved";

/**
 * Returns whether a bot name is well formed. Accepts names of house bots, because lookups use it
 * too.
 */
export function isBotName(text: string): boolean {
  return botNameRegex.test(text);
}

/**
 * Returns why a new bot can't use a name, or null if it can. Doesn't check whether the name is
 * taken.
 */
export function botNameError(text: string): NameError | null {
  if (!isBotName(text)) return "malformed";
  return isReserved(text) ? "reserved" : null;
}

const WORD = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LATIN_LOOKALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns whether a word mixes look-alike scripts, which no language does. */
function hasMixedScripts(text: string): boolean {
  const words = text.normalize("NFKC").match(WORD) ?? [];
  return words.some((word) => LATIN.test(word) && LATIN_LOOKALIKES.test(word));
}

/** Returns why an owner can't have this name, or null if it's allowed. */
export function ownerNameError(text: string): NameError | null {
  const normalizedOwner = normalizeOwner(text);
  if (!isLabel(text, FIXED_LIMITS.owner_max) || UUID.test(normalizedOwner) || hasMixedScripts(text))
    return "malformed";
  return isReserved(normalizedOwner) || RESERVED_OWNERS.has(normalizedOwner) ? "reserved" : null;
}

/** `accountId` is null unless the owner is an account. */
type Ownership = { house: boolean; owner: string; accountId: AccountId | null };

/** Returns a key that is the same for all of an owner's bots. */
export function ownerIdOf({ house, owner, accountId }: Ownership): OwnerId {
  if (house) return HOUSE_OWNER;
  return accountId ?? `anon:${normalizeOwner(owner)}`;
}

/**
 * Returns the id of the account that owns a bot, or null for the house and for owners without an
 * account.
 */
export function accountIdOfOwner(ownerId: OwnerId): AccountId | null {
  return UUID.test(ownerId) ? (ownerId as string) : null;
}

export type OwnerReference = { owner: string; ownerId: OwnerId; ownerBanned: boolean };

/** Returns the path of an owner's profile, or null if the owner has no profile. */
export function ownerProfilePath({ owner, ownerId, ownerBanned }: OwnerReference): string | null {
  return ownerBanned || accountIdOfOwner(ownerId) === null ? null : `/user/${owner}`;
}

/** Returns why a bot with a valid token can't play, or null if it can. */
export function playRefusal(
  { house, ownerId }: { house: boolean; ownerId: OwnerId },
  isAnonymous: boolean,
): "account_required" | null {
  return isAnonymous || house || accountIdOfOwner(ownerId) !== null ? null : "account_required";
}

/**
 * Returns the normalized name of an owner without an account. Names with the same result belong to
 * the same owner.
 */
export function normalizeOwner(owner: string): string {
  return owner.normalize("NFKC").trim().toLowerCase();
}

function isReserved(text: string): boolean {
  const key = text.toLowerCase();
  return RESERVED_NAMES.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
