// Simulates a small event on its own ladder without seasons, with all bots online throughout.

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
  /** Players' bots only. */
  bots: number;
  hours: number;
  house: boolean;
  pairing: PairingKind;
  /** Minimum and maximum time in ms that the slower bot takes for a turn. */
  turnMs: readonly [least: number, most: number];
  limits?: Partial<Limits>;
};

export type SmallEventMatch = {
  minutes: number;
  /** Null for a house bot. */
  players: readonly (BotId | null)[];
  botIds: readonly [BotId, BotId];
};

/** A snapshot of the board. */
export type BoardOrder = {
  minutes: number;
  games: number;
  /** Correlation with true strengths over the players; NaN until each has a game. */
  spearman: number;
};

export type SmallEvent = {
  /** Number of players. */
  bots: number;
  hours: number;
  /** Rated games, in order of their ends. */
  games: SmallEventMatch[];
  orders: BoardOrder[];
  /** Seconds from each `queue` of a player to its `hello`. */
  waits: number[];
};

/** A match takes 60 to 180 ticks, most often about 90, like matches between house bots. */
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
