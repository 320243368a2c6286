// Bots and their tokens.

import type { AvatarName } from "#core/words/avatars.ts";
import type { BotId, OwnerId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type BotStatus = "active" | "suspended" | "banned" | "retired";

export type BotRecord = {
  id: BotId;
  name: string;
  owner: string;
  ownerId: OwnerId;
  house: boolean;
  status: BotStatus;
  /** UTC ISO-8601 instant, like every time in the store. */
  created: string;
  avatar: AvatarName | null;
};

export type AddBotOutcome = "added" | "name_taken" | "bot_limit";

/** The form in which names are compared: without regard to case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

const GOES_WITH_A_BOT = "bots facts tokens versions retired matches casual replays".split(" ");

export const BOTS = {
  /**
   * Names are unique without regard to case; `limit` counts the owner's bots that are not retired.
   */
  add: writes<(bot: BotRecord, tokenHash: string, limit: number | null) => Promise<AddBotOutcome>>(
    (outcome, { id, name }) =>
      outcome === "name_taken" || outcome === "bot_limit"
        ? []
        : ["bots", "tokens", `name:${nameKey(name)}`, `bot:${id}`],
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
  /** House bots, oldest first. */
  house: reads<() => Promise<BotRecord[]>>(() => ["facts", "bots"]),
  /** The next `most` ids in order, after the given one or, with null, from the first. */
  ids: reads<(after: BotId | null, most: number) => Promise<BotId[]>>(() => ["bots"]),
  /** Forgets the old hash, except for a bot that is banned by now: it is kept as stale. */
  rotateToken: writes<(id: BotId, tokenHash: string) => Promise<void>>(() => ["tokens"]),
  /** False when the bot has that status already, or does not exist. */
  setStatus: writes<(id: BotId, status: BotStatus) => Promise<boolean>>((isNew, id) =>
    isNew === false ? [] : ["facts", `bot:${id}`],
  ),
  /**
   * Deletes a bot that never played a ranked match, with its versions and its other matches, whose
   * replays are left to the sweep of orphaned files. "played" means that nothing changed.
   */
  delete: writes<(id: BotId) => Promise<"deleted" | "played">>((outcome, id) =>
    outcome === "played" ? [] : [...GOES_WITH_A_BOT, `bot:${id}`, `versions:${id}`],
  ),
};
