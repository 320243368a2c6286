// No result is lost, duplicated or altered between engine, store and bots.

import type { BotId } from "#core/ids/ids.ts";
import type { FinishedMatch, SeatRecord } from "#data/store/match.ts";
import type { RatedMatch, RatingChange } from "#live/matchmaker/matchmaker.ts";

import type { Watch } from "./watch.ts";

/** Fields of `end` that are also stored. */
type EndMessage = {
  match_id: string;
  winner: string | null;
  reason: string;
  voided?: boolean;
  rating_change: number | null;
};

type ResultFacts = {
  unsavedMatches: Map<string, readonly string[]>;
  winners: Map<string, number | null>;
  ratedGames: Map<string, { game: RatedMatch; change: RatingChange }>;
  storedMatches: Map<string, FinishedMatch>;
  confirmedIds: Set<string>;
  sentEnds: Set<string>;
};

export function watchResults(): Watch {
  const facts: ResultFacts = {
    unsavedMatches: new Map(),
    winners: new Map(),
    ratedGames: new Map(),
    storedMatches: new Map(),
    confirmedIds: new Set(),
    sentEnds: new Set(),
  };
  return {
    name: "no result lost or duplicated",
    on: {
      started: ({ matchId, botIds }) => void facts.unsavedMatches.set(matchId, botIds),
      practised: ({ matchId, botId }) => void facts.unsavedMatches.set(matchId, [botId]),
      decided: ({ matchId, winner }) => void facts.winners.set(matchId, winner),
      rated: ({ game, change }) => recordRating(facts, game, change),
      taken_back: ({ game }) => void facts.ratedGames.delete(game.matchId),
      stored: ({ match }) => checkStored(facts, match),
      confirmed: ({ matchId }) => void facts.confirmedIds.add(matchId),
      told: ({ about, botId, text }) =>
        about === "end" ? checkEndMessage(facts, botId, text) : null,
      killed: () => {
        facts.unsavedMatches.clear();
        facts.ratedGames.clear();
      },
      finished: () => checkMissing(facts),
    },
  };
}

function checkMissing({ unsavedMatches, ratedGames }: ResultFacts): string | null {
  const missingIds = [...new Set([...unsavedMatches.keys(), ...ratedGames.keys()])];
  return missingIds.length === 0 ? null : `never stored: ${missingIds.join(", ")}`;
}

function recordRating(
  { ratedGames, storedMatches }: ResultFacts,
  game: RatedMatch,
  change: RatingChange,
): string | null {
  if (ratedGames.has(game.matchId) || storedMatches.has(game.matchId))
    return `${game.matchId} is rated twice`;
  ratedGames.set(game.matchId, { game, change });
  return null;
}

function checkStored(facts: ResultFacts, match: FinishedMatch): string | null {
  const { unsavedMatches, storedMatches, ratedGames, winners } = facts;
  const before = storedMatches.get(match.id);
  if (before !== undefined)
    return isSameResult(before, match) ? null : `${match.id} is stored twice`;
  if (!unsavedMatches.has(match.id)) return `${match.id} is stored but was never played`;
  storedMatches.set(match.id, match);
  unsavedMatches.delete(match.id);
  const ratedGame = ratedGames.get(match.id);
  ratedGames.delete(match.id);
  winners.delete(match.id);
  return checkAltered(match, ratedGame, facts) ?? checkRated(match, ratedGame);
}

/** Ignores the duration, which is longer if the save was retried. */
function isSameResult(a: FinishedMatch, b: FinishedMatch): boolean {
  return a.winnerSeat === b.winnerSeat && a.ended === b.ended;
}

type RatedGame = { game: RatedMatch; change: RatingChange };

function checkAltered(
  match: FinishedMatch,
  ratedGame: RatedGame | undefined,
  { winners }: ResultFacts,
): string | null {
  const winner = winners.get(match.id);
  const seat = match.winnerSeat;
  if (winner !== undefined && winner !== seat && !match.voided)
    return `${match.id} was won by seat ${winner} but stored for seat ${seat}`;
  const score = seat === null ? 0.5 : seat === 0 ? 1 : 0;
  if (ratedGame !== undefined && ratedGame.game.score !== score)
    return `${match.id} is rated as ${ratedGame.game.score} but stored as ${score}`;
  return null;
}

function checkRated(match: FinishedMatch, ratedGame: RatedGame | undefined): string | null {
  if (match.voided) return ratedGame === undefined ? null : `${match.id} is void but rated`;
  // The practice watch covers practice matches.
  if (match.mode === "practice") return null;
  // The admission watch covers the reason.
  if (match.unratedReason !== null && ratedGame === undefined && !match.rated) return null;
  if (ratedGame === undefined || !match.rated) return `${match.id} is not rated`;
  const hasGivenRatings = match.seats.every((seat, number) =>
    hasRating(seat, ratedGame.change, number),
  );
  return hasGivenRatings ? null : `${match.id} is stored with ratings other than those computed`;
}

function hasRating(
  seat: SeatRecord,
  { before, after, exact }: RatingChange,
  number: number,
): boolean {
  return (
    seat.ratingBefore === before[number] &&
    seat.ratingAfter === after[number] &&
    seat.deviationAfter === exact[number]?.deviation &&
    seat.scoreAfter === exact[number]?.score
  );
}

function checkEndMessage(facts: ResultFacts, botId: BotId, text: string): string | null {
  const end = JSON.parse(text) as EndMessage;
  const match = facts.storedMatches.get(end.match_id);
  const key = `${end.match_id} ${botId}`;
  if (facts.sentEnds.has(key)) return `${key}: end sent twice`;
  facts.sentEnds.add(key);
  if (match === undefined || !facts.confirmedIds.has(end.match_id))
    return `${key}: end sent before the match was stored`;
  return compareEnd(match, end, botId);
}

function compareEnd(match: FinishedMatch, end: EndMessage, botId: BotId): string | null {
  const winner = match.seats[match.winnerSeat ?? -1]?.fighter ?? null;
  const botSeat = match.seats.find((seat) => seat.botId === botId);
  if (botSeat === undefined) return `${match.id}: end sent to a bot that did not play`;
  const ratingChange =
    match.rated && !match.voided ? botSeat.ratingAfter! - botSeat.ratingBefore! : null;
  const matchesStored =
    end.winner === winner &&
    end.reason === match.reason &&
    (end.voided ?? false) === match.voided &&
    end.rating_change === ratingChange;
  return matchesStored ? null : `${match.id}: end sent differs from the stored match`;
}
