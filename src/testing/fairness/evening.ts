// An evening of a small event: its own ladder without seasons, and everybody there the whole time.

import { MINUTE, SECOND } from "#base/units/time.ts";
import { exactScore } from "#core/rating/score.ts";
import type { BotId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { BoardPage, Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { ladderName, openLively } from "#testing/harness/lively-ladders.ts";

import { randomlyPairing } from "./random-pairing.ts";
import { spearman } from "./statistics.ts";
import type { PairingKind } from "./study.ts";

export type EveningPlan = {
  seed: number;
  /** Of the players. */
  bots: number;
  hours: number;
  house: boolean;
  pairing: PairingKind;
  /** Milliseconds that the slower bot takes for a turn, at least and at most. */
  turnMs: readonly [least: number, most: number];
  limits?: Partial<Limits>;
};

export type EveningGame = {
  minutes: number;
  /** Null for a bot of the house. */
  players: readonly (BotId | null)[];
  botIds: readonly [BotId, BotId];
};

/** The board as it stood at one moment. */
export type EveningOrder = {
  minutes: number;
  games: number;
  /** With the true strengths, over the players; NaN until each has a game. */
  spearman: number;
};

export type Evening = {
  /** How many players. */
  bots: number;
  hours: number;
  /** Rated ones, as they ended. */
  games: EveningGame[];
  orders: EveningOrder[];
  /** Seconds from each `queue` of a player to its `hello`. */
  waits: number[];
};

/** A fight takes 60 to 180 ticks, most often about 90, as fights between house bots do. */
const EXCHANGES = [2, 6] as const;
const TICKS_PER_EXCHANGE = 30;
const MINUTE_S = MINUTE / SECOND;

export async function spendEvening(plan: EveningPlan): Promise<Evening> {
  const { seed, bots, hours, house, pairing, turnMs, limits = {} } = plan;
  const evening: Evening = { bots, hours, games: [], orders: [], waits: [] };
  const minutes = () => world.now() / MINUTE_S;
  const local = localMatchmaker();
  const paired = pairing === "random" ? randomlyPairing(local) : local;
  const matchmaker: Matchmaker = {
    ...paired,
    rate: (game) => {
      const players = game.botIds.map((botId) => (world.truth.has(botId) ? botId : null));
      evening.games.push({ minutes: minutes(), players, botIds: game.botIds });
      return paired.rate(game);
    },
    board: async (competition) => {
      const page = await paired.board(competition);
      if (competition.ladderId === ladderName(0) && page.upTo > 0)
        evening.orders.push(orderOf(page, world.truth, minutes()));
      return page;
    },
  };
  const world = await openLively({
    seed,
    ladders: 1,
    players: bots,
    house,
    matchmaker,
    exchanges: EXCHANGES,
    thoughts: [turnMs[0] * TICKS_PER_EXCHANGE, turnMs[1] * TICKS_PER_EXCHANGE],
    limits,
    watch: {
      started: () => {},
      ended: () => {},
      waited: (seconds) => void evening.waits.push(seconds),
    },
  });
  await world.play(hours * MINUTE_S * MINUTE_S);
  await world.close();
  return evening;
}

function orderOf(
  { lines, upTo }: BoardPage,
  truth: ReadonlyMap<BotId, number>,
  minutes: number,
): EveningOrder {
  const players = lines.filter(({ botId }) => truth.has(botId));
  const scores = players.map(({ rating, deviation }) => exactScore(rating, deviation));
  const points = players.map(({ botId }) => truth.get(botId) ?? NaN);
  const isWhole = players.length === truth.size;
  return { minutes, games: upTo, spearman: isWhole ? spearman(scores, points) : NaN };
}
