import { ownerIdOf } from "#core/accounts/name-rules.ts";
import type { OwnerReference } from "#core/accounts/name-rules.ts";
import type { AvatarName } from "#core/ids/avatars.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import type { AccountId, BotId, OwnerId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

export type BotRecord = {
  id: BotId;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
  ownerBanned: boolean;
  status: BotStatus;
  /** Reason and time of the last status change by an operator. Null if there was no change. */
  statusReason: string | null;
  statusSince: string | null;
  /** UTC ISO-8601 instant, like every time in the store. */
  created: string;
  avatar: AvatarName | null;
};

type NewBot = Pick<BotRecord, "id" | "name" | "owner" | "house" | "created"> & {
  /** Null if the owner has no account. */
  accountId: AccountId | null;
};

export function newBot({ id, name, owner, house, created, accountId }: NewBot): BotRecord {
  const ownerId = ownerIdOf({ house, owner, accountId });
  const status = { status: "active", statusReason: null, statusSince: null } as const;
  return { id, name, owner, ownerId, house, ownerBanned: false, ...status, created, avatar: null };
}

/** With `former`, the token is replaced only if `former` is its current hash. */
export type TokenRotation = { former?: string; audit?: AuditEntry };

/** The status changes only if it is one of `from`. */
export type StatusChange = {
  from: readonly BotStatus[];
  to: BotStatus;
  reason: string | null;
  at: string;
};

export type StatusOutcome = { isChanged: boolean; bot: BotRecord };

/**
 * An owner name without an account is rejected if it is, or recently was, a handle. An account can
 * own bots only while it exists and has a handle.
 */
/** `daily_limit`: the account has reached `new_bots_per_day`. */
export type AddBotOutcome =
  | "added"
  | "name_taken"
  | "bot_limit"
  | "daily_limit"
  | "owner_taken"
  | "no_handle";

export type NameReservation = { at: string; until: string };

/**
 * `own`: the account already owns the bot, which is unchanged. Outcomes other than "claimed" and
 * "own" are rejections.
 */
export type ClaimOutcome =
  | { outcome: "claimed" | "own"; bot: BotRecord }
  | { outcome: "no_handle" | "already_claimed" | "bot_limit" | "moderated" | "retired" };

export type BotSearchResult = { bots: BotRecord[]; owners: OwnerReference[] };

export function nameKey(name: string): string {
  return name.toLowerCase();
}

const BOT_DELETION_SUBJECTS = "bots facts tokens versions retired matches casual replays".split(
  " ",
);

/** Bots show their owner's handle and ban, so this includes the owner. */
export const botSubjects = (bot: BotRecord | null): string[] =>
  bot === null ? [] : [`bot:${bot.id}`, `owner:${bot.ownerId}`];

const auditSubject = (audit: AuditEntry | undefined): string[] =>
  audit === undefined ? [] : ["audit"];

/**
 * Audit entries are written in the same transaction as the change, and only if something changes.
 */
export const BOTS = {
  /**
   * Adds a bot. Names are unique regardless of case. `limit` is the number of bots an owner may
   * have, not counting retired bots. Bots of an account get its current handle as owner name.
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
  /** Returns bots in any order. Omits unknown IDs. */
  byIds: reads<(ids: readonly BotId[]) => Promise<BotRecord[]>>((bots, ids) =>
    bots.length < ids.length ? ["facts", "bots"] : ["facts"],
  ),
  /** `stale` is true for a token that was rotated while the bot was banned. */
  byToken: reads<(tokenHash: string) => Promise<{ bot: BotRecord; stale: boolean } | null>>(() => [
    "tokens",
    "facts",
  ]),
  /**
   * Returns up to `limit` bots and `limit` owners whose names contain the text, which must be
   * folded by `ownerFold`. Names that begin with the text come first; otherwise, results are sorted
   * by name. Omits banned bots.
   */
  search: reads<(text: string, limit: number) => Promise<BotSearchResult>>(() => ["bots", "facts"]),
  /** Returns bots, oldest first. */
  listByOwners: reads<(ownerIds: readonly OwnerId[]) => Promise<BotRecord[]>>((_, ownerIds) => [
    "bots",
    "facts",
    ...ownerIds.map((id) => `owner:${id}`),
  ]),
  /** Returns the bots that have played a ranked match. */
  filterPlayed: readsUncached<(ids: readonly BotId[]) => Promise<BotId[]>>(),
  /** Returns suspended and banned bots, latest change first. */
  listModerated: readsUncached<(limit: number) => Promise<BotRecord[]>>(),
  /** Returns house bots, oldest first. */
  house: reads<() => Promise<BotRecord[]>>(() => ["facts", "bots"]),
  /** Returns the next `limit` IDs in order. Starts at the first ID if `afterId` is null. */
  ids: reads<(afterId: BotId | null, limit: number) => Promise<BotId[]>>(() => ["bots"]),
  /** Replaces the token. Deletes the old hash, or keeps it as stale if the bot is banned. */
  rotateToken: writes<(id: BotId, tokenHash: string, rotation?: TokenRotation) => Promise<boolean>>(
    (isRotated, _id, _hash, rotation) =>
      isRotated === false ? [] : ["tokens", ...auditSubject(rotation?.audit)],
  ),
  /** Returns null if the bot doesn't exist. */
  setStatus: writes<
    (id: BotId, change: StatusChange, audit?: AuditEntry) => Promise<StatusOutcome | null>
  >((outcome, id, _change, audit) =>
    outcome === null || outcome?.isChanged === false
      ? []
      : ["facts", `bot:${id}`, ...auditSubject(audit)],
  ),
  /** Assigns a bot without an account to the claimant. `limit` works as in `add`. */
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
  /** Renames a bot and reserves its former name. Returns null if the bot doesn't exist. */
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
  /** Returns null if the bot doesn't exist. */
  setAvatar: writes<(id: BotId, avatar: AvatarName | null) => Promise<BotRecord | null>>(
    (_, id) => ["facts", `bot:${id}`],
  ),
  /**
   * Deletes a bot that never played a ranked match, with its versions and unranked matches. The
   * sweep of orphaned files removes their replays. Nothing changes unless the result is "deleted".
   */
  delete: writes<(id: BotId, audit?: AuditEntry) => Promise<"deleted" | "played" | "unknown">>(
    (outcome, id, audit) =>
      outcome === "played" || outcome === "unknown"
        ? []
        : [...BOT_DELETION_SUBJECTS, `bot:${id}`, `versions:${id}`, ...auditSubject(audit)],
  ),
};
