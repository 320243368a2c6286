import { ownerIdOf } from "#core/accounts/name-rules.ts";
import type { OwnerReference } from "#core/accounts/name-rules.ts";
import type { AvatarName } from "#core/ids/avatars.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import type { AccountId, BotId, OwnerId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./method.ts";

export type BotRecord = {
  id: BotId;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
  /** Whether the owning account is banned. */
  ownerBanned: boolean;
  status: BotStatus;
  /** Reason and time of the operator's status change; null before any change. */
  statusReason: string | null;
  statusSince: string | null;
  /** UTC ISO-8601 instant, like every time in the store. */
  created: string;
  avatar: AvatarName | null;
};

type NewBot = Pick<BotRecord, "id" | "name" | "owner" | "house" | "created"> & {
  /** The owning account, or null. */
  accountId: AccountId | null;
};

export function newBot({ id, name, owner, house, created, accountId }: NewBot): BotRecord {
  const ownerId = ownerIdOf({ house, owner, accountId });
  const status = { status: "active", statusReason: null, statusSince: null } as const;
  return { id, name, owner, ownerId, house, ownerBanned: false, ...status, created, avatar: null };
}

/** With `former`, replaces the token only if that is its current hash; false otherwise. */
export type TokenRotation = { former?: string; audit?: AuditEntry };

/** Compare and set: the status changes only if it is one of `from`. */
export type StatusChange = {
  from: readonly BotStatus[];
  to: BotStatus;
  reason: string | null;
  /** UTC instant. */
  at: string;
};

/** The bot as it is now, and whether this call changed it. */
export type StatusOutcome = { isChanged: boolean; bot: BotRecord };

/**
 * A free-text owner is rejected if it is a handle or was one recently. An account can't own bots
 * without a handle or after its deletion.
 */
/** `daily_limit`: the account's `new_bots_per_day` is reached. */
export type AddBotOutcome =
  | "added"
  | "name_taken"
  | "bot_limit"
  | "daily_limit"
  | "owner_taken"
  | "no_handle";

/** A former name, reserved until this instant. */
export type NameReservation = { at: string; until: string };

/**
 * A bot that the claimant already owns is unchanged. Anything but "claimed" and "own" is a
 * rejection.
 */
export type ClaimOutcome =
  | { outcome: "claimed" | "own"; bot: BotRecord }
  | { outcome: "no_handle" | "already_claimed" | "bot_limit" | "moderated" | "retired" };

export type BotSearchResult = { bots: BotRecord[]; owners: OwnerReference[] };

/** Folds a name for case-insensitive comparison. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

const BOT_DELETION_SUBJECTS = "bots facts tokens versions retired matches casual replays".split(
  " ",
);

/** A bot shows its owner's handle, and whether the owner is banned. */
export const botSubjects = (bot: BotRecord | null): string[] =>
  bot === null ? [] : [`bot:${bot.id}`, `owner:${bot.ownerId}`];

const auditSubject = (audit: AuditEntry | undefined): string[] =>
  audit === undefined ? [] : ["audit"];

/** An audit entry is written in the transaction of what it records, and only if that happens. */
export const BOTS = {
  /**
   * Names are unique regardless of case; `limit` counts the owner's bots except retired ones. A bot
   * of an account gets the account's current handle as its owner.
   */
  add: writes<
    (
      bot: BotRecord,
      tokenHash: string,
      limit: number | null,
      audit?: AuditEntry,
    ) => Promise<AddBotOutcome>
  >((outcome, { id, name }, _hash, _limit, audit) =>
    outcome !== undefined && outcome !== "added"
      ? []
      : ["bots", "tokens", `name:${nameKey(name)}`, `bot:${id}`, ...auditSubject(audit)],
  ),
  byName: reads<(name: string) => Promise<BotRecord | null>>((bot, name) => [
    `name:${nameKey(name)}`,
    ...botSubjects(bot),
  ]),
  /** Finds a bot by a former name that is still reserved. */
  byFormerName: reads<(name: string, now: string) => Promise<BotRecord | null>>((bot, name) =>
    bot === null ? ["bots"] : [`name:${nameKey(name)}`, ...botSubjects(bot)],
  ),
  byId: reads<(id: BotId) => Promise<BotRecord | null>>((bot, id) => [
    `bot:${id}`,
    ...botSubjects(bot),
  ]),
  /** In any order; unknown IDs are omitted. */
  byIds: reads<(ids: readonly BotId[]) => Promise<BotRecord[]>>((bots, ids) =>
    bots.length < ids.length ? ["facts", "bots"] : ["facts"],
  ),
  /** `stale` is true for a hash that a ban replaced. */
  byToken: reads<(tokenHash: string) => Promise<{ bot: BotRecord; stale: boolean } | null>>(() => [
    "tokens",
    "facts",
  ]),
  /**
   * Up to `limit` bots and `limit` owners whose name contains the text, folded by `ownerFold`.
   * Names that begin with it come first, then by name. Omits banned bots.
   */
  search: reads<(text: string, limit: number) => Promise<BotSearchResult>>(() => ["bots", "facts"]),
  /** Oldest first. */
  listByOwners: reads<(ownerIds: readonly OwnerId[]) => Promise<BotRecord[]>>((_, ownerIds) => [
    "bots",
    "facts",
    ...ownerIds.map((id) => `owner:${id}`),
  ]),
  /** Filters the bots to those that have played a ranked match. */
  filterPlayed: readsUncached<(ids: readonly BotId[]) => Promise<BotId[]>>(),
  /** Suspended and banned bots, latest change first. */
  listModerated: readsUncached<(limit: number) => Promise<BotRecord[]>>(),
  /** House bots, oldest first. */
  house: reads<() => Promise<BotRecord[]>>(() => ["facts", "bots"]),
  /** The next `limit` IDs in order, after the given one, or from the first if null. */
  ids: reads<(afterId: BotId | null, limit: number) => Promise<BotId[]>>(() => ["bots"]),
  /** Deletes the old hash, except that a banned bot's is kept as stale. */
  rotateToken: writes<(id: BotId, tokenHash: string, rotation?: TokenRotation) => Promise<boolean>>(
    (isRotated, _id, _hash, rotation) =>
      isRotated === false ? [] : ["tokens", ...auditSubject(rotation?.audit)],
  ),
  /** Null if the bot doesn't exist. */
  setStatus: writes<
    (id: BotId, change: StatusChange, audit?: AuditEntry) => Promise<StatusOutcome | null>
  >((outcome, id, _change, audit) =>
    outcome === null || outcome?.isChanged === false
      ? []
      : ["facts", `bot:${id}`, ...auditSubject(audit)],
  ),
  /** Assigns a bot without an account to an account. `limit` works as for `add`. */
  claim: writes<
    (
      id: BotId,
      claimantId: AccountId,
      limit: number,
      audit: AuditEntry,
    ) => Promise<ClaimOutcome | null>
  >((outcome, id, claimantId) =>
    outcome === undefined || outcome?.outcome === "claimed"
      ? ["bots", "facts", `bot:${id}`, `owner:${claimantId}`, "audit"]
      : [],
  ),
  /** Renames a bot and reserves its former name. Null if the bot doesn't exist. */
  rename: writes<
    (
      id: BotId,
      name: string,
      reservation: NameReservation,
      audit: AuditEntry,
    ) => Promise<BotRecord | "name_taken" | null>
  >((outcome, id, name) =>
    outcome === "name_taken" || outcome === null
      ? []
      : ["bots", "facts", `bot:${id}`, `name:${nameKey(name)}`, "audit"],
  ),
  /** Null if the bot doesn't exist. */
  setAvatar: writes<(id: BotId, avatar: AvatarName | null) => Promise<BotRecord | null>>(
    (_, id) => ["facts", `bot:${id}`],
  ),
  /**
   * Deletes a bot that never played a ranked match, with its versions and other matches; the sweep
   * of orphaned files removes their replays. Any result but "deleted" means that nothing changed.
   */
  delete: writes<(id: BotId, audit?: AuditEntry) => Promise<"deleted" | "played" | "unknown">>(
    (outcome, id, audit) =>
      outcome === "played" || outcome === "unknown"
        ? []
        : [...BOT_DELETION_SUBJECTS, `bot:${id}`, `versions:${id}`, ...auditSubject(audit)],
  ),
};
