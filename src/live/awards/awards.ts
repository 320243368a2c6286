// Turns stored matches into awards. Awards are computed from the store alone, so a crash loses
// nothing: whatever was not given is found again at the next start.

import { accountProgress } from "#core/events/account-progress.ts";
import type { Stay } from "#core/events/account-progress.ts";
import type { AwardFact, Awards } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { StoredGame } from "#core/events/stored-game.ts";
import type { AccountId, BotId, EventId } from "#core/words/ids.ts";
import type { EventPlayer } from "#data/store/progress.ts";
import type { Store } from "#data/store/store.ts";

import { openFolds, readOn, staysOf } from "./folds.ts";
import type { Folds } from "./folds.ts";
import { earnedBy, giveAwards } from "./give.ts";
import { openQueue } from "./queue.ts";
import type { QueueDeps } from "./queue.ts";

export type AwardDeps = QueueDeps & {
  store: Pick<Store, "accounts" | "events" | "awards" | "progress" | "members" | "bots">;
  events: LiveEvents;
  /** Whether people get letters about what they have earned. */
  hasMail: boolean;
  /** A UUIDv7. */
  newId: () => string;
  /** The UTC instant. */
  instant: () => string;
};

export type LiveAwards = Awards & {
  /** Resolves once everything that was stored up to now is looked at. */
  settled(): Promise<void>;
  stop(): void;
};

/** Bots in one read. */
const PORTION = 200;

/** Begins by looking at all matches that an earlier process may have left without their awards. */
export function openAwards(deps: AwardDeps): LiveAwards {
  const { store, events, instant } = deps;
  const folds = openFolds(store);
  const queue = openQueue(deps);
  const begun = instant();
  /** Bots that have played, by event and account. */
  const played = new Map<string, Set<BotId>>();
  const present = (id: EventId) => {
    const event = events.byId(id);
    return event !== null && isDue(event, instant()) ? event : null;
  };

  function lookLater({ id }: EventDefinition, accountId: AccountId, botId: BotId): void {
    const name = `${id} ${accountId}`;
    played.getOrInsertComputed(name, () => new Set()).add(botId);
    queue.add(name, async () => {
      const event = present(id);
      const botIds = played.get(name) ?? new Set();
      played.delete(name);
      try {
        if (event !== null) await give(deps, folds, event, { accountId, played: botIds });
      } catch (error) {
        const later = played.get(name) ?? new Set();
        played.set(name, later.union(botIds));
        throw error;
      }
    });
  }

  function lookAtAll(id: EventId, isStart: boolean): void {
    queue.add(`all ${id}`, async () => {
      const event = present(id);
      if (event === null) return;
      // Nothing more is stored of what was over before this process began.
      const isOver = isStart && eventPhase(event, begun) === "closed";
      await giveAll(deps, folds, event);
      if (isOver && events.byId(id) === event) await store.events.settle(id, instant());
    });
  }

  queue.add("start", async () => {
    const settled = new Set<EventId>(await store.events.settled());
    for (const { id } of events.all()) if (!settled.has(id)) lookAtAll(id, true);
  });

  return {
    stored: (game) => {
      if (!game.rated) return;
      const open = events
        .onLadder(game.ladderId)
        .filter((event) => event.enabled && eventPhase(event, game.ended) === "open");
      for (const event of open)
        for (const { botId, accountId } of game.seats) {
          if (accountId === null) continue;
          turnBack(folds, { event, botId, accountId }, game);
          lookLater(event, accountId, botId);
        }
    },
    changed: (id) => lookAtAll(id, false),
    progressOf: async (event, accountId) => {
      const stays = await staysOf(store, event, accountId);
      return accountProgress(event, await foldsOf(deps, folds, { event, accountId, stays }));
    },
    recount: (event) => recount(deps, event),
    give: (event, facts) => giveAwards(deps, event, facts),
    settled: () => queue.settled(),
    stop: () => queue.stop(),
  };
}

/** Whether matches may count for it already. */
const isDue = (event: EventDefinition, instant: string): boolean =>
  event.enabled && eventPhase(event, instant) !== "upcoming";

/** A wall clock that was set back puts a match before those that were looked at. */
function turnBack(
  folds: Folds,
  runner: { event: EventDefinition; botId: BotId; accountId: AccountId },
  { ended, matchId }: StoredGame,
): void {
  const last = folds.known(runner)?.last ?? null;
  if (last !== null && last.matchId !== matchId && ended <= last.ended) folds.forget(runner);
}

/** Looks at an account whose bots have played, and gives it what it has earned. */
async function give(
  deps: AwardDeps,
  folds: Folds,
  event: EventDefinition,
  { accountId, played }: { accountId: AccountId; played: ReadonlySet<BotId> | null },
): Promise<void> {
  const given = await deps.store.awards.ofAccount(accountId, event.id);
  if (given.length === event.achievements.length) return;
  const stays = await staysOf(deps.store, event, accountId);
  const bots = await foldsOf(deps, folds, { event, accountId, stays }, played);
  const known = new Set(given.map(({ achievementId }) => achievementId));
  const earned = earnedBy(event, accountId, bots).map(({ achievementId }) => achievementId);
  const due = new Set(earned).difference(known);
  if (due.size === 0) return;
  // Games were stored between the reads: a bot that was read first may have earned it before.
  const all = await foldsOf(deps, folds, { event, accountId, stays });
  const facts = earnedBy(event, accountId, all);
  await giveAwards(
    deps,
    event,
    facts.filter(({ achievementId }) => due.has(achievementId)),
  );
}

type Account = { event: EventDefinition; accountId: AccountId; stays: readonly Stay[] };

/** The oldest bot first. Those that have not played are as they are known. */
async function foldsOf(
  { store }: AwardDeps,
  folds: Folds,
  { event, accountId, stays }: Account,
  played: ReadonlySet<BotId> | null = null,
) {
  const found = [];
  for (const { id: botId } of await store.bots.ofOwners([accountId])) {
    const runner = { event, accountId, botId };
    const known = played === null || played.has(botId) ? null : folds.known(runner);
    found.push({ botId, fold: known ?? (await folds.latest(runner, stays)) });
  }
  return found;
}

/** Goes through everybody who has played in an event. */
async function eachPage(
  { store }: AwardDeps,
  event: EventDefinition,
  visit: (players: readonly EventPlayer[]) => Promise<void>,
): Promise<void> {
  for (let after: BotId | null = null; ;) {
    const players = await store.progress.players(event, after, PORTION);
    await visit(players);
    after = players.at(-1)?.botId ?? null;
    if (players.length < PORTION || after === null) return;
  }
}

async function giveAll(deps: AwardDeps, folds: Folds, event: EventDefinition): Promise<void> {
  await eachPage(deps, event, async (players) => {
    for (const accountId of new Set(players.map((player) => player.accountId)))
      await give(deps, folds, event, { accountId, played: null });
  });
}

async function recount(deps: AwardDeps, event: EventDefinition): Promise<AwardFact[]> {
  const accounts = new Set<AccountId>();
  await eachPage(deps, event, async (players) => {
    for (const { accountId } of players) accounts.add(accountId);
  });
  const facts: AwardFact[] = [];
  for (const accountId of accounts) {
    const stays = await staysOf(deps.store, event, accountId);
    const bots = [];
    for (const { id: botId } of await deps.store.bots.ofOwners([accountId])) {
      const fold = await readOn(deps.store, { event, botId, accountId }, stays, null);
      bots.push({ botId, fold });
    }
    facts.push(...earnedBy(event, accountId, bots));
  }
  return facts.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = ({ earnedAt, accountId, achievementId }: AwardFact): string =>
  `${earnedAt} ${accountId} ${achievementId}`;
