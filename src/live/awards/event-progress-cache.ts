import { emptyBotProgress, addGameToProgress } from "#core/events/account-progress.ts";
import type { BotEventProgress, MembershipInterval } from "#core/events/account-progress.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Store } from "#data/store/store.ts";

export type ProgressStore = Pick<Store, "progress" | "members">;

export type EventParticipant = { event: EventDefinition; botId: BotId; accountId: AccountId };

export type EventProgressCache = {
  /** Returns the cached progress, which may be out of date, or null. */
  cached(participant: EventParticipant): BotEventProgress | null;
  /** Reads newly stored matches and returns the updated progress. */
  refresh(
    participant: EventParticipant,
    memberships: readonly MembershipInterval[],
  ): Promise<BotEventProgress>;
  /** Evicts a bot's progress. The next read starts again from the first match. */
  evict(participant: EventParticipant): void;
};

const PAGE_SIZE = 500;
/** Max cached entries. The oldest are evicted first. */
const MAX_CACHED = 5000;

export function openEventProgressCache(store: ProgressStore): EventProgressCache {
  const entries = new Map<string, BotEventProgress>();
  const definitionSerials = new WeakMap<EventDefinition, number>();
  let definitionCount = 0;

  /** Changing an event, or recreating it with the same id, resets its progress. */
  function cacheKey({ event, botId, accountId }: EventParticipant): string {
    const serial = definitionSerials.get(event) ?? (definitionCount += 1);
    definitionSerials.set(event, serial);
    return `${serial} ${botId} ${accountId}`;
  }

  function putIfAhead(
    participant: EventParticipant,
    botProgress: BotEventProgress,
  ): BotEventProgress {
    const key = cacheKey(participant);
    const existing = entries.get(key);
    // A concurrent read may have processed more matches.
    if (existing !== undefined && isAhead(existing, botProgress)) return existing;
    entries.delete(key);
    entries.set(key, botProgress);
    const [oldest = ""] = entries.keys();
    if (entries.size > MAX_CACHED) entries.delete(oldest);
    return botProgress;
  }

  return {
    cached: (participant) => entries.get(cacheKey(participant)) ?? null,
    refresh: async (participant, memberships) =>
      putIfAhead(
        participant,
        await readProgress(
          store,
          participant,
          memberships,
          entries.get(cacheKey(participant)) ?? null,
        ),
      ),
    evict: (participant) => void entries.delete(cacheKey(participant)),
  };
}

const positionOf = ({ last }: BotEventProgress): string =>
  `${last?.ended ?? ""} ${last?.matchId ?? ""}`;
const isAhead = (a: BotEventProgress, b: BotEventProgress): boolean =>
  positionOf(a) > positionOf(b);

/** Continues from `startProgress`, or from the first match if it is null. */
export async function readProgress(
  { progress }: ProgressStore,
  { event, botId, accountId }: EventParticipant,
  memberships: readonly MembershipInterval[],
  startProgress: BotEventProgress | null,
): Promise<BotEventProgress> {
  const { ladderId, opensAt, closesAt, achievements } = event;
  const kinds = new Set(achievements.map(({ condition }) => condition.kind));
  const context = { event, accountId, memberships, qualifyingGames: FIXED_LIMITS.qualifying_games };
  const seasonBefore = { ladderId, opensAt: rankedSince(event), closesAt: opensAt };
  let botProgress =
    startProgress ??
    emptyBotProgress(
      event,
      kinds.has("score") ? await progress.countByVersion(botId, seasonBefore) : [],
    );
  for (;;) {
    const position = botProgress.last ?? { ended: opensAt, matchId: null };
    const query = {
      botId,
      ladderId,
      from: position,
      before: closesAt,
      withTurns: kinds.has("clean"),
    };
    const matches = await progress.games({ ...query, limit: PAGE_SIZE });
    for (const match of matches) botProgress = addGameToProgress(context, botProgress, match);
    if (matches.length < PAGE_SIZE) return botProgress;
  }
}

/**
 * Scores count matches from the start of the season or, on a ladder without seasons, from the
 * ladder's first match.
 */
const rankedSince = ({ ladderId, opensAt }: EventDefinition): string =>
  hasSeasons(ladderId) ? opensAt.slice(0, "2026-01".length) : "";

/** Returns the periods in which an account was an active member of the event's ladder. */
export async function membershipIntervalsOf(
  { members }: ProgressStore,
  { ladderId }: EventDefinition,
  accountId: AccountId,
): Promise<MembershipInterval[]> {
  if (hasSeasons(ladderId)) return [];
  const records = await members.listByAccount(accountId);
  return records
    .filter((membership) => membership.ladderId === ladderId && membership.state === "active")
    .map(({ since, until }) => ({ since, until }));
}
