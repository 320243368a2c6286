// Seasons and everything counted in a competition, over plain maps. Each call counts the matches
// from scratch.

import { monthOf, newestFirst, PRESEASON, windowOfMonth } from "#core/ladder/season.ts";
import type { Competition } from "#core/ladder/season.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";
import { botSeats } from "#data/queries/mode.ts";
import { pairOf } from "#data/queries/pair.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type {
  CompetitionFigures,
  HighlightKind,
  LadderFigures,
  LadderQuery,
  PairCount,
  RatingPoint,
  RatingQuery,
  VersionActivity,
} from "#data/store/figures.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, ReadStanding, SeasonRecord } from "#data/store/season.ts";
import type { NotedPlaces } from "#data/store/standings.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

export type SeasonFacts = {
  seasons: Map<string, SeasonRecord>;
  places: Map<string, FinalStanding[]>;
  /** By ladder, then by day. */
  noted: Map<LadderId, Map<string, NotedPlaces>>;
};

type Facts = SeasonFacts & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

/** A database made at this instant has an empty preseason and the first month. */
export function firstSeasons(made: string): SeasonFacts {
  const first = windowOfMonth(monthOf(made));
  const { opensAt } = first;
  const seasons: SeasonRecord[] = [
    { id: PRESEASON, opensAt, closesAt: opensAt, archivedAt: made },
    { ...first, archivedAt: null },
  ];
  const byId = new Map(seasons.map((season) => [season.id, season]));
  return { seasons: byId, places: new Map(), noted: new Map() };
}

export function standingMethods({ noted }: SeasonFacts): Store["standings"] {
  return {
    note: async (places, since) => {
      const { ladderId, day } = places;
      const days = noted.getOrInsertComputed(ladderId, () => new Map<string, NotedPlaces>());
      const isNew = !days.has(day);
      if (isNew) days.set(day, structuredClone(places));
      const gone = [...days.keys()].filter((other) => other < since || other > day);
      for (const other of gone) days.delete(other);
      return isNew || gone.length > 0;
    },
    latest: async (ladderId) => {
      const days = [...(noted.get(ladderId)?.values() ?? [])];
      const latest = days.toSorted((one, other) => (one.day < other.day ? 1 : -1))[0];
      return structuredClone(latest ?? null);
    },
  };
}

/** A final place under the present names. */
export function placeNow(
  { bots, accounts }: Pick<Facts, "bots" | "accounts">,
  place: FinalStanding,
): ReadStanding {
  const bot = bots.get(place.botId);
  const { name, owner } = bot ?? place;
  const ownerId = bot?.ownerId ?? "";
  const ownerBanned = (accounts.get(ownerId)?.bannedAt ?? null) !== null;
  return { ...place, name, owner, ownerId, ownerBanned };
}

export function seasonMethods(facts: Facts): Store["seasons"] {
  const { seasons, places } = facts;
  return {
    list: async () =>
      [...seasons.values()]
        .map((season) => ({ ...season }))
        .toSorted((one, other) => newestFirst(one.id, other.id)),
    open: async (opened) => {
      const fresh = opened.filter(({ id }) => !seasons.has(id));
      for (const season of fresh) seasons.set(season.id, { ...season });
      return fresh.length > 0;
    },
    archive: async (id, archivedAt, standings) => {
      const season = seasons.get(id);
      if (season === undefined || season.archivedAt !== null) return false;
      season.archivedAt = archivedAt;
      const byRank = standings.toSorted((one, other) => one.rank - other.rank);
      places.set(id, structuredClone(byRank));
      return true;
    },
    standings: async (season) => (places.get(season) ?? []).map((place) => placeNow(facts, place)),
    champions: async () => allPlaces(places).filter(({ rank }) => rank === 1),
    placesOf: async (botId) => allPlaces(places).filter((row) => row.botId === botId),
  };
}

/** Newest season first. */
function allPlaces(places: Facts["places"]) {
  return [...places]
    .flatMap(([season, rows]) => rows.map((row) => ({ season, ...row })))
    .toSorted((one, other) => newestFirst(one.season, other.season));
}

type CountMethods = Pick<
  Store["figures"],
  "pairs" | "activity" | "opponents" | "play" | "competition" | "ladder" | "ratings"
>;

export function countMethods(facts: Facts): CountMethods {
  const all = () => [...facts.matches.values()].filter(({ mode }) => mode === "ranked");
  const ratedIn = (of: Competition) => all().filter((match) => isOf(match, of) && isCounted(match));
  return {
    pairs: async (of) => countPairs(ratedIn(of)),
    activity: async (of) => countActivity(ratedIn(of)),
    opponents: async (botId, of, versionId) =>
      [...Map.groupBy(viewsOf(ratedIn(of), botId, versionId), (view) => view.opponentId)]
        .map(([opponentId, views]) => ({ opponentId, ...sumOf(views) }))
        .toSorted((a, b) => (a.opponentId < b.opponentId ? -1 : 1)),
    play: async (of, botId) => {
      const { play, weapons } = playOf(all().filter((match) => isOf(match, of) && !match.voided));
      return {
        play: play.find((one) => one.botId === botId) ?? null,
        weapons: weapons.filter((one) => one.botId === botId),
        all: sumsOf(["ticks", "uses", "moves", "dashes"], play),
      };
    },
    competition: async (of, rivalries) =>
      figuresOf(
        facts,
        all().filter((match) => isOf(match, of)),
        rivalries,
      ),
    ladder: async (query) => ladderOf(facts, query, all()),
    ratings: async (query) => historyOf(facts, query),
  };
}

const isOf = (match: FinishedMatch, { ladderId, season }: Competition) =>
  match.ladderId === ladderId && match.season === season;
const isCounted = (match: FinishedMatch) => match.rated && !match.voided;
const ageKey = ({ ended, id }: FinishedMatch) => `${ended} ${id}`;
const byAge = (a: FinishedMatch, b: FinishedMatch) => (ageKey(a) < ageKey(b) ? -1 : 1);

function countPairs(rated: FinishedMatch[]): PairCount[] {
  const counts = new Map<string, PairCount>();
  for (const match of rated) {
    const [first, second] = pairOf(match);
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
  const found = new Map<string, VersionActivity>();
  for (const { id, ended, seats } of rated.toSorted(byAge))
    for (const [index, { versionId, botId }] of botSeats({ seats }).entries()) {
      const seatBalance = (found.get(versionId)?.seatBalance ?? 0) + (index === 0 ? 1 : -1);
      const last = { lastPlayed: ended, lastMatchId: id };
      found.set(versionId, { versionId, botId, ...last, seatBalance });
    }
  return [...found.values()].toSorted((a, b) => (a.versionId < b.versionId ? -1 : 1));
}

const NO_RESULTS: Results = { wins: 0, draws: 0, losses: 0 };

type View = Results & { botId: BotId; opponentId: BotId; map: string };

/** Rated matches as seen by one bot, or by each of their bots. */
function viewsOf(rated: FinishedMatch[], botId?: BotId, versionId?: VersionId): View[] {
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

function sumOf(all: readonly Results[]): Results {
  const sum = { ...NO_RESULTS };
  for (const { wins, draws, losses } of all) {
    sum.wins += wins;
    sum.draws += draws;
    sum.losses += losses;
  }
  return sum;
}

function figuresOf(facts: Facts, matches: FinishedMatch[], rivalries: number): CompetitionFigures {
  const played = matches.filter((match) => !match.voided);
  const views = viewsOf(matches.filter(isCounted));
  const maps = [...Map.groupBy(views, ({ botId, map }) => `${botId} ${map}`)];
  return {
    totals: {
      games: played.length,
      draws: played.filter((match) => match.winnerSeat === null).length,
      voided: matches.length - played.length,
      statsGames: played.filter((match) => seatFigures(match.stats).length > 0).length,
    },
    highlights: highlightsOf(played),
    rivalries: rivalriesOf(facts, views).slice(0, rivalries),
    maps: maps
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, own]) => ({ botId: own[0]!.botId, map: own[0]!.map, ...sumOf(own) })),
    ...playOf(played),
  };
}

function ladderOf(facts: Facts, query: LadderQuery, ranked: FinishedMatch[]): LadderFigures {
  const { ladderId, season, rivalries: most } = query;
  const matches = ranked.filter(
    (match) => match.ladderId === ladderId && (season === undefined || match.season === season),
  );
  const { totals, maps, highlights, rivalries } = figuresOf(facts, matches, most);
  const { statsGames: _, ...counts } = totals;
  const sideOf = (house: boolean) => {
    const own = maps.filter(({ botId }) => facts.bots.get(botId)!.house === house);
    return { bots: new Set(own.map(({ botId }) => botId)).size, wins: sumOf(own).wins };
  };
  const games = Map.groupBy(matches.filter(isCounted), ({ map }) => map);
  return {
    totals: counts,
    players: sideOf(false),
    house: sideOf(true),
    maps: [...games]
      .map(([map, own]) => ({ map, games: own.length }))
      .toSorted((a, b) => b.games - a.games || (a.map < b.map ? -1 : 1)),
    highlights,
    rivalries,
  };
}

function rivalriesOf({ bots }: Facts, views: View[]): CompetitionFigures["rivalries"] {
  const isPlayer = (id: string) => bots.get(id)?.house === false;
  const pairs = views.filter(
    ({ botId, opponentId }) => botId < opponentId && isPlayer(botId) && isPlayer(opponentId),
  );
  const shared = ({ wins, draws, losses }: Results) => 2 * Math.min(wins, losses) + draws;
  const games = ({ wins, draws, losses }: Results) => wins + draws + losses;
  return [...Map.groupBy(pairs, ({ botId, opponentId }) => `${botId} ${opponentId}`).values()]
    .map((own) => ({ botIds: [own[0]!.botId, own[0]!.opponentId] as const, ...sumOf(own) }))
    .filter((pair) => shared(pair) > 0 && 2 * shared(pair) >= games(pair))
    .toSorted((a, b) => (a.botIds.join(" ") < b.botIds.join(" ") ? -1 : 1))
    .toSorted((a, b) => shared(b) - shared(a) || games(b) - games(a));
}

export function highlightsOf(matches: FinishedMatch[]): CompetitionFigures["highlights"] {
  const played = matches.filter(isCounted);
  const found: Partial<Record<HighlightKind, string>> = {};
  const best = new Map<HighlightKind, number>();
  const note = (kind: HighlightKind, value: number, id: string) => {
    if (value <= (best.get(kind) ?? -Infinity)) return;
    best.set(kind, value);
    found[kind] = id;
  };
  for (const match of played) {
    note("longest", match.finalTick, match.id);
    if (match.reason === "last_standing") note("quickest", -match.finalTick, match.id);
    if (match.settled) noteMoves(match, note);
  }
  const inOrder = played.toSorted(byAge);
  if (inOrder.length > 0)
    Object.assign(found, { opener: inOrder[0]!.id, finale: inOrder.at(-1)!.id });
  return found;
}

function noteMoves(
  { id, seats, winnerSeat }: FinishedMatch,
  note: (kind: HighlightKind, value: number, id: string) => void,
): void {
  if (seats.some((seat) => seat.ratingBefore === null)) return;
  const changes = seats.map((seat) => Math.abs(seat.ratingAfter! - seat.ratingBefore!));
  note("swing", Math.max(...changes), id);
  if (winnerSeat === null) return;
  const gap = seats[1 - winnerSeat]!.ratingBefore! - seats[winnerSeat]!.ratingBefore!;
  if (gap > 0) note("upset", gap, id);
}

function playOf(played: FinishedMatch[]): Pick<CompetitionFigures, "play" | "weapons"> {
  const seats = played.flatMap(({ seats: own, stats }) =>
    seatFigures(stats).map((seat, index) => ({ botId: own[index]!.botId!, ...seat })),
  );
  const play = [...Map.groupBy(seats, ({ botId }) => botId)].map(([botId, own]) => {
    return { botId, games: own.length, ...sumsOf(PLAY, own) };
  });
  const used = seats.flatMap(({ botId, weapons }) =>
    Object.entries(weapons).map(([attack, figures]) => ({ botId, attack, ...figures })),
  );
  const weapons = [...Map.groupBy(used, ({ botId, attack }) => `${botId} ${attack}`).values()].map(
    (own) => ({ botId: own[0]!.botId, attack: own[0]!.attack, ...sumsOf(WEAPON, own) }),
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

function sumsOf<N extends string>(names: readonly N[], rows: readonly Record<N, number>[]) {
  const sum = (name: N) => rows.reduce((total, row) => total + row[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<N, number>;
}

function historyOf(facts: Facts, query: RatingQuery) {
  const { botId, ladderId, season, since, points: most } = query;
  const own = [...facts.matches.values()]
    .filter(({ mode }) => mode === "ranked")
    .filter((match) => match.ladderId === ladderId && match.seats.some((s) => s.botId === botId))
    .filter((match) => season === undefined || match.season === season)
    .filter((match) => since === undefined || match.ended >= since)
    .map((match) => ({ match, seat: match.seats.find((s) => s.botId === botId)! }))
    .filter(({ seat }) => seat.ratingAfter !== null)
    .toSorted((a, b) => byAge(a.match, b.match));
  const games = own.length;
  const ids = own.map(({ seat }) => seat.versionId);
  const room = games <= most ? games : Math.max(1, most - 2 * new Set(ids).size);
  const isKept = (place: number) =>
    ids.indexOf(ids[place]!) === place ||
    ids.lastIndexOf(ids[place]!) === place ||
    Math.floor(((place + 1) * room) / games) > Math.floor((place * room) / games);
  const points = own
    .filter((_, place) => isKept(place))
    .map(({ match }) => pointOf(facts, match, botId));
  return { games, points };
}

function pointOf({ bots, versions }: Facts, match: FinishedMatch, botId: BotId): RatingPoint {
  const place = match.seats.findIndex((one) => one.botId === botId);
  const [seat, other] = [match.seats[place]!, botSeats(match)[1 - place]!];
  return {
    matchId: match.id,
    ended: match.ended,
    map: match.map,
    version: versions.get(seat.versionId!)!.label,
    ratingBefore: seat.ratingBefore!,
    ratingAfter: seat.ratingAfter!,
    deviationAfter: seat.deviationAfter,
    result: match.winnerSeat === null ? "D" : match.winnerSeat === place ? "W" : "L",
    opponent: bots.get(other.botId)!.name,
    opponentVersion: versions.get(other.versionId)!.label,
  };
}
