import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { AccountId, BotId, LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import type { BotFacts, Watch } from "./watch.ts";

export type LadderRegister = {
  readonly ladders: Map<LadderId, LadderDefinition>;
  readonly bots: Map<BotId, BotFacts>;
  /** Keys from `registerMemberKey`. */
  readonly members: Set<string>;
  /** By pending change: keys of the ladders, members and bots whose state is unknown. */
  readonly pendingChanges: Map<number, readonly string[]>;
  readonly finishedAt: Map<LadderId, string>;
  readonly on: Watch["on"];
};

export function createLadderRegister(): LadderRegister {
  const ladders = new Map([[DEFAULT_LADDER, PUBLIC_LADDER]]);
  const bots = new Map<BotId, BotFacts>();
  const members = new Set<string>();
  const pendingChanges = new Map<number, readonly string[]>();
  const finishedAt = new Map<LadderId, string>();
  return {
    ladders,
    bots,
    members,
    pendingChanges,
    finishedAt,
    on: {
      registered: ({ bot }) => void bots.set(bot.id, bot),
      owned: ({ bot }) => void bots.set(bot.id, bot),
      ladder: ({ ladder }) => void ladders.set(ladder.id, ladder),
      member: ({ ladderId, accountId, isActive }) => {
        if (isActive) members.add(registerMemberKey(ladderId, accountId));
        else members.delete(registerMemberKey(ladderId, accountId));
      },
      changing: ({ mutation, about }) => void pendingChanges.set(mutation, about),
      settled: ({ mutation }) => void pendingChanges.delete(mutation),
      recalled: (recalled) => {
        pendingChanges.clear();
        members.clear();
        for (const ladder of recalled.ladders) ladders.set(ladder.id, ladder);
        for (const { ladderId, accountId } of recalled.members)
          members.add(registerMemberKey(ladderId, accountId));
      },
      ladder_finished: ({ ladderId, at }) => {
        if (!finishedAt.has(ladderId)) finishedAt.set(ladderId, at);
      },
    },
  };
}

export const registerMemberKey = (ladderId: LadderId, accountId: AccountId): string =>
  `${ladderId} ${accountId}`;

export function hasNoPendingChange(
  { pendingChanges }: LadderRegister,
  about: readonly string[],
): boolean {
  return !pendingChanges.values().some((keys) => keys.some((key) => about.includes(key)));
}

export function dependencyKeys({ id, accountId }: BotFacts, ladderId: LadderId): string[] {
  return [ladderId, id, ...(accountId === null ? [] : [registerMemberKey(ladderId, accountId)])];
}

/** Whether a ladder admits a bot, ignoring opening times. */
export function isAllowedOn(
  { members }: LadderRegister,
  { id, access, house }: LadderDefinition,
  bot: BotFacts,
): boolean {
  const kind = HOUSE_BOTS.find(({ name }) => name === bot.name)?.short;
  if (bot.house) return kind === undefined || house.includes(kind);
  if (id === DEFAULT_LADDER) return true;
  return bot.accountId === null
    ? access === "open"
    : members.has(registerMemberKey(id, bot.accountId));
}

/** Whether a ladder starts matches at this wall-clock time (ms UTC). */
export function acceptsMatchesAt(
  { finishedAt }: LadderRegister,
  ladder: LadderDefinition,
  wall: number,
): boolean {
  return ladder.enabled && isOpenAt(ladder, wall) && !finishedAt.has(ladder.id);
}

export function isOpenAt({ opensAt, closesAt }: LadderDefinition, wall: number): boolean {
  const hasOpened = opensAt === null || wall >= Date.parse(opensAt);
  return hasOpened && (closesAt === null || wall < Date.parse(closesAt));
}
