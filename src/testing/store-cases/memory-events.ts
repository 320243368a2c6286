// Events, awards and the games behind them, over plain maps.

import { accountOf } from "#core/accounts/name.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { AwardKey, AwardOutcome, AwardRecord } from "#data/store/award.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { MemberRecord } from "#data/store/member.ts";
import type { GameSpan } from "#data/store/progress.ts";
import type { Store } from "#data/store/store.ts";

type KeptEvent = { event: EventDefinition; created: string; isSettled: boolean };

export type EventFacts = { events: Map<string, KeptEvent>; awards: Map<string, AwardRecord> };

export const noEvents = (): EventFacts => ({ events: new Map(), awards: new Map() });

type AroundEvents = EventFacts & {
  ladders: Map<string, LadderRecord>;
  accounts: Map<string, AccountRecord>;
  dropRequests: (eventId: string) => void;
  queueMail: (letter: NewDelivery) => void;
  note: (entry: AuditEntry | undefined) => void;
};

export function eventMethods(facts: AroundEvents): Store["events"] {
  const { events, note } = facts;
  const listed = () =>
    [...events.values()].toSorted((a, b) =>
      `${a.created} ${a.event.id}` < `${b.created} ${b.event.id}` ? -1 : 1,
    );
  return {
    list: async () => listed().map(({ event }) => structuredClone(event)),
    byId: async (id) => structuredClone(events.get(id)?.event ?? null),
    add: async (event, audit) => {
      if (event.ladderId !== "public" && !facts.ladders.has(event.ladderId)) return "no_ladder";
      if (events.has(event.id)) return "event_exists";
      const kept = { event: structuredClone(event), created: audit.at, isSettled: false };
      events.set(event.id, kept);
      note(audit);
      return "added";
    },
    change: async (id, step, audit) => {
      const kept = events.get(id);
      if (kept === undefined) return null;
      const revision = kept.event.revision + 1;
      kept.event = structuredClone({ ...kept.event, ...step, revision });
      kept.isSettled = false;
      note(audit);
      return structuredClone(kept.event);
    },
    delete: async (id, audit) => {
      if (!events.has(id)) return null;
      if (facts.awards.values().some(({ eventId }) => eventId === id)) return "event_has_awards";
      events.delete(id);
      facts.dropRequests(id);
      note(audit);
      return "deleted";
    },
    settled: async () => listed().flatMap(({ event, isSettled }) => (isSettled ? event.id : [])),
    settle: async (id) => void Object.assign(events.get(id) ?? {}, { isSettled: true }),
    images: async () => listed().flatMap(({ event }) => event.image ?? []),
  };
}

const keyOf = ({ eventId, accountId, achievementId }: AwardKey): string =>
  `${eventId} ${accountId} ${achievementId}`;

export function awardMethods(facts: AroundEvents): Store["awards"] {
  const { awards, note } = facts;
  const sorted = (isMeant: (award: AwardRecord) => boolean) =>
    structuredClone([...awards.values()].filter(isMeant)).toSorted((a, b) =>
      `${a.earnedAt} ${keyOf(a)}` < `${b.earnedAt} ${keyOf(b)}` ? -1 : 1,
    );
  function mark(key: AwardKey, audit: AuditEntry, isRevoked: boolean): AwardOutcome | null {
    const award = awards.get(keyOf(key));
    if (award === undefined) return null;
    const isChanged = (award.revokedAt !== null) !== isRevoked;
    if (isChanged) {
      award.revokedAt = isRevoked ? audit.at : null;
      award.revokedReason = isRevoked ? audit.reason : null;
      note(audit);
    }
    return { award: { ...award }, isChanged };
  }
  return {
    add: async (given) =>
      given
        .filter(({ award }) => {
          const { eventId, accountId } = award;
          const isPossible = facts.accounts.has(accountId) && facts.events.has(eventId);
          return isPossible && !awards.has(keyOf(award));
        })
        .map(({ award, audit, letter }) => {
          const own = { awardedAt: audit.at, revokedAt: null, revokedReason: null };
          awards.set(keyOf(award), structuredClone({ ...award, ...own }));
          note(audit);
          if (letter !== undefined) facts.queueMail(letter);
          return award;
        }),
    revoke: async (key, audit) => mark(key, audit, true),
    restore: async (key, audit) => mark(key, audit, false),
    ofAccount: async (accountId, eventId) =>
      sorted(
        (award) =>
          award.accountId === accountId && (eventId === undefined || award.eventId === eventId),
      ),
    ofEvent: async (eventId) => sorted((award) => award.eventId === eventId),
    tallies: async (eventIds) => {
      const meant = sorted(({ eventId }) => eventIds.includes(eventId));
      const groups = Map.groupBy(meant, (award) => `${award.eventId} ${award.achievementId}`);
      return [...groups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, [first, ...others]]) => ({
          eventId: first!.eventId,
          achievementId: first!.achievementId,
          earned: others.length + 1,
          revoked: [first!, ...others].filter(({ revokedAt }) => revokedAt !== null).length,
        }));
    },
  };
}

/** What goes with an account. */
export function dropAwards({ awards }: EventFacts, accountId: string): void {
  for (const [key, award] of awards) if (award.accountId === accountId) awards.delete(key);
}

type Played = {
  bots: Map<string, BotRecord>;
  accounts: Map<string, AccountRecord>;
  members: Map<string, MemberRecord>;
  matches: Map<string, FinishedMatch>;
};

export function progressMethods(facts: Played): Store["progress"] {
  return {
    games: async ({ botId, from, before, withTurns, most, ladderId }) =>
      inOrder(gamesOf(facts, botId, ladderId, { opensAt: from.ended, closesAt: before }))
        .filter(({ ended, id }) => from.matchId === null || isAfter({ ended, id }, from))
        .slice(0, most)
        .map((match) => {
          const game = seenBy(facts, match, botId);
          return withTurns ? game : { ...game, isClean: null };
        }),
    former: async (botId, span) => {
      const own = inSpan(facts, span).flatMap(({ seats, season }) =>
        seats.flatMap((seat) =>
          seat.botId === botId ? { versionId: seat.versionId!, season } : [],
        ),
      );
      const groups = Map.groupBy(own, ({ versionId, season }) => `${versionId} ${season}`);
      return [...groups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, games]) => ({ ...games[0]!, games: games.length }));
    },
    players: async (span, after, most) => {
      const played = new Set(inSpan(facts, span).flatMap(({ seats }) => seats.map(botOf)));
      return [...facts.bots.values()]
        .filter(({ id }) => id > (after ?? "") && played.has(id))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id, ownerId }) => {
          const accountId = accountOf(ownerId);
          return accountId !== null && facts.accounts.has(accountId)
            ? { botId: id, accountId }
            : [];
        })
        .slice(0, most);
    },
    participants: async (span) => {
      const within = inSpan(facts, span).filter(({ started }) => started >= span.opensAt);
      const accounts = within.flatMap((match) =>
        match.seats.flatMap(({ accountId }) =>
          accountId !== null && isMember(facts, accountId, match) ? accountId : [],
        ),
      );
      return new Set(accounts).size;
    },
  };
}

const botOf = ({ botId }: { botId: string | null }) => botId ?? "";

type Place = { ended: string; id: string };

const isAfter = (match: Place, { ended, matchId }: { ended: string; matchId: string | null }) =>
  `${match.ended} ${match.id}` > `${ended} ${matchId}`;

const inOrder = (matches: readonly FinishedMatch[]): FinishedMatch[] =>
  matches.toSorted((a, b) => (`${a.ended} ${a.id}` < `${b.ended} ${b.id}` ? -1 : 1));

const isIn = (match: FinishedMatch, { ladderId, opensAt, closesAt }: GameSpan): boolean =>
  match.ended >= opensAt &&
  match.ended < closesAt &&
  match.ladderId === ladderId &&
  match.mode === "ranked" &&
  match.rated;

/** Asked for after each match of an event: one look at each stored match, and no copy of all. */
function gamesOf(
  { matches }: Played,
  botId: string,
  ladderId: string,
  window: Omit<GameSpan, "ladderId">,
): FinishedMatch[] {
  const own: FinishedMatch[] = [];
  for (const match of matches.values()) {
    if (match.ended < window.opensAt) continue;
    const [first, second] = match.seats;
    if (first?.botId !== botId && second?.botId !== botId) continue;
    if (isIn(match, { ladderId, ...window })) own.push(match);
  }
  return own;
}

const inSpan = ({ matches }: Played, span: GameSpan): FinishedMatch[] =>
  inOrder([...matches.values()].filter((match) => isIn(match, span)));

function isMember({ accounts, members }: Played, accountId: string, match: FinishedMatch) {
  if (match.ladderId === "public") return accounts.has(accountId);
  return members
    .values()
    .some(
      ({ ladderId, state, since, until, ...one }) =>
        one.accountId === accountId &&
        ladderId === match.ladderId &&
        state === "active" &&
        since <= match.started &&
        (until === null || until >= match.ended),
    );
}

function seenBy({ bots }: Played, match: FinishedMatch, botId: string) {
  const at = match.seats.findIndex((seat) => seat.botId === botId);
  const [own, other] = [match.seats[at]!, match.seats[1 - at]!];
  const turns = seatFigures(match.stats)[at]?.turns;
  const idles = Object.values(turns?.idles ?? {}).some((count) => count > 0);
  const house = HOUSE_BOTS.find(({ name }) => {
    const bot = bots.get(other.botId ?? "");
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
