// Bots and their tokens.

import { ownerIdOf } from "#core/accounts/name.ts";
import type { Owner } from "#core/accounts/name.ts";
import type { AvatarName } from "#core/words/avatars.ts";
import type { BotStatus } from "#core/words/bot-status.ts";
import type { AccountId, BotId, OwnerId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, reads, writes } from "./method.ts";

export type BotRecord = {
  id: BotId;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
  /** Whether the account that owns it is banned. */
  ownerBanned: boolean;
  status: BotStatus;
  /** What the operator who set the status gave as the reason, and when; null before any change. */
  statusReason: string | null;
  statusSince: string | null;
  /** UTC ISO-8601 instant, as every time in the store. */
  created: string;
  avatar: AvatarName | null;
};

type NewBot = Pick<BotRecord, "id" | "name" | "owner" | "house" | "created"> & {
  /** The account that owns it; null for none. */
  accountId: AccountId | null;
};

export function newBot({ id, name, owner, house, created, accountId }: NewBot): BotRecord {
  const ownerId = ownerIdOf({ house, owner, accountId });
  const status = { status: "active", statusReason: null, statusSince: null } as const;
  return { id, name, owner, ownerId, house, ownerBanned: false, ...status, created, avatar: null };
}

/** With `former`, a token is replaced only if that is its hash: the call is false if not. */
export type Rotation = { former?: string; audit?: AuditEntry };

/** Compare and set: a bot whose status is not one of `from` stays what it is. */
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
 * A free text cannot be an owner if it is, or was until lately, somebody's handle; an account cannot
 * be one without a handle or once it has left.
 */
/** `daily_limit`: `new_bots_per_day` of an account. */
export type AddBotOutcome =
  | "added"
  | "name_taken"
  | "bot_limit"
  | "daily_limit"
  | "owner_taken"
  | "no_handle";

/** A name that is given up, and the instant until which nobody else may take it. */
export type GivenUp = { at: string; until: string };

/** A bot of the claimant stays as it is. Anything but "claimed" and "own" is a refusal. */
export type ClaimOutcome =
  | { outcome: "claimed" | "own"; bot: BotRecord }
  | { outcome: "no_handle" | "already_claimed" | "bot_limit" | "moderated" | "retired" };

export type FoundBots = { bots: BotRecord[]; owners: Owner[] };

/** The form in which names are compared: without regard to case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

const GOES_WITH_A_BOT = "bots facts tokens versions retired matches casual replays".split(" ");

/** A bot shows its owner's handle, and whether the owner is banned. */
export const subjectsOf = (bot: BotRecord | null): string[] =>
  bot === null ? [] : [`bot:${bot.id}`, `owner:${bot.ownerId}`];

const audited = (audit: AuditEntry | undefined): string[] => (audit === undefined ? [] : ["audit"]);

/** An audit entry is written in the transaction of what it records, and only if that happens. */
export const BOTS = {
  /**
   * Names are unique without regard to case; `limit` counts the owner's bots except retired ones.
   * The owner of an account's bot is the account's handle of this moment.
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
      : ["bots", "tokens", `name:${nameKey(name)}`, `bot:${id}`, ...audited(audit)],
  ),
  byName: reads<(name: string) => Promise<BotRecord | null>>((bot, name) => [
    `name:${nameKey(name)}`,
    ...subjectsOf(bot),
  ]),
  /** By a name that it gave up and that is still kept for it. */
  byFormerName: reads<(name: string, now: string) => Promise<BotRecord | null>>((bot, name) =>
    bot === null ? ["bots"] : [`name:${nameKey(name)}`, ...subjectsOf(bot)],
  ),
  byId: reads<(id: BotId) => Promise<BotRecord | null>>((bot, id) => [
    `bot:${id}`,
    ...subjectsOf(bot),
  ]),
  /** In no particular order; ids that do not exist are left out. */
  byIds: reads<(ids: readonly BotId[]) => Promise<BotRecord[]>>((bots, ids) =>
    bots.length < ids.length ? ["facts", "bots"] : ["facts"],
  ),
  /** `stale` is true for a hash that a ban replaced. */
  byToken: reads<(tokenHash: string) => Promise<{ bot: BotRecord; stale: boolean } | null>>(() => [
    "tokens",
    "facts",
  ]),
  /**
   * At most `most` bots and `most` owners whose name contains the text, given as `ownerFold` makes
   * it; those that begin with it come first, then by name. Banned bots are not found.
   */
  search: reads<(text: string, most: number) => Promise<FoundBots>>(() => ["bots", "facts"]),
  /** Oldest first. */
  ofOwners: reads<(ownerIds: readonly OwnerId[]) => Promise<BotRecord[]>>((_, ownerIds) => [
    "bots",
    "facts",
    ...ownerIds.map((id) => `owner:${id}`),
  ]),
  /** Which of these bots have played a ranked match. */
  played: looks<(ids: readonly BotId[]) => Promise<BotId[]>>(),
  /** Suspended and banned bots, the latest dealt with first. */
  moderated: looks<(most: number) => Promise<BotRecord[]>>(),
  /** House bots, oldest first. */
  house: reads<() => Promise<BotRecord[]>>(() => ["facts", "bots"]),
  /** The next `most` ids in order, after the given one or, with null, from the first. */
  ids: reads<(after: BotId | null, most: number) => Promise<BotId[]>>(() => ["bots"]),
  /** Forgets the old hash, but for a bot that is banned by now: there it is kept as stale. */
  rotateToken: writes<(id: BotId, tokenHash: string, rotation?: Rotation) => Promise<boolean>>(
    (isDone, _id, _hash, rotation) =>
      isDone === false ? [] : ["tokens", ...audited(rotation?.audit)],
  ),
  /** Null when there is no such bot. */
  setStatus: writes<
    (id: BotId, change: StatusChange, audit?: AuditEntry) => Promise<StatusOutcome | null>
  >((outcome, id, _change, audit) =>
    outcome === null || outcome?.isChanged === false
      ? []
      : ["facts", `bot:${id}`, ...audited(audit)],
  ),
  /** An account takes a bot over that has none. `limit` is as for `add`. */
  claim: writes<
    (
      id: BotId,
      claimant: AccountId,
      limit: number,
      audit: AuditEntry,
    ) => Promise<ClaimOutcome | null>
  >((result, id, claimant) =>
    result === undefined || result?.outcome === "claimed"
      ? ["bots", "facts", `bot:${id}`, `owner:${claimant}`, "audit"]
      : [],
  ),
  /** Gives a bot another name and keeps the former one for it. Null when there is no such bot. */
  rename: writes<
    (
      id: BotId,
      name: string,
      formerly: GivenUp,
      audit: AuditEntry,
    ) => Promise<BotRecord | "name_taken" | null>
  >((outcome, id, name) =>
    outcome === "name_taken" || outcome === null
      ? []
      : ["bots", "facts", `bot:${id}`, `name:${nameKey(name)}`, "audit"],
  ),
  /** Null when there is no such bot. */
  setAvatar: writes<(id: BotId, avatar: AvatarName | null) => Promise<BotRecord | null>>(
    (_, id) => ["facts", `bot:${id}`],
  ),
  /**
   * Deletes a bot that never played a ranked match, with its versions and its other matches, whose
   * replays are left to the sweep of orphaned files. Anything else than "deleted" means that nothing
   * changed.
   */
  delete: writes<(id: BotId, audit?: AuditEntry) => Promise<"deleted" | "played" | "unknown">>(
    (outcome, id, audit) =>
      outcome === "played" || outcome === "unknown"
        ? []
        : [...GOES_WITH_A_BOT, `bot:${id}`, `versions:${id}`, ...audited(audit)],
  ),
};
