import type { BotId } from "#core/ids/ids.ts";
import { botSeats } from "#data/queries/match-mode.ts";
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

import { markRequestServed } from "./memory-opponent-requests.ts";
import type { RequestMemory } from "./memory-opponent-requests.ts";

type MatchMemory = RequestMemory & {
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

export function matchMethods(memory: MatchMemory): Store["matches"] {
  const { matches } = memory;
  return {
    counts: async (ladderId) => {
      const ranked = [...matches.values()].filter(isRankedMatch);
      const onLadder = ranked.filter((match) => match.ladderId === ladderId);
      const voided = onLadder.filter((match) => match.voided).length;
      return { games: onLadder.length - voided, voided };
    },
    save: async (match) => {
      assertSeatsExist(memory, match);
      if (matches.has(match.id)) return false;
      matches.set(match.id, structuredClone(match));
      markRequestServed(memory, match);
      return true;
    },
    list: async (query) => listMatches(memory, query),
    byId: async (id) => {
      const match = matches.get(id);
      return match ? toRow(memory, match) : null;
    },
    stats: async (id) => matches.get(id)?.stats ?? null,
    ids: async () => [...matches.keys()],
    laddersOf: async (botId) => {
      const ladders = matchesOf(memory, botId).map((match) => match.ladderId);
      return [...new Set(ladders)].toSorted();
    },
    startsSince: async (since) =>
      [...matches.values()]
        .filter((match) => isRankedMatch(match) && match.started >= since)
        .toSorted((a, b) => (a.started < b.started ? -1 : 1))
        .flatMap(({ started, ladderId, seats }) =>
          botSeats({ seats }).map(({ botId }) => ({ botId, ladderId, started })),
        ),
  };
}

function assertSeatsExist(
  { versions }: MatchMemory,
  { seats, mode, rated, voided }: FinishedMatch,
): void {
  const isKnown = ({ botId, versionId }: SeatRecord) =>
    botId === null || versionId === null
      ? botId === versionId && mode === "human"
      : versions.get(versionId)?.botId === botId;
  const isPair = seats.length === 2 && seats[0]!.versionId !== seats[1]!.versionId;
  const isUnknownVersion = ({ versionId }: SeatRecord) =>
    versionId !== null && !versions.has(versionId);
  if (seats.some(isUnknownVersion)) throw new StoreError("missing_reference", "no such version");
  if (!seats.every(isKnown) || (rated && !voided && !isPair))
    throw new StoreError("invalid", "the match has invalid seats");
}

export const isRankedMatch = ({ mode }: FinishedMatch): boolean => mode === "ranked";

export function matchesOf(memory: MatchMemory, botId: BotId): FinishedMatch[] {
  return [...memory.matches.values()].filter((match) => hasSeat(match, botId));
}

function hasSeat({ seats }: FinishedMatch, botId: BotId): boolean {
  return seats.some((seat) => seat.botId === botId);
}

function listMatches(memory: MatchMemory, query: MatchQuery): MatchRow[] | null {
  const { ladderId, season, botId, before, after, limit, withStats } = query;
  const cursorId = before ?? after;
  const cursor = cursorId === undefined ? undefined : memory.matches.get(cursorId);
  if (cursorId !== undefined && cursor === undefined) return null;
  const isNewer = (match: FinishedMatch, b: FinishedMatch) => ageKey(match) > ageKey(b);
  return [...memory.matches.values()]
    .filter((match) => isRankedMatch(match) && match.ladderId === ladderId)
    .filter((match) => season === undefined || match.season === season)
    .filter((match) => botId === undefined || matchesQuery(match, botId, query))
    .filter((match) => before === undefined || (cursor && isNewer(cursor, match)))
    .filter((match) => after === undefined || (cursor && isNewer(match, cursor)))
    .toSorted((a, b) => (isNewer(b, a) ? 1 : -1))
    .slice(...(after === undefined ? [0, limit] : [-limit]))
    .map((match) => ({ ...toRow(memory, match), ...(withStats && { stats: match.stats }) }));
}

function matchesQuery(match: FinishedMatch, botId: BotId, query: MatchQuery): boolean {
  const { versionId, opponentId, map, result } = query;
  const ownSeat = match.seats.find((seat) => seat.botId === botId);
  return (
    ownSeat !== undefined &&
    (versionId === undefined || ownSeat.versionId === versionId) &&
    (opponentId === undefined || (opponentId !== botId && hasSeat(match, opponentId))) &&
    (map === undefined || match.map === map) &&
    (result === undefined || (!match.voided && resultLetter(match, botId) === result))
  );
}

function resultLetter({ winnerSeat, seats }: FinishedMatch, botId: BotId): ResultLetter {
  if (winnerSeat === null) return "D";
  return seats[winnerSeat]?.botId === botId ? "W" : "L";
}

function ageKey({ ended, id }: FinishedMatch): string {
  return `${ended} ${id}`;
}

function toRow(memory: MatchMemory, match: FinishedMatch): MatchRow {
  const {
    seats,
    pairing: _pairing,
    stats: _stats,
    settled: _settled,
    requestId: _,
    ...row
  } = match;
  return { ...row, seats: seats.map((seat) => ({ ...seat, ...currentSeat(memory, seat) })) };
}

function currentSeat({ bots }: MatchMemory, { botId, name }: SeatRecord) {
  const bot = bots.get(botId ?? "");
  return { name: bot?.name ?? name, house: bot?.house ?? false, avatar: bot?.avatar ?? null };
}
