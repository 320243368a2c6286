// A bot's record by map, opponent and loss, over plain maps.

import { addDamage, noDamage } from "#core/ladder/lost-games.ts";
import type { BotId } from "#core/words/ids.ts";
import { botSeats } from "#data/queries/mode.ts";
import type { LossQuery, LostGames, RecordQuery } from "#data/store/figures.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

type Facts = { matches: Map<string, FinishedMatch> };

type Methods = Pick<Store["figures"], "maps" | "recentOpponents" | "losses">;

export function recordMethods(facts: Facts): Methods {
  return {
    maps: async (query) => {
      const games = gamesOf(facts, query).filter(isRated);
      return [...Map.groupBy(games, ({ match }) => match.map)]
        .map(([map, own]) => ({ map, ...sumOf(own) }))
        .toSorted((a, b) => (a.map < b.map ? -1 : 1))
        .toSorted((a, b) => sizeOf(b) - sizeOf(a));
    },
    recentOpponents: async (query) => {
      const games = gamesOf(facts, query).slice(0, query.matches).filter(isRated);
      return [...Map.groupBy(games, ({ opponentId }) => opponentId)]
        .map(([opponentId, own]) => ({
          opponentId,
          lastPlayed: own[0]!.match.ended,
          ...sumOf(own),
        }))
        .slice(0, query.opponents);
    },
    losses: async (query) => lossesOf(facts, query),
  };
}

type Game = { match: FinishedMatch; seat: number; opponentId: BotId };

const isRated = ({ match }: Game) => match.rated && !match.voided;
const ageKey = ({ match: { ended, id } }: Game) => `${ended} ${id}`;

/** A bot's matches on a ladder, newest first. */
function gamesOf({ matches }: Facts, { ladderId, season, botId }: RecordQuery): Game[] {
  return [...matches.values()]
    .filter((match) => match.mode === "ranked" && match.ladderId === ladderId)
    .filter((match) => season === undefined || match.season === season)
    .flatMap((match) => {
      const seat = match.seats.findIndex((one) => one.botId === botId);
      return seat === -1 ? [] : [{ match, seat, opponentId: botSeats(match)[1 - seat]!.botId }];
    })
    .toSorted((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function sumOf(games: readonly Game[]) {
  const count = (isSo: (game: Game) => boolean) => games.filter(isSo).length;
  return {
    wins: count(({ match, seat }) => match.winnerSeat === seat),
    draws: count(({ match }) => match.winnerSeat === null),
    losses: count(isLost),
  };
}

const sizeOf = ({ wins, draws, losses }: ReturnType<typeof sumOf>) => wins + draws + losses;
const isLost = ({ match, seat }: Game) => match.winnerSeat === 1 - seat;

function lossesOf(facts: Facts, query: LossQuery): LostGames {
  const { season, versionId, before, games: most, losses } = query;
  const older = gamesOf(facts, { ...query, season: season ?? undefined })
    .filter(isRated)
    .filter(({ match, seat }) => match.seats[seat]!.versionId === versionId)
    .filter((game) => before === null || ageKey(game) < `${before.ended} ${before.id}`);
  const looked = older.slice(0, most);
  const beyond = looked.filter(isLost)[losses];
  const games = beyond === undefined ? looked : looked.slice(0, looked.indexOf(beyond));
  const damage = noDamage();
  const lost = games
    .filter(isLost)
    .filter(({ match, seat }) => addDamage(damage, match.stats ?? "{}", seat));
  const last = games.at(-1)?.match;
  const isDone = beyond === undefined && looked.length < most;
  return {
    games: games.length,
    lost: lost.length,
    damage,
    opponents: [...Map.groupBy(lost, ({ opponentId }) => opponentId)].map(([botId, own]) => {
      return { botId, games: own.length };
    }),
    maps: [...Map.groupBy(games, ({ match }) => match.map)].map(([map, own]) => {
      return { map, games: own.length, lost: own.filter((game) => lost.includes(game)).length };
    }),
    last: isDone || last === undefined ? null : { ended: last.ended, id: last.id },
  };
}
