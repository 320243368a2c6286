// Bots and their tokens.

import { ownerIdOf } from "#core/accounts/name.ts";
import type { AvatarName } from "#core/words/avatars.ts";
import type { BotStatus } from "#core/words/bot-status.ts";
import type { AccountId, BotId, OwnerId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { reads, writes } from "./method.ts";

export type BotRecord = {
  id: BotId;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
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
  return { id, name, owner, ownerId, house, ...status, created, avatar: null };
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

export type AddBotOutcome = "added" | "name_taken" | "bot_limit";

export type FoundBots = { bots: BotRecord[]; owners: string[] };

/** The form in which names are compared: without regard to case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

const GOES_WITH_A_BOT = "bots facts tokens versions retired matches casual replays".split(" ");

const audited = (audit: AuditEntry | undefined): string[] => (audit === undefined ? [] : ["audit"]);

/** An audit entry is written in the transaction of what it records, and only if that happens. */
export const BOTS = {
  /** Names are unique without regard to case; `limit` counts the owner's bots except retired ones. */
  add: writes<
    (
      bot: BotRecord,
      tokenHash: string,
      limit: number | null,
      audit?: AuditEntry,
    ) => Promise<AddBotOutcome>
  >((outcome, { id, name }, _hash, _limit, audit) =>
    outcome === "name_taken" || outcome === "bot_limit"
      ? []
      : ["bots", "tokens", `name:${nameKey(name)}`, `bot:${id}`, ...audited(audit)],
  ),
  byName: reads<(name: string) => Promise<BotRecord | null>>((bot, name) => [
    `name:${nameKey(name)}`,
    ...(bot === null ? [] : [`bot:${bot.id}`]),
  ]),
  byId: reads<(id: BotId) => Promise<BotRecord | null>>((_, id) => [`bot:${id}`]),
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
  /**
   * Deletes a bot that never played a ranked match, with its versions and its other matches, whose
   * replays are left to the sweep of orphaned files. "played" means that nothing changed.
   */
  delete: writes<(id: BotId, audit?: AuditEntry) => Promise<"deleted" | "played">>(
    (outcome, id, audit) =>
      outcome === "played"
        ? []
        : [...GOES_WITH_A_BOT, `bot:${id}`, `versions:${id}`, ...audited(audit)],
  ),
};
