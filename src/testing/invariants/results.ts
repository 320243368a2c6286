// No result is lost, doubled or altered between the fight, the store and what bots are told.

import type { BotId } from "#core/words/ids.ts";
import type { FinishedMatch, SeatRecord } from "#data/store/match.ts";
import type { PlayedGame, RatingChange } from "#live/matchmaker/matchmaker.ts";

import type { Watch } from "./watch.ts";

/** The parts of `end` that are also in the store. */
type End = {
  match_id: string;
  winner: string | null;
  reason: string;
  voided?: boolean;
  rating_change: number | null;
};

type Facts = {
  /** Started and not yet stored, by match id. */
  open: Map<string, readonly string[]>;
  decided: Map<string, number | null>;
  rated: Map<string, { game: PlayedGame; change: RatingChange }>;
  stored: Map<string, FinishedMatch>;
  confirmed: Set<string>;
  /** Match and bot of each `end` that was sent. */
  told: Set<string>;
};

export function watchResults(): Watch {
  const facts: Facts = {
    open: new Map(),
    decided: new Map(),
    rated: new Map(),
    stored: new Map(),
    confirmed: new Set(),
    told: new Set(),
  };
  return {
    name: "no result lost or doubled",
    on: {
      started: ({ matchId, botIds }) => void facts.open.set(matchId, botIds),
      practised: ({ matchId, botId }) => void facts.open.set(matchId, [botId]),
      decided: ({ matchId, winner }) => void facts.decided.set(matchId, winner),
      rated: ({ game, change }) => rate(facts, game, change),
      taken_back: ({ game }) => void facts.rated.delete(game.matchId),
      stored: ({ match }) => keep(facts, match),
      confirmed: ({ matchId }) => void facts.confirmed.add(matchId),
      told: ({ about, botId, text }) => (about === "end" ? tell(facts, botId, text) : null),
      killed: () => {
        facts.open.clear();
        facts.rated.clear();
      },
      finished: () => missing(facts),
    },
  };
}

function missing({ open, rated }: Facts): string | null {
  const lost = [...new Set([...open.keys(), ...rated.keys()])];
  return lost.length === 0 ? null : `never stored: ${lost.join(", ")}`;
}

function rate({ rated, stored }: Facts, game: PlayedGame, change: RatingChange): string | null {
  if (rated.has(game.matchId) || stored.has(game.matchId)) return `${game.matchId} is rated twice`;
  rated.set(game.matchId, { game, change });
  return null;
}

function keep(facts: Facts, match: FinishedMatch): string | null {
  const { open, stored, rated, decided } = facts;
  const before = stored.get(match.id);
  if (before !== undefined) return isSame(before, match) ? null : `${match.id} is stored twice`;
  if (!open.has(match.id)) return `${match.id} is stored and was never played`;
  stored.set(match.id, match);
  open.delete(match.id);
  const known = rated.get(match.id);
  rated.delete(match.id);
  decided.delete(match.id);
  return altered(match, known, facts) ?? wronglyRated(match, known);
}

/** A retried save has a later duration. */
function isSame(one: FinishedMatch, other: FinishedMatch): boolean {
  return one.winnerSeat === other.winnerSeat && one.ended === other.ended;
}

type Rated = { game: PlayedGame; change: RatingChange };

function altered(
  match: FinishedMatch,
  known: Rated | undefined,
  { decided }: Facts,
): string | null {
  const winner = decided.get(match.id);
  const seat = match.winnerSeat;
  if (winner !== undefined && winner !== seat && !match.voided)
    return `${match.id} was won by seat ${winner} and is stored for seat ${seat}`;
  const score = seat === null ? 0.5 : seat === 0 ? 1 : 0;
  if (known !== undefined && known.game.score !== score)
    return `${match.id} is rated as ${known.game.score} and stored as ${score}`;
  return null;
}

function wronglyRated(match: FinishedMatch, known: Rated | undefined): string | null {
  if (match.voided) return known === undefined ? null : `${match.id} is void and rated`;
  // What practice must not be is another watch's.
  if (match.mode === "practice") return null;
  // Nor whether the reason is right.
  if (match.unratedReason !== null && known === undefined && !match.rated) return null;
  if (known === undefined || !match.rated) return `${match.id} is not rated`;
  const isAsGiven = match.seats.every((seat, number) => isGiven(seat, known.change, number));
  return isAsGiven ? null : `${match.id} is stored with other ratings than it was given`;
}

function isGiven(
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

function tell(facts: Facts, botId: BotId, text: string): string | null {
  const end = JSON.parse(text) as End;
  const match = facts.stored.get(end.match_id);
  const key = `${end.match_id} ${botId}`;
  if (facts.told.has(key)) return `${key}: the end is told twice`;
  facts.told.add(key);
  if (match === undefined || !facts.confirmed.has(end.match_id))
    return `${key}: the end is told before it is stored`;
  return differs(match, end, botId);
}

function differs(match: FinishedMatch, end: End, botId: BotId): string | null {
  const winner = match.seats[match.winnerSeat ?? -1]?.fighter ?? null;
  const own = match.seats.find((seat) => seat.botId === botId);
  if (own === undefined) return `${match.id}: the end is told to a stranger`;
  const gained = match.rated && !match.voided ? own.ratingAfter! - own.ratingBefore! : null;
  const isRight =
    end.winner === winner &&
    end.reason === match.reason &&
    (end.voided ?? false) === match.voided &&
    end.rating_change === gained;
  return isRight ? null : `${match.id}: the end that is told is not the one that is stored`;
}
