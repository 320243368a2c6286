// Stored matches, over plain maps.

import type { BotId } from "#core/words/ids.ts";
import { botSeats } from "#data/queries/mode.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type {
  FinishedMatch,
  MatchQuery,
  MatchRow,
  ResultLetter,
  SeatRecord,
} from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

import { serveRequest } from "./memory-requests.ts";
import type { RequestFacts } from "./memory-requests.ts";

type MatchFacts = RequestFacts & {
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

export function matchMethods(facts: MatchFacts): Store["matches"] {
  const { matches } = facts;
  return {
    counts: async (ladderId) => {
      const ranked = [...matches.values()].filter(isRanked);
      const onLadder = ranked.filter((match) => match.ladderId === ladderId);
      const voided = onLadder.filter((match) => match.voided).length;
      return { games: onLadder.length - voided, voided };
    },
    save: async (match) => {
      checkSeats(facts, match);
      if (matches.has(match.id)) return false;
      matches.set(match.id, structuredClone(match));
      serveRequest(facts, match);
      return true;
    },
    list: async (query) => listMatches(facts, query),
    byId: async (id) => {
      const match = matches.get(id);
      return match ? toRow(facts, match) : null;
    },
    stats: async (id) => matches.get(id)?.stats ?? null,
    ids: async () => [...matches.keys()],
    laddersOf: async (botId) => {
      const ladders = matchesOf(facts, botId).map((match) => match.ladderId);
      return [...new Set(ladders)].toSorted();
    },
    startsSince: async (since) =>
      [...matches.values()]
        .filter((match) => isRanked(match) && match.started >= since)
        .toSorted((one, other) => (one.started < other.started ? -1 : 1))
        .flatMap(({ started, ladderId, seats }) =>
          botSeats({ seats }).map(({ botId }) => ({ botId, ladderId, started })),
        ),
  };
}

function checkSeats({ versions }: MatchFacts, { seats, mode, rated, voided }: FinishedMatch): void {
  const isKnown = ({ botId, versionId }: SeatRecord) =>
    botId === null || versionId === null
      ? botId === versionId && mode === "human"
      : versions.get(versionId)?.botId === botId;
  const isPair = seats.length === 2 && seats[0]!.versionId !== seats[1]!.versionId;
  const isUnknown = ({ versionId }: SeatRecord) => versionId !== null && !versions.has(versionId);
  if (seats.some(isUnknown)) throw new StoreError("missing_reference", "no such version");
  if (!seats.every(isKnown) || (rated && !voided && !isPair))
    throw new StoreError("invalid", "the seats of the match are wrong");
}

export const isRanked = ({ mode }: FinishedMatch): boolean => mode === "ranked";

export function matchesOf(facts: MatchFacts, botId: BotId): FinishedMatch[] {
  return [...facts.matches.values()].filter((match) => hasSeat(match, botId));
}

function hasSeat({ seats }: FinishedMatch, botId: BotId): boolean {
  return seats.some((seat) => seat.botId === botId);
}

function listMatches(facts: MatchFacts, query: MatchQuery): MatchRow[] | null {
  const { ladderId, season, botId, before, after, limit, withStats } = query;
  const named = before ?? after;
  const cursor = named === undefined ? undefined : facts.matches.get(named);
  if (named !== undefined && cursor === undefined) return null;
  const isNewer = (match: FinishedMatch, other: FinishedMatch) => ageKey(match) > ageKey(other);
  return [...facts.matches.values()]
    .filter((match) => isRanked(match) && match.ladderId === ladderId)
    .filter((match) => season === undefined || match.season === season)
    .filter((match) => botId === undefined || isSought(match, botId, query))
    .filter((match) => before === undefined || (cursor && isNewer(cursor, match)))
    .filter((match) => after === undefined || (cursor && isNewer(match, cursor)))
    .toSorted((a, b) => (isNewer(b, a) ? 1 : -1))
    .slice(...(after === undefined ? [0, limit] : [-limit]))
    .map((match) => ({ ...toRow(facts, match), ...(withStats && { stats: match.stats }) }));
}

function isSought(match: FinishedMatch, botId: BotId, query: MatchQuery): boolean {
  const { versionId, opponentId, map, result } = query;
  const own = match.seats.find((seat) => seat.botId === botId);
  return (
    own !== undefined &&
    (versionId === undefined || own.versionId === versionId) &&
    (opponentId === undefined || (opponentId !== botId && hasSeat(match, opponentId))) &&
    (map === undefined || match.map === map) &&
    (result === undefined || (!match.voided && resultFor(match, botId) === result))
  );
}

function resultFor({ winnerSeat, seats }: FinishedMatch, botId: BotId): ResultLetter {
  if (winnerSeat === null) return "D";
  return seats[winnerSeat]?.botId === botId ? "W" : "L";
}

function ageKey({ ended, id }: FinishedMatch): string {
  return `${ended} ${id}`;
}

function toRow(facts: MatchFacts, match: FinishedMatch): MatchRow {
  const {
    seats,
    pairing: _pairing,
    stats: _stats,
    settled: _settled,
    requestId: _,
    ...row
  } = match;
  return { ...row, seats: seats.map((seat) => ({ ...seat, ...seatNow(facts, seat) })) };
}

function seatNow({ bots }: MatchFacts, { botId, name }: SeatRecord) {
  const bot = bots.get(botId ?? "");
  return { name: bot?.name ?? name, house: bot?.house ?? false, avatar: bot?.avatar ?? null };
}
