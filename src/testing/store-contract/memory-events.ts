import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { AwardKey, AwardOutcome, AwardRecord } from "#data/store/award.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { GameWindow } from "#data/store/event-progress.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { MemberRecord } from "#data/store/member.ts";
import type { Store } from "#data/store/store.ts";

type StoredEvent = { event: EventDefinition; created: string; isSettled: boolean };

export type EventMemory = { events: Map<string, StoredEvent>; awards: Map<string, AwardRecord> };

export const emptyEventMemory = (): EventMemory => ({ events: new Map(), awards: new Map() });

type EventContext = EventMemory & {
  ladders: Map<string, LadderRecord>;
  accounts: Map<string, AccountRecord>;
  deleteRequests: (eventId: string) => void;
  queueMail: (email: NewDelivery) => void;
  recordAudit: (entry: AuditEntry | undefined) => void;
};

export function eventMethods(memory: EventContext): Store["events"] {
  const { events, recordAudit } = memory;
  const sortedEvents = () =>
    [...events.values()].toSorted((a, b) =>
      `${a.created} ${a.event.id}` < `${b.created} ${b.event.id}` ? -1 : 1,
    );
  return {
    list: async () => sortedEvents().map(({ event }) => structuredClone(event)),
    byId: async (id) => structuredClone(events.get(id)?.event ?? null),
    add: async (event, audit) => {
      if (event.ladderId !== "public" && !memory.ladders.has(event.ladderId)) return "no_ladder";
      if (events.has(event.id)) return "event_exists";
      const stored = { event: structuredClone(event), created: audit.at, isSettled: false };
      events.set(event.id, stored);
      recordAudit(audit);
      return "added";
    },
    change: async (id, changes, audit) => {
      const stored = events.get(id);
      if (stored === undefined) return null;
      const revision = stored.event.revision + 1;
      stored.event = structuredClone({ ...stored.event, ...changes, revision });
      stored.isSettled = false;
      recordAudit(audit);
      return structuredClone(stored.event);
    },
    delete: async (id, audit) => {
      if (!events.has(id)) return null;
      if (memory.awards.values().some(({ eventId }) => eventId === id)) return "event_has_awards";
      events.delete(id);
      memory.deleteRequests(id);
      recordAudit(audit);
      return "deleted";
    },
    settledIds: async () =>
      sortedEvents().flatMap(({ event, isSettled }) => (isSettled ? event.id : [])),
    markSettled: async (id) => void Object.assign(events.get(id) ?? {}, { isSettled: true }),
    images: async () => sortedEvents().flatMap(({ event }) => event.image ?? []),
  };
}

const keyOf = ({ eventId, accountId, achievementId }: AwardKey): string =>
  `${eventId} ${accountId} ${achievementId}`;

export function awardMethods(memory: EventContext): Store["awards"] {
  const { awards, recordAudit } = memory;
  const sorted = (isSelected: (award: AwardRecord) => boolean) =>
    structuredClone([...awards.values()].filter(isSelected)).toSorted((a, b) =>
      `${a.earnedAt} ${keyOf(a)}` < `${b.earnedAt} ${keyOf(b)}` ? -1 : 1,
    );
  function setRevoked(key: AwardKey, audit: AuditEntry, isRevoked: boolean): AwardOutcome | null {
    const award = awards.get(keyOf(key));
    if (award === undefined) return null;
    const isChanged = (award.revokedAt !== null) !== isRevoked;
    if (isChanged) {
      award.revokedAt = isRevoked ? audit.at : null;
      award.revokedReason = isRevoked ? audit.reason : null;
      recordAudit(audit);
    }
    return { award: { ...award }, isChanged };
  }
  return {
    add: async (grants) =>
      grants
        .filter(({ award }) => {
          const { eventId, accountId } = award;
          const canBeAwarded = memory.accounts.has(accountId) && memory.events.has(eventId);
          return canBeAwarded && !awards.has(keyOf(award));
        })
        .map(({ award, audit, email }) => {
          const initialFields = { awardedAt: audit.at, revokedAt: null, revokedReason: null };
          awards.set(keyOf(award), structuredClone({ ...award, ...initialFields }));
          recordAudit(audit);
          if (email !== undefined) memory.queueMail(email);
          return award;
        }),
    revoke: async (key, audit) => setRevoked(key, audit, true),
    restore: async (key, audit) => setRevoked(key, audit, false),
    listByAccount: async (accountId, eventId) =>
      sorted(
        (award) =>
          award.accountId === accountId && (eventId === undefined || award.eventId === eventId),
      ),
    listByEvent: async (eventId) => sorted((award) => award.eventId === eventId),
    tallies: async (eventIds) => {
      const selected = sorted(({ eventId }) => eventIds.includes(eventId));
      const awardGroups = Map.groupBy(
        selected,
        (award) => `${award.eventId} ${award.achievementId}`,
      );
      return [...awardGroups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, [first, ...otherAwards]]) => ({
          eventId: first!.eventId,
          achievementId: first!.achievementId,
          earned: otherAwards.length + 1,
          revoked: [first!, ...otherAwards].filter(({ revokedAt }) => revokedAt !== null).length,
        }));
    },
  };
}

export function deleteAwards({ awards }: EventMemory, accountId: string): void {
  for (const [key, award] of awards) if (award.accountId === accountId) awards.delete(key);
}

type EventMatchMemory = {
  bots: Map<string, BotRecord>;
  accounts: Map<string, AccountRecord>;
  members: Map<string, MemberRecord>;
  matches: Map<string, FinishedMatch>;
};

export function progressMethods(memory: EventMatchMemory): Store["progress"] {
  return {
    games: async ({ botId, from: start, before, withTurns, limit, ladderId }) =>
      sortByEnd(gamesOf(memory, botId, ladderId, { opensAt: start.ended, closesAt: before }))
        .filter(({ ended, id }) => start.matchId === null || isAfter({ ended, id }, start))
        .slice(0, limit)
        .map((match) => {
          const game = toEventGame(memory, match, botId);
          return withTurns ? game : { ...game, isClean: null };
        }),
    countByVersion: async (botId, window) => {
      const playerIds = matchesInWindow(memory, window).flatMap(({ seats, season }) =>
        seats.flatMap((seat) =>
          seat.botId === botId ? { versionId: seat.versionId!, season } : [],
        ),
      );
      const awardGroups = Map.groupBy(
        playerIds,
        ({ versionId, season }) => `${versionId} ${season}`,
      );
      return [...awardGroups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, games]) => ({ ...games[0]!, games: games.length }));
    },
    players: async (window, after, limit) => {
      const played = new Set(
        matchesInWindow(memory, window).flatMap(({ seats }) => seats.map(botIdOf)),
      );
      return [...memory.bots.values()]
        .filter(({ id }) => id > (after ?? "") && played.has(id))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id, ownerId }) => {
          const accountId = accountIdOfOwner(ownerId);
          return accountId !== null && memory.accounts.has(accountId)
            ? { botId: id, accountId }
            : [];
        })
        .slice(0, limit);
    },
    participants: async (window) => {
      const within = matchesInWindow(memory, window).filter(
        ({ started }) => started >= window.opensAt,
      );
      const accounts = within.flatMap((match) =>
        match.seats.flatMap(({ accountId }) =>
          accountId !== null && isMember(memory, accountId, match) ? accountId : [],
        ),
      );
      return new Set(accounts).size;
    },
  };
}

const botIdOf = ({ botId }: { botId: string | null }) => botId ?? "";

type MatchPosition = { ended: string; id: string };

const isAfter = (
  match: MatchPosition,
  { ended, matchId }: { ended: string; matchId: string | null },
) => `${match.ended} ${match.id}` > `${ended} ${matchId}`;

const sortByEnd = (matches: readonly FinishedMatch[]): FinishedMatch[] =>
  matches.toSorted((a, b) => (`${a.ended} ${a.id}` < `${b.ended} ${b.id}` ? -1 : 1));

const isInWindow = (match: FinishedMatch, { ladderId, opensAt, closesAt }: GameWindow): boolean =>
  match.ended >= opensAt &&
  match.ended < closesAt &&
  match.ladderId === ladderId &&
  match.mode === "ranked" &&
  match.rated;

/**
 * Called after each match in an event, so it reads each stored match only once and copies nothing.
 */
function gamesOf(
  { matches }: EventMatchMemory,
  botId: string,
  ladderId: string,
  bounds: Omit<GameWindow, "ladderId">,
): FinishedMatch[] {
  const ownMatches: FinishedMatch[] = [];
  for (const match of matches.values()) {
    if (match.ended < bounds.opensAt) continue;
    const [first, second] = match.seats;
    if (first?.botId !== botId && second?.botId !== botId) continue;
    if (isInWindow(match, { ladderId, ...bounds })) ownMatches.push(match);
  }
  return ownMatches;
}

const matchesInWindow = ({ matches }: EventMatchMemory, window: GameWindow): FinishedMatch[] =>
  sortByEnd([...matches.values()].filter((match) => isInWindow(match, window)));

function isMember(
  { accounts, members }: EventMatchMemory,
  accountId: string,
  match: FinishedMatch,
) {
  if (match.ladderId === "public") return accounts.has(accountId);
  return members
    .values()
    .some(
      ({ ladderId, state, since, until, ...membership }) =>
        membership.accountId === accountId &&
        ladderId === match.ladderId &&
        state === "active" &&
        since <= match.started &&
        (until === null || until >= match.ended),
    );
}

function toEventGame({ bots }: EventMatchMemory, match: FinishedMatch, botId: string) {
  const at = match.seats.findIndex((seat) => seat.botId === botId);
  const [own, opponentSeat] = [match.seats[at]!, match.seats[1 - at]!];
  const turns = parseSeatStats(match.stats)[at]?.turns;
  const idles = Object.values(turns?.idles ?? {}).some((count) => count > 0);
  const house = HOUSE_BOTS.find(({ name }) => {
    const bot = bots.get(opponentSeat.botId ?? "");
    return bot?.house === true && bot.name === name;
  });
  return {
    matchId: match.id,
    started: match.started,
    ended: match.ended,
    map: match.map,
    ticks: match.finalTick,
    season: match.season,
    accountId: own.accountId,
    versionId: own.versionId!,
    exactScore: own.scoreAfter,
    result:
      match.winnerSeat === null
        ? ("D" as const)
        : match.winnerSeat === at
          ? ("W" as const)
          : ("L" as const),
    opponent: house?.short ?? null,
    isClean:
      turns === undefined
        ? null
        : !idles && turns.refusedTurns === 0 && turns.disqualifications === 0,
  };
}
