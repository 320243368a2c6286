// Simulates a small event on its own ladder, without seasons. All bots are online throughout.

import { MINUTE_US, SECOND_US } from "#base/util/time.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";
import { exactScore } from "#core/rating/score.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { BoardPage, Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { busyLadderName, startBusyLadders } from "#testing/harness/busy-ladders.ts";

import { withRandomPairing } from "./random-pairing.ts";
import { spearman } from "./statistics.ts";
import type { PairingKind } from "./study.ts";

export type SmallEventPlan = {
  seed: number;
  /** Number of players' bots, excluding house bots. */
  bots: number;
  hours: number;
  house: boolean;
  pairing: PairingKind;
  /** Minimum and maximum turn time of the slower bot, in ms. */
  turnMs: readonly [least: number, most: number];
  limits?: Partial<Limits>;
};

export type SmallEventMatch = {
  minutes: number;
  /** Null for a house bot. */
  players: readonly (BotId | null)[];
  botIds: readonly [BotId, BotId];
};

export type BoardOrder = {
  minutes: number;
  games: number;
  /** Correlation with the players' true strengths; NaN until every player has a game. */
  spearman: number;
};

export type SmallEvent = {
  bots: number;
  hours: number;
  /** Rated games, in the order in which they ended. */
  games: SmallEventMatch[];
  orders: BoardOrder[];
  /** Seconds from each player's `queue` to its next `hello`. */
  waits: number[];
};

/** Gives matches of 60–180 ticks, most often about 90, like matches between house bots. */
const EXCHANGE_RANGE = [2, 6] as const;
const TICKS_PER_EXCHANGE = 30;
const MINUTE_S = MINUTE_US / SECOND_US;

export async function runSmallEvent(plan: SmallEventPlan): Promise<SmallEvent> {
  const { seed, bots, hours, house, pairing, turnMs, limits = {} } = plan;
  const event: SmallEvent = { bots, hours, games: [], orders: [], waits: [] };
  const elapsedMinutes = () => ladders.now() / MINUTE_S;
  const localRatings = localMatchmaker();
  const pairingMatchmaker = pairing === "random" ? withRandomPairing(localRatings) : localRatings;
  const matchmaker: Matchmaker = {
    ...pairingMatchmaker,
    rate: (game) => {
      const players = game.botIds.map((botId) => (ladders.trueStrengths.has(botId) ? botId : null));
      event.games.push({ minutes: elapsedMinutes(), players, botIds: game.botIds });
      return pairingMatchmaker.rate(game);
    },
    board: async (competition) => {
      const page = await pairingMatchmaker.board(competition);
      if (competition.ladderId === busyLadderName(0) && page.lastSequence > 0)
        event.orders.push(createOrder(page, ladders.trueStrengths, elapsedMinutes()));
      return page;
    },
  };
  const ladders = await startBusyLadders({
    seed,
    ladders: 1,
    players: bots,
    house,
    matchmaker,
    exchangeRange: EXCHANGE_RANGE,
    thinkTimeRange: [turnMs[0] * TICKS_PER_EXCHANGE, turnMs[1] * TICKS_PER_EXCHANGE],
    limits,
    watch: {
      onStarted: () => {},
      onEnded: () => {},
      onWaited: (seconds) => void event.waits.push(seconds),
    },
  });
  await ladders.run(hours * MINUTE_S * MINUTE_S);
  await ladders.close();
  return event;
}

function createOrder(
  { lines, lastSequence }: BoardPage,
  trueStrengths: ReadonlyMap<BotId, number>,
  minutes: number,
): BoardOrder {
  const players = lines.filter(({ botId }) => trueStrengths.has(botId));
  const scores = players.map(({ rating, deviation }) => exactScore(rating, deviation));
  const points = players.map(({ botId }) => trueStrengths.get(botId) ?? NaN);
  const isComplete = players.length === trueStrengths.size;
  return { minutes, games: lastSequence, spearman: isComplete ? spearman(scores, points) : NaN };
}
