// How far each bot has come in an event, kept in memory and brought up to date from the store.

import { emptyFold, withPlayed } from "#core/events/account-progress.ts";
import type { BotFold, Stay } from "#core/events/account-progress.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Store } from "#data/store/store.ts";

export type FoldStore = Pick<Store, "progress" | "members">;

/** A bot of an account in an event. */
export type Runner = { event: EventDefinition; botId: BotId; accountId: AccountId };

export type Folds = {
  /** As it was when it was asked for last; null where it is not known. */
  known(runner: Runner): BotFold | null;
  /** With all matches that are stored. */
  latest(runner: Runner, stays: readonly Stay[]): Promise<BotFold>;
  /** The next look begins with the first match. */
  forget(runner: Runner): void;
};

/** Games in one read. */
const PORTION = 500;
/** Bots whose folds are kept; those that were kept first go first. */
const KEPT = 5000;

export function openFolds(store: FoldStore): Folds {
  const kept = new Map<string, BotFold>();
  const serials = new WeakMap<EventDefinition, number>();
  let defined = 0;

  /** A changed event begins again, and so does another one of the same id. */
  function keyOf({ event, botId, accountId }: Runner): string {
    const serial = serials.get(event) ?? (defined += 1);
    serials.set(event, serial);
    return `${serial} ${botId} ${accountId}`;
  }

  function keep(runner: Runner, fold: BotFold): BotFold {
    const key = keyOf(runner);
    const known = kept.get(key);
    // Somebody else may have read on meanwhile.
    if (known !== undefined && isFurther(known, fold)) return known;
    kept.delete(key);
    kept.set(key, fold);
    const [oldest = ""] = kept.keys();
    if (kept.size > KEPT) kept.delete(oldest);
    return fold;
  }

  return {
    known: (runner) => kept.get(keyOf(runner)) ?? null,
    latest: async (runner, stays) =>
      keep(runner, await readOn(store, runner, stays, kept.get(keyOf(runner)) ?? null)),
    forget: (runner) => void kept.delete(keyOf(runner)),
  };
}

const placeOf = ({ last }: BotFold): string => `${last?.ended ?? ""} ${last?.matchId ?? ""}`;
const isFurther = (one: BotFold, other: BotFold): boolean => placeOf(one) > placeOf(other);

/** The fold with what was stored since; from the first match on without one. */
export async function readOn(
  { progress }: FoldStore,
  { event, botId, accountId }: Runner,
  stays: readonly Stay[],
  known: BotFold | null,
): Promise<BotFold> {
  const { ladderId, opensAt, closesAt, achievements } = event;
  const kinds = new Set(achievements.map(({ condition }) => condition.kind));
  const around = { event, accountId, stays, qualifyingGames: FIXED.qualifying_games };
  const before = { ladderId, opensAt: rankedSince(event), closesAt: opensAt };
  let fold =
    known ?? emptyFold(event, kinds.has("score") ? await progress.former(botId, before) : []);
  for (;;) {
    const from = fold.last ?? { ended: opensAt, matchId: null };
    const query = { botId, ladderId, from, before: closesAt, withTurns: kinds.has("clean") };
    const games = await progress.games({ ...query, most: PORTION });
    for (const game of games) fold = withPlayed(around, fold, game);
    if (games.length < PORTION) return fold;
  }
}

/** The month in which a season begins; a ladder without seasons counts from its first game on. */
const rankedSince = ({ ladderId, opensAt }: EventDefinition): string =>
  hasSeasons(ladderId) ? opensAt.slice(0, "2026-01".length) : "";

/** When an account was an active member of the event's ladder. */
export async function staysOf(
  { members }: FoldStore,
  { ladderId }: EventDefinition,
  accountId: AccountId,
): Promise<Stay[]> {
  if (hasSeasons(ladderId)) return [];
  const all = await members.ofAccount(accountId);
  return all
    .filter((one) => one.ladderId === ladderId && one.state === "active")
    .map(({ since, until }) => ({ since, until }));
}
