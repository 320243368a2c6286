// Seasons and competition statistics. Every call counts the matches from scratch.

import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { monthOf, compareSeasonIds, PRESEASON, windowOfMonth } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import { botSeats } from "#data/queries/match-mode.ts";
import { versionPair } from "#data/queries/pair-counts.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, NamedStanding, SeasonRecord } from "#data/store/season.ts";
import type { DailyPlaces } from "#data/store/standings.ts";
import type {
  CompetitionStats,
  HighlightKind,
  LadderStats,
  LadderStatsQuery,
  PairCount,
  RatingPoint,
  RatingHistoryQuery,
  VersionActivity,
} from "#data/store/stats.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

export type SeasonMemory = {
  seasons: Map<string, SeasonRecord>;
  places: Map<string, FinalStanding[]>;
  dailyPlaces: Map<LadderId, Map<string, DailyPlaces>>;
};

type SeasonContext = SeasonMemory & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

/** Returns the seasons of a database created at `now`: an empty preseason and the first month. */
export function initialSeasonMemory(now: string): SeasonMemory {
  const first = windowOfMonth(monthOf(now));
  const { opensAt } = first;
  const seasons: SeasonRecord[] = [
    { id: PRESEASON, opensAt, closesAt: opensAt, archivedAt: now },
    { ...first, archivedAt: null },
  ];
  const byId = new Map(seasons.map((season) => [season.id, season]));
  return { seasons: byId, places: new Map(), dailyPlaces: new Map() };
}

export function standingMethods({ dailyPlaces }: SeasonMemory): Store["standings"] {
  return {
    record: async (places, since) => {
      const { ladderId, day } = places;
      const days = dailyPlaces.getOrInsertComputed(ladderId, () => new Map<string, DailyPlaces>());
      const isNew = !days.has(day);
      if (isNew) days.set(day, structuredClone(places));
      const outdatedDays = [...days.keys()].filter((b) => b < since || b > day);
      for (const b of outdatedDays) days.delete(b);
      return isNew || outdatedDays.length > 0;
    },
    latest: async (ladderId) => {
      const days = [...(dailyPlaces.get(ladderId)?.values() ?? [])];
      const latest = days.toSorted((a, b) => (a.day < b.day ? 1 : -1))[0];
      return structuredClone(latest ?? null);
    },
  };
}

export function currentPlace(
  { bots, accounts }: Pick<SeasonContext, "bots" | "accounts">,
  place: FinalStanding,
): NamedStanding {
  const bot = bots.get(place.botId);
  const { name, owner } = bot ?? place;
  const ownerId = bot?.ownerId ?? "";
  const ownerBanned = (accounts.get(ownerId)?.bannedAt ?? null) !== null;
  return { ...place, name, owner, ownerId, ownerBanned };
}

export function seasonMethods(memory: SeasonContext): Store["seasons"] {
  const { seasons, places } = memory;
  return {
    list: async () =>
      [...seasons.values()]
        .map((season) => ({ ...season }))
        .toSorted((a, b) => compareSeasonIds(a.id, b.id)),
    open: async (opened) => {
      const newSeasons = opened.filter(({ id }) => !seasons.has(id));
      for (const season of newSeasons) seasons.set(season.id, { ...season });
      return newSeasons.length > 0;
    },
    archive: async (id, archivedAt, standings) => {
      const season = seasons.get(id);
      if (season === undefined || season.archivedAt !== null) return false;
      season.archivedAt = archivedAt;
      const byRank = standings.toSorted((a, b) => a.rank - b.rank);
      places.set(id, structuredClone(byRank));
      return true;
    },
    standings: async (season) =>
      (places.get(season) ?? []).map((place) => currentPlace(memory, place)),
    champions: async () => placesNewestFirst(places).filter(({ rank }) => rank === 1),
    placesOf: async (botId) => placesNewestFirst(places).filter((row) => row.botId === botId),
  };
}

function placesNewestFirst(places: SeasonContext["places"]) {
  return [...places]
    .flatMap(([season, rows]) => rows.map((row) => ({ season, ...row })))
    .toSorted((a, b) => compareSeasonIds(a.season, b.season));
}

type StatsMethod = Pick<
  Store["stats"],
  "pairs" | "activity" | "opponents" | "play" | "competition" | "ladder" | "ratings"
>;

export function statsMethods(memory: SeasonContext): StatsMethod {
  const all = () => [...memory.matches.values()].filter(({ mode }) => mode === "ranked");
  const ratedMatches = (competition: Competition) =>
    all().filter((match) => isInCompetition(match, competition) && isCounted(match));
  return {
    pairs: async (competition) => countPairs(ratedMatches(competition)),
    activity: async (competition) => countActivity(ratedMatches(competition)),
    opponents: async (botId, competition, versionId) =>
      [
        ...Map.groupBy(
          seatViews(ratedMatches(competition), botId, versionId),
          (view) => view.opponentId,
        ),
      ]
        .map(([opponentId, views]) => ({ opponentId, ...sumResults(views) }))
        .toSorted((a, b) => (a.opponentId < b.opponentId ? -1 : 1)),
    play: async (competition, botId) => {
      const { play, weapons } = playStats(
        all().filter((match) => isInCompetition(match, competition) && !match.voided),
      );
      return {
        play: play.find((one) => one.botId === botId) ?? null,
        weapons: weapons.filter((one) => one.botId === botId),
        competitionPace: sumColumns(["ticks", "uses", "moves", "dashes"], play),
      };
    },
    competition: async (competition, rivalries) =>
      competitionStats(
        memory,
        all().filter((match) => isInCompetition(match, competition)),
        rivalries,
      ),
    ladder: async (query) => ladderStats(memory, query, all()),
    ratings: async (query) => ratingHistory(memory, query),
  };
}

const isInCompetition = (match: FinishedMatch, { ladderId, season }: Competition) =>
  match.ladderId === ladderId && match.season === season;
const isCounted = (match: FinishedMatch) => match.rated && !match.voided;
const ageKey = ({ ended, id }: FinishedMatch) => `${ended} ${id}`;
const byAge = (a: FinishedMatch, b: FinishedMatch) => (ageKey(a) < ageKey(b) ? -1 : 1);

function countPairs(rated: FinishedMatch[]): PairCount[] {
  const counts = new Map<string, PairCount>();
  for (const match of rated) {
    const [first, second] = versionPair(match);
    const { map } = match;
    const pair = { first: first.versionId, second: second.versionId, map };
    const key = `${pair.first} ${pair.second} ${map}`;
    const count = counts.getOrInsertComputed(key, () => ({ ...pair, ...NO_RESULTS }));
    if (match.winnerSeat === null) count.draws++;
    else if (match.winnerSeat === first.seat) count.wins++;
    else count.losses++;
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

function countActivity(rated: FinishedMatch[]): VersionActivity[] {
  const activityByVersion = new Map<string, VersionActivity>();
  for (const { id, ended, seats } of rated.toSorted(byAge))
    for (const [index, { versionId, botId }] of botSeats({ seats }).entries()) {
      const seatBalance =
        (activityByVersion.get(versionId)?.seatBalance ?? 0) + (index === 0 ? 1 : -1);
      const last = { lastPlayed: ended, lastMatchId: id };
      activityByVersion.set(versionId, { versionId, botId, ...last, seatBalance });
    }
  return [...activityByVersion.values()].toSorted((a, b) => (a.versionId < b.versionId ? -1 : 1));
}

const NO_RESULTS: Results = { wins: 0, draws: 0, losses: 0 };

type SeatView = Results & { botId: BotId; opponentId: BotId; map: string };

function seatViews(rated: FinishedMatch[], botId?: BotId, versionId?: VersionId): SeatView[] {
  return rated.flatMap(({ seats, winnerSeat, map }) =>
    botSeats({ seats }).flatMap((seat, index, both) => {
      if (botId !== undefined && seat.botId !== botId) return [];
      if (versionId !== undefined && seat.versionId !== versionId) return [];
      const draws = Number(winnerSeat === null);
      const wins = Number(winnerSeat === index);
      const opponentId = both[1 - index]!.botId;
      return [{ botId: seat.botId, opponentId, map, wins, draws, losses: 1 - wins - draws }];
    }),
  );
}

function sumResults(results: readonly Results[]): Results {
  const sum = { ...NO_RESULTS };
  for (const { wins, draws, losses } of results) {
    sum.wins += wins;
    sum.draws += draws;
    sum.losses += losses;
  }
  return sum;
}

function competitionStats(
  memory: SeasonContext,
  matches: FinishedMatch[],
  rivalries: number,
): CompetitionStats {
  const played = matches.filter((match) => !match.voided);
  const views = seatViews(matches.filter(isCounted));
  const maps = [...Map.groupBy(views, ({ botId, map }) => `${botId} ${map}`)];
  return {
    totals: {
      games: played.length,
      draws: played.filter((match) => match.winnerSeat === null).length,
      voided: matches.length - played.length,
      statsGames: played.filter((match) => parseSeatStats(match.stats).length > 0).length,
    },
    highlights: computeHighlights(played),
    rivalries: computeRivalries(memory, views).slice(0, rivalries),
    maps: maps
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, groupedViews]) => ({
        botId: groupedViews[0]!.botId,
        map: groupedViews[0]!.map,
        ...sumResults(groupedViews),
      })),
    ...playStats(played),
  };
}

function ladderStats(
  memory: SeasonContext,
  query: LadderStatsQuery,
  ranked: FinishedMatch[],
): LadderStats {
  const { ladderId, season, rivalries: rivalryLimit } = query;
  const matches = ranked.filter(
    (match) => match.ladderId === ladderId && (season === undefined || match.season === season),
  );
  const { totals, maps, highlights, rivalries } = competitionStats(memory, matches, rivalryLimit);
  const { statsGames: _, ...counts } = totals;
  const sideOf = (house: boolean) => {
    const playedMaps = maps.filter(({ botId }) => memory.bots.get(botId)!.house === house);
    return {
      bots: new Set(playedMaps.map(({ botId }) => botId)).size,
      wins: sumResults(playedMaps).wins,
    };
  };
  const games = Map.groupBy(matches.filter(isCounted), ({ map }) => map);
  return {
    totals: counts,
    players: sideOf(false),
    house: sideOf(true),
    maps: [...games]
      .map(([map, playedMaps]) => ({ map, games: playedMaps.length }))
      .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    highlights,
    rivalries,
  };
}

function computeRivalries(
  { bots }: SeasonContext,
  views: SeatView[],
): CompetitionStats["rivalries"] {
  const isPlayer = (id: string) => bots.get(id)?.house === false;
  const pairs = views.filter(
    ({ botId, opponentId }) => botId < opponentId && isPlayer(botId) && isPlayer(opponentId),
  );
  const shared = ({ wins, draws, losses }: Results) => 2 * Math.min(wins, losses) + draws;
  const games = ({ wins, draws, losses }: Results) => wins + draws + losses;
  return [...Map.groupBy(pairs, ({ botId, opponentId }) => `${botId} ${opponentId}`).values()]
    .map((groupedViews) => ({
      botIds: [groupedViews[0]!.botId, groupedViews[0]!.opponentId] as const,
      ...sumResults(groupedViews),
    }))
    .filter((pair) => shared(pair) > 0 && 2 * shared(pair) >= games(pair))
    .toSorted((a, b) => (a.botIds.join(" ") < b.botIds.join(" ") ? -1 : 1))
    .toSorted((a, b) => shared(b) - shared(a) || games(b) - games(a));
}

export function computeHighlights(matches: FinishedMatch[]): CompetitionStats["highlights"] {
  const played = matches.filter(isCounted);
  const matchByKind: Partial<Record<HighlightKind, string>> = {};
  const best = new Map<HighlightKind, number>();
  const setHighlight = (kind: HighlightKind, value: number, id: string) => {
    if (value <= (best.get(kind) ?? -Infinity)) return;
    best.set(kind, value);
    matchByKind[kind] = id;
  };
  for (const match of played) {
    setHighlight("longest", match.finalTick, match.id);
    if (match.reason === "last_standing") setHighlight("quickest", -match.finalTick, match.id);
    if (match.settled) addRatingHighlights(match, setHighlight);
  }
  const inOrder = played.toSorted(byAge);
  if (inOrder.length > 0)
    Object.assign(matchByKind, { opener: inOrder[0]!.id, finale: inOrder.at(-1)!.id });
  return matchByKind;
}

function addRatingHighlights(
  { id, seats, winnerSeat }: FinishedMatch,
  setHighlight: (kind: HighlightKind, value: number, id: string) => void,
): void {
  if (seats.some((seat) => seat.ratingBefore === null)) return;
  const changes = seats.map((seat) => Math.abs(seat.ratingAfter! - seat.ratingBefore!));
  setHighlight("swing", Math.max(...changes), id);
  if (winnerSeat === null) return;
  const gap = seats[1 - winnerSeat]!.ratingBefore! - seats[winnerSeat]!.ratingBefore!;
  if (gap > 0) setHighlight("upset", gap, id);
}

function playStats(played: FinishedMatch[]): Pick<CompetitionStats, "play" | "weapons"> {
  const seats = played.flatMap(({ seats: groupedRows, stats }) =>
    parseSeatStats(stats).map((seat, index) => ({ botId: groupedRows[index]!.botId!, ...seat })),
  );
  const play = [...Map.groupBy(seats, ({ botId }) => botId)].map(([botId, groupedRows]) => {
    return { botId, games: groupedRows.length, ...sumColumns(PLAY, groupedRows) };
  });
  const used = seats.flatMap(({ botId, weapons }) =>
    Object.entries(weapons).map(([attack, figures]) => ({ botId, attack, ...figures })),
  );
  const weapons = [...Map.groupBy(used, ({ botId, attack }) => `${botId} ${attack}`).values()].map(
    (groupedRows) => ({
      botId: groupedRows[0]!.botId,
      attack: groupedRows[0]!.attack,
      ...sumColumns(WEAPON, groupedRows),
    }),
  );
  const key = (row: { botId: BotId; attack?: string }) => `${row.botId} ${row.attack}`;
  const sorted = <T extends { botId: BotId }>(rows: T[]) =>
    rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return { play: sorted(play), weapons: sorted(weapons) };
}

const WEAPON = ["uses", "hits", "damage"] as const;
const PLAY = [
  ...(["ticks", "moves", "dashes", "uses", "hits", "damageDealt", "damageTaken"] as const),
  ...(["healed", "wallSlams", "zoneDamage", "idles"] as const),
];

function sumColumns<N extends string>(names: readonly N[], rows: readonly Record<N, number>[]) {
  const sum = (name: N) => rows.reduce((total, row) => total + row[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<N, number>;
}

function ratingHistory(memory: SeasonContext, query: RatingHistoryQuery) {
  const { botId, ladderId, season, since, points: pointLimit } = query;
  const botMatches = [...memory.matches.values()]
    .filter(({ mode }) => mode === "ranked")
    .filter(
      (match) => match.ladderId === ladderId && match.seats.some((seat) => seat.botId === botId),
    )
    .filter((match) => season === undefined || match.season === season)
    .filter((match) => since === undefined || match.ended >= since)
    .map((match) => ({ match, seat: match.seats.find((seat) => seat.botId === botId)! }))
    .filter(({ seat }) => seat.ratingAfter !== null)
    .toSorted((a, b) => byAge(a.match, b.match));
  const games = botMatches.length;
  const ids = botMatches.map(({ seat }) => seat.versionId);
  const sampleSize = games <= pointLimit ? games : Math.max(1, pointLimit - 2 * new Set(ids).size);
  const isKept = (place: number) =>
    ids.indexOf(ids[place]!) === place ||
    ids.lastIndexOf(ids[place]!) === place ||
    Math.floor(((place + 1) * sampleSize) / games) > Math.floor((place * sampleSize) / games);
  const points = botMatches
    .filter((_, place) => isKept(place))
    .map(({ match }) => toPoint(memory, match, botId));
  return { games, points };
}

function toPoint(
  { bots, versions }: SeasonContext,
  match: FinishedMatch,
  botId: BotId,
): RatingPoint {
  const place = match.seats.findIndex((one) => one.botId === botId);
  const [seat, opponentSeat] = [match.seats[place]!, botSeats(match)[1 - place]!];
  return {
    matchId: match.id,
    ended: match.ended,
    map: match.map,
    version: versions.get(seat.versionId!)!.label,
    ratingBefore: seat.ratingBefore!,
    ratingAfter: seat.ratingAfter!,
    deviationAfter: seat.deviationAfter,
    result: match.winnerSeat === null ? "D" : match.winnerSeat === place ? "W" : "L",
    opponent: bots.get(opponentSeat.botId)!.name,
    opponentVersion: versions.get(opponentSeat.versionId)!.label,
  };
}
