import type { BotId } from "#core/ids/ids.ts";
import { addMatchDamage, zeroDamage } from "#core/ladder/loss-damage.ts";
import { botSeats } from "#data/queries/match-mode.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { LossQuery, LostGames, BotRecordQuery } from "#data/store/stats.ts";
import type { Store } from "#data/store/store.ts";

type RecordMemory = { matches: Map<string, FinishedMatch> };

type RecordMethods = Pick<Store["stats"], "maps" | "recentOpponents" | "losses">;

export function recordMethods(memory: RecordMemory): RecordMethods {
  return {
    maps: async (query) => {
      const games = gamesOf(memory, query).filter(isRated);
      return [...Map.groupBy(games, ({ match }) => match.map)]
        .map(([map, botGames]) => ({ map, ...sumResults(botGames) }))
        .toSorted((a, b) => (a.map < b.map ? -1 : 1))
        .toSorted((a, b) => countGames(b) - countGames(a));
    },
    recentOpponents: async (query) => {
      const games = gamesOf(memory, query).slice(0, query.matches).filter(isRated);
      return [...Map.groupBy(games, ({ opponentId }) => opponentId)]
        .map(([opponentId, botGames]) => ({
          opponentId,
          lastPlayed: botGames[0]!.match.ended,
          ...sumResults(botGames),
        }))
        .slice(0, query.opponents);
    },
    losses: async (query) => lossesOf(memory, query),
  };
}

type Game = { match: FinishedMatch; seat: number; opponentId: BotId };

const isRated = ({ match }: Game) => match.rated && !match.voided;
const ageKey = ({ match: { ended, id } }: Game) => `${ended} ${id}`;

function gamesOf({ matches }: RecordMemory, { ladderId, season, botId }: BotRecordQuery): Game[] {
  return [...matches.values()]
    .filter((match) => match.mode === "ranked" && match.ladderId === ladderId)
    .filter((match) => season === undefined || match.season === season)
    .flatMap((match) => {
      const seat = match.seats.findIndex((candidate) => candidate.botId === botId);
      return seat === -1 ? [] : [{ match, seat, opponentId: botSeats(match)[1 - seat]!.botId }];
    })
    .toSorted((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function sumResults(games: readonly Game[]) {
  const count = (predicate: (game: Game) => boolean) => games.filter(predicate).length;
  return {
    wins: count(({ match, seat }) => match.winnerSeat === seat),
    draws: count(({ match }) => match.winnerSeat === null),
    losses: count(isLost),
  };
}

const countGames = ({ wins, draws, losses }: ReturnType<typeof sumResults>) =>
  wins + draws + losses;
const isLost = ({ match, seat }: Game) => match.winnerSeat === 1 - seat;

function lossesOf(memory: RecordMemory, query: LossQuery): LostGames {
  const { season, versionId, before, games: gameLimit, losses } = query;
  const older = gamesOf(memory, { ...query, season: season ?? undefined })
    .filter(isRated)
    .filter(({ match, seat }) => match.seats[seat]!.versionId === versionId)
    .filter((game) => before === null || ageKey(game) < `${before.ended} ${before.id}`);
  const examinedGames = older.slice(0, gameLimit);
  const firstExcessLoss = examinedGames.filter(isLost)[losses];
  const games =
    firstExcessLoss === undefined
      ? examinedGames
      : examinedGames.slice(0, examinedGames.indexOf(firstExcessLoss));
  const damage = zeroDamage();
  const lost = games
    .filter(isLost)
    .filter(({ match, seat }) => addMatchDamage(damage, match.stats ?? "{}", seat));
  const last = games.at(-1)?.match;
  const isDone = firstExcessLoss === undefined && examinedGames.length < gameLimit;
  return {
    games: games.length,
    lost: lost.length,
    damage,
    opponents: [...Map.groupBy(lost, ({ opponentId }) => opponentId)].map(
      ([botId, groupedGames]) => {
        return { botId, games: groupedGames.length };
      },
    ),
    maps: [...Map.groupBy(games, ({ match }) => match.map)].map(([map, groupedGames]) => {
      return {
        map,
        games: groupedGames.length,
        lost: groupedGames.filter((game) => lost.includes(game)).length,
      };
    }),
    nextCursor: isDone || last === undefined ? null : { ended: last.ended, id: last.id },
  };
}
