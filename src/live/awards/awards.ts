// Gives awards for stored matches. Awards depend only on the store, so awards missed in a crash are
// given at the next start.

import { accountProgress } from "#core/events/account-progress.ts";
import type { MembershipInterval } from "#core/events/account-progress.ts";
import type { EarnedAward, AwardService } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { StoredRatedMatch } from "#core/events/stored-match.ts";
import type { AccountId, BotId, EventId } from "#core/ids/ids.ts";
import type { EventPlayer } from "#data/store/event-progress.ts";
import type { Store } from "#data/store/store.ts";

import {
  openEventProgressCache,
  readProgress,
  membershipIntervalsOf,
} from "./event-progress-cache.ts";
import type { EventProgressCache } from "./event-progress-cache.ts";
import { earnedAwards, giveAwards } from "./give-awards.ts";
import { openJobQueue } from "./job-queue.ts";
import type { JobQueueDeps } from "./job-queue.ts";

export type AwardDeps = JobQueueDeps & {
  store: Pick<Store, "accounts" | "events" | "awards" | "progress" | "members" | "bots">;
  events: LiveEvents;
  /** Whether awards trigger an email to the account. */
  hasMail: boolean;
  newId: () => string;
  /** UTC. */
  instant: () => string;
};

export type LiveAwards = AwardService & {
  /** Resolves when all matches stored so far have been checked. */
  whenIdle(): Promise<void>;
  stop(): void;
};

const PAGE_SIZE = 200;

/** Starts checking new matches, and all matches that an earlier process may have left unchecked. */
export function openAwards(deps: AwardDeps): LiveAwards {
  const { store, events, instant } = deps;
  const progressCache = openEventProgressCache(store);
  const queue = openJobQueue(deps);
  const processStart = instant();
  /** Bots with unchecked matches, by event and account. */
  const playedBots = new Map<string, Set<BotId>>();
  const dueEvent = (id: EventId) => {
    const event = events.byId(id);
    return event !== null && hasStarted(event, instant()) ? event : null;
  };

  function scheduleAccount({ id }: EventDefinition, accountId: AccountId, botId: BotId): void {
    const name = `${id} ${accountId}`;
    playedBots.getOrInsertComputed(name, () => new Set()).add(botId);
    queue.add(name, async () => {
      const event = dueEvent(id);
      const botIds = playedBots.get(name) ?? new Set();
      playedBots.delete(name);
      try {
        if (event !== null)
          await awardAccount(deps, progressCache, event, { accountId, playedBots: botIds });
      } catch (error) {
        const laterBots = playedBots.get(name) ?? new Set();
        playedBots.set(name, laterBots.union(botIds));
        throw error;
      }
    });
  }

  function scheduleEvent(id: EventId, isStart: boolean): void {
    queue.add(`all ${id}`, async () => {
      const event = dueEvent(id);
      if (event === null) return;
      // The event ended before this process started, so no further matches will be stored for it.
      const isOver = isStart && eventPhase(event, processStart) === "closed";
      await awardAll(deps, progressCache, event);
      if (isOver && events.byId(id) === event) await store.events.markSettled(id, instant());
    });
  }

  queue.add("start", async () => {
    const whenIdle = new Set<EventId>(await store.events.settledIds());
    for (const { id } of events.list()) if (!whenIdle.has(id)) scheduleEvent(id, true);
  });

  return {
    handleMatchStored: (match) => {
      if (!match.rated) return;
      const open = events
        .onLadder(match.ladderId)
        .filter((event) => event.enabled && eventPhase(event, match.ended) === "open");
      for (const event of open)
        for (const { botId, accountId } of match.seats) {
          if (accountId === null) continue;
          evictIfOutOfOrder(progressCache, { event, botId, accountId }, match);
          scheduleAccount(event, accountId, botId);
        }
    },
    handleEventChanged: (id) => scheduleEvent(id, false),
    getAccountProgress: async (event, accountId) => {
      const memberships = await membershipIntervalsOf(store, event, accountId);
      return accountProgress(
        event,
        await botProgressOf(deps, progressCache, { event, accountId, memberships }),
      );
    },
    recomputeAwards: (event) => recount(deps, event),
    grantAwards: (event, facts) => giveAwards(deps, event, facts),
    whenIdle: () => queue.whenIdle(),
    stop: () => queue.stop(),
  };
}

const hasStarted = (event: EventDefinition, instant: string): boolean =>
  event.enabled && eventPhase(event, instant) !== "upcoming";

/** If the wall clock was set back, a match can sort before matches that were already checked. */
function evictIfOutOfOrder(
  progressCache: EventProgressCache,
  participant: { event: EventDefinition; botId: BotId; accountId: AccountId },
  { ended, matchId }: StoredRatedMatch,
): void {
  const last = progressCache.cached(participant)?.last ?? null;
  if (last !== null && last.matchId !== matchId && ended <= last.ended)
    progressCache.evict(participant);
}

async function awardAccount(
  deps: AwardDeps,
  progressCache: EventProgressCache,
  event: EventDefinition,
  { accountId, playedBots }: { accountId: AccountId; playedBots: ReadonlySet<BotId> | null },
): Promise<void> {
  const existingAwards = await deps.store.awards.listByAccount(accountId, event.id);
  if (existingAwards.length === event.achievements.length) return;
  const memberships = await membershipIntervalsOf(deps.store, event, accountId);
  const bots = await botProgressOf(
    deps,
    progressCache,
    { event, accountId, memberships },
    playedBots,
  );
  const existingIds = new Set(existingAwards.map(({ achievementId }) => achievementId));
  const earned = earnedAwards(event, accountId, bots).map(({ achievementId }) => achievementId);
  const dueIds = new Set(earned).difference(existingIds);
  if (dueIds.size === 0) return;
  // Matches may have been stored between the reads, and a bot that was read first may have earned
  // the award earlier.
  const allProgress = await botProgressOf(deps, progressCache, { event, accountId, memberships });
  const facts = earnedAwards(event, accountId, allProgress);
  await giveAwards(
    deps,
    event,
    facts.filter(({ achievementId }) => dueIds.has(achievementId)),
  );
}

type EventAccount = {
  event: EventDefinition;
  accountId: AccountId;
  memberships: readonly MembershipInterval[];
};

/** Returns progress oldest bot first. Uses the cache for bots that aren't in `playedBots`. */
async function botProgressOf(
  { store }: AwardDeps,
  progressCache: EventProgressCache,
  { event, accountId, memberships }: EventAccount,
  playedBots: ReadonlySet<BotId> | null = null,
) {
  const results = [];
  for (const { id: botId } of await store.bots.listByOwners([accountId])) {
    const participant = { event, accountId, botId };
    const cachedProgress =
      playedBots === null || playedBots.has(botId) ? null : progressCache.cached(participant);
    results.push({
      botId,
      fold: cachedProgress ?? (await progressCache.refresh(participant, memberships)),
    });
  }
  return results;
}

async function forEachPlayerPage(
  { store }: AwardDeps,
  event: EventDefinition,
  handlePage: (players: readonly EventPlayer[]) => Promise<void>,
): Promise<void> {
  for (let after: BotId | null = null; ;) {
    const players = await store.progress.players(event, after, PAGE_SIZE);
    await handlePage(players);
    after = players.at(-1)?.botId ?? null;
    if (players.length < PAGE_SIZE || after === null) return;
  }
}

async function awardAll(
  deps: AwardDeps,
  progressCache: EventProgressCache,
  event: EventDefinition,
): Promise<void> {
  await forEachPlayerPage(deps, event, async (players) => {
    for (const accountId of new Set(players.map((player) => player.accountId)))
      await awardAccount(deps, progressCache, event, { accountId, playedBots: null });
  });
}

async function recount(deps: AwardDeps, event: EventDefinition): Promise<EarnedAward[]> {
  const accounts = new Set<AccountId>();
  await forEachPlayerPage(deps, event, async (players) => {
    for (const { accountId } of players) accounts.add(accountId);
  });
  const facts: EarnedAward[] = [];
  for (const accountId of accounts) {
    const memberships = await membershipIntervalsOf(deps.store, event, accountId);
    const bots = [];
    for (const { id: botId } of await deps.store.bots.listByOwners([accountId])) {
      const fold = await readProgress(deps.store, { event, botId, accountId }, memberships, null);
      bots.push({ botId, fold });
    }
    facts.push(...earnedAwards(event, accountId, bots));
  }
  return facts.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const sortKey = ({ earnedAt, accountId, achievementId }: EarnedAward): string =>
  `${earnedAt} ${accountId} ${achievementId}`;
