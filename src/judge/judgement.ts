// Ratings and pairing of all ladders in one value: what the judge's thread keeps and answers.

import { MAP_NAMES } from "#engine/maps.ts";
import { recordGame, unrecordGame } from "#pairing/matchups.ts";
import type { Matchups } from "#pairing/matchups.ts";
import type { WaitingBot } from "#pairing/types.ts";
import { pairWave } from "#pairing/wave.ts";
import {
  deviation,
  deviations,
  refreshDeviations,
  rememberedDeviation,
} from "#rating/deviation.ts";
import { rating, refit } from "#rating/fit.ts";
import {
  addGame,
  addResults,
  createScope,
  games,
  removeGame,
  setAnchors,
  tally,
} from "#rating/scope.ts";
import type { Scope } from "#rating/scope.ts";

import type {
  BoardPage,
  LadderHistory,
  Paired,
  PlayedGame,
  RatingChange,
  WaveRequest,
} from "./judge.ts";

/** Above this many versions a board refreshes some deviations in turn instead of all. */
const FULL_PASS_VERSIONS = 200;
const REFRESHED_PER_BOARD = 40;

type LastGame = { lastPlayed: string; lastMatchId: string };

/** `former` is what `last` was before it, kept in case the last game is taken back. */
type Played = { botId: string; last: LastGame; former: LastGame | null };

type LadderState = {
  readonly scope: Scope;
  readonly matchups: Matchups;
  /** By version id. */
  readonly played: Map<string, Played>;
  /** By bot id: games on seat 0 less those on seat 1. */
  readonly seatSurplus: Map<string, number>;
  sequence: number;
};

export type Judgement = Map<string, LadderState>;

function ladderOf(judgement: Judgement, ladderId: string): LadderState {
  const known = judgement.get(ladderId);
  if (known !== undefined) return known;
  const fresh: LadderState = {
    scope: createScope(),
    matchups: new Map(),
    played: new Map(),
    seatSurplus: new Map(),
    sequence: 0,
  };
  judgement.set(ladderId, fresh);
  return fresh;
}

export function loadLadder(judgement: Judgement, history: LadderHistory): void {
  const { scope, matchups, played, seatSurplus } = ladderOf(judgement, history.ladderId);
  for (const { first, second, map, wins, draws, losses } of history.pairs) {
    addResults(scope, first, second, { wins, draws, losses });
    const pair = { version: first, opponent: second, map };
    for (let game = 0; game < wins; game += 1) recordGame(matchups, { ...pair, score: 1 });
    for (let game = 0; game < draws; game += 1) recordGame(matchups, { ...pair, score: 0.5 });
    for (let game = 0; game < losses; game += 1) recordGame(matchups, { ...pair, score: 0 });
  }
  for (const { versionId, botId, lastPlayed, lastMatchId, seatBalance } of history.activity) {
    played.set(versionId, { botId, last: { lastPlayed, lastMatchId }, former: null });
    seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + seatBalance);
  }
  setAnchors(scope, history.anchors);
  refit(scope);
}

export function judgeGame(judgement: Judgement, game: PlayedGame): RatingChange {
  const ladder = ladderOf(judgement, game.ladderId);
  const { scope, matchups, played } = ladder;
  const [first, second] = game.versionIds;
  const ratings = () => [rating(scope, first), rating(scope, second)].map(Math.round);
  const before = ratings();
  addGame(scope, first, second, game.score);
  refit(scope);
  recordGame(matchups, { version: first, opponent: second, map: game.map, score: game.score });
  for (const [seat, versionId] of game.versionIds.entries()) {
    const botId = game.botIds[seat];
    const former = played.get(versionId)?.last ?? null;
    played.set(versionId, { botId, last: lastGameOf(game), former });
    countSeat(ladder, botId, seat === 0 ? 1 : -1);
    deviation(scope, versionId);
  }
  ladder.sequence += 1;
  const after = ratings();
  return {
    sequence: ladder.sequence,
    before: [before[0], before[1]],
    after: [after[0], after[1]],
  };
}

const lastGameOf = ({ ended, matchId }: PlayedGame): LastGame => ({
  lastPlayed: ended,
  lastMatchId: matchId,
});

function countSeat({ seatSurplus }: LadderState, botId: string, by: number): void {
  seatSurplus.set(botId, (seatSurplus.get(botId) ?? 0) + by);
}

export function takeBackGame(judgement: Judgement, game: PlayedGame): void {
  const ladder = ladderOf(judgement, game.ladderId);
  const [first, second] = game.versionIds;
  removeGame(ladder.scope, first, second, game.score);
  refit(ladder.scope);
  unrecordGame(ladder.matchups, {
    version: first,
    opponent: second,
    map: game.map,
    score: game.score,
  });
  countSeat(ladder, game.botIds[0], -1);
  countSeat(ladder, game.botIds[1], 1);
  for (const versionId of game.versionIds) forgetLast(ladder, versionId, game.matchId);
}

/** A version plays one match at a time, so a game that is taken back is the last it played. */
function forgetLast({ played }: LadderState, versionId: string, matchId: string): void {
  const known = played.get(versionId);
  if (known?.last.lastMatchId !== matchId) return;
  if (known.former === null) played.delete(versionId);
  else played.set(versionId, { botId: known.botId, last: known.former, former: null });
}

/** Ratings of every version that played; of few versions every deviation is exact. */
export function boardOf(judgement: Judgement, ladderId: string): BoardPage {
  const { scope, played, sequence } = ladderOf(judgement, ladderId);
  if (scope.versions.length <= FULL_PASS_VERSIONS) deviations(scope);
  else refreshDeviations(scope, REFRESHED_PER_BOARD);
  const lines = [...played].map(([versionId, { botId, last }]) => ({
    botId,
    versionId,
    rating: rating(scope, versionId),
    deviation: rememberedDeviation(scope, versionId),
    ...tally(scope, versionId),
    ...last,
  }));
  return { upTo: sequence, lines };
}

/** Pairs the waiting bots; each pairing carries the matchmaker's own reasons. */
export function pairWaiting(judgement: Judgement, request: WaveRequest): Paired[] {
  const ladder = ladderOf(judgement, request.ladderId);
  const meetings = meetingsOf(request);
  const snapshot = {
    bots: request.waiting.map((waiting) => waitingBot(ladder, waiting, meetings)),
    owners: new Map(
      [...request.seatsTaken].map(([owner, running]) => [owner, { running, startsLeft: Infinity }]),
    ),
    matchups: ladder.matchups,
    maps: MAP_NAMES,
  };
  return pairWave(snapshot, request.limits, request.seed).map(({ bots, map, ...reasons }) => ({
    botIds: bots,
    map,
    reasons,
  }));
}

type Meetings = ReadonlyMap<string, ReadonlyMap<string, number>>;

function meetingsOf({ met }: WaveRequest): Meetings {
  const meetings = new Map<string, Map<string, number>>();
  const note = (bot: string, opponent: string, seconds: number) => {
    const row = meetings.get(bot) ?? new Map<string, number>();
    meetings.set(bot, row.set(opponent, seconds));
  };
  for (const { botIds, seconds } of met) {
    note(botIds[0], botIds[1], seconds);
    note(botIds[1], botIds[0], seconds);
  }
  return meetings;
}

/** From so many games on only the version's own rating counts, and no former one is looked up. */
const SETTLED_GAMES = 30;

const isSettled = (scope: Scope, versionId: string): boolean =>
  games(tally(scope, versionId)) >= SETTLED_GAMES;

const NO_MEETINGS: ReadonlyMap<string, number> = new Map();

function waitingBot(
  { scope, played, seatSurplus }: LadderState,
  waiting: WaveRequest["waiting"][number],
  meetings: Meetings,
): WaitingBot {
  const { botId, versionId, owner, house } = waiting;
  return {
    bot: botId,
    owner,
    house,
    version: versionId,
    rating: rating(scope, versionId),
    games: games(tally(scope, versionId)),
    formerRating: isSettled(scope, versionId)
      ? null
      : formerRating(scope, played, botId, versionId),
    recentGames: waiting.recentGames,
    seatSurplus: seatSurplus.get(botId) ?? 0,
    waitSeconds: waiting.waitSeconds,
    sinceStartSeconds: waiting.sinceStartSeconds,
    lastOpponent: waiting.lastOpponent,
    sinceMeetingSeconds: meetings.get(botId) ?? NO_MEETINGS,
  };
}

/** The rating of the version the bot played with before this one; null for its first. */
function formerRating(
  scope: Scope,
  played: ReadonlyMap<string, Played>,
  botId: string,
  versionId: string,
): number | null {
  let former: string | null = null;
  let latest = "";
  for (const [id, { botId: of, last }] of played)
    if (of === botId && id !== versionId && last.lastPlayed > latest) {
      former = id;
      latest = last.lastPlayed;
    }
  return former === null ? null : rating(scope, former);
}
