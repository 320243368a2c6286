// Who belongs where, as far as it is told outside: ladders, their members, bots and their owners.

import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountId, BotId, LadderId } from "#core/words/ids.ts";

import type { BotFacts, Watch } from "./watch.ts";

export type Register = {
  readonly ladders: Map<LadderId, LadderDefinition>;
  readonly bots: Map<BotId, BotFacts>;
  /** As ladder and account. */
  readonly members: Set<string>;
  /** By deed: what may be either way. */
  readonly open: Map<number, readonly string[]>;
  /** When the final standings of ladders were written. */
  readonly finished: Map<LadderId, string>;
  /** What a watch that keeps a register listens to. */
  readonly on: Watch["on"];
};

export function openRegister(): Register {
  const ladders = new Map([[DEFAULT_LADDER, PUBLIC]]);
  const bots = new Map<BotId, BotFacts>();
  const members = new Set<string>();
  const open = new Map<number, readonly string[]>();
  const finished = new Map<LadderId, string>();
  return {
    ladders,
    bots,
    members,
    open,
    finished,
    on: {
      registered: ({ bot }) => void bots.set(bot.id, bot),
      owned: ({ bot }) => void bots.set(bot.id, bot),
      ladder: ({ ladder }) => void ladders.set(ladder.id, ladder),
      member: ({ ladderId, accountId, isActive }) => {
        if (isActive) members.add(memberOf(ladderId, accountId));
        else members.delete(memberOf(ladderId, accountId));
      },
      changing: ({ deed, about }) => void open.set(deed, about),
      settled: ({ deed }) => void open.delete(deed),
      recalled: (recalled) => {
        open.clear();
        members.clear();
        for (const ladder of recalled.ladders) ladders.set(ladder.id, ladder);
        for (const { ladderId, accountId } of recalled.members)
          members.add(memberOf(ladderId, accountId));
      },
      ladder_finished: ({ ladderId, at }) => {
        if (!finished.has(ladderId)) finished.set(ladderId, at);
      },
    },
  };
}

export const memberOf = (ladderId: LadderId, accountId: AccountId): string =>
  `${ladderId} ${accountId}`;

/** Whether nobody is changing any of these. */
export function isSettled({ open }: Register, about: readonly string[]): boolean {
  return !open.values().some((others) => others.some((other) => about.includes(other)));
}

/** What a bot's right to play on a ladder hangs on. */
export function tiesOf({ id, accountId }: BotFacts, ladderId: LadderId): string[] {
  return [ladderId, id, ...(accountId === null ? [] : [memberOf(ladderId, accountId)])];
}

/** Whether a ladder takes a bot, whatever the clock says. */
export function belongs(
  { members }: Register,
  { id, access, house }: LadderDefinition,
  bot: BotFacts,
): boolean {
  const kind = HOUSE_BOTS.find(({ name }) => name === bot.name)?.short;
  if (bot.house) return kind === undefined || house.includes(kind);
  if (id === DEFAULT_LADDER) return true;
  return bot.accountId === null ? access === "open" : members.has(memberOf(id, bot.accountId));
}

/** Whether matches start on a ladder at an instant of the wall clock (ms UTC). */
export function isPlayedAt(
  { finished }: Register,
  ladder: LadderDefinition,
  wall: number,
): boolean {
  return ladder.enabled && isOpenAt(ladder, wall) && !finished.has(ladder.id);
}

export function isOpenAt({ opensAt, closesAt }: LadderDefinition, wall: number): boolean {
  const hasOpened = opensAt === null || wall >= Date.parse(opensAt);
  return hasOpened && (closesAt === null || wall < Date.parse(closesAt));
}
