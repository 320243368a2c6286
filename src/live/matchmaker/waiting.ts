// Pairs waiting bots by what the matchmaker knows of their versions.

import type { Pairing, PairingNumbers, Snapshot, WaitingBot } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { games, tally } from "#core/rating/competition-results.ts";
import { rating } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";
import type { LadderId } from "#core/words/ids.ts";

import { liveState } from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type { Paired, Waiting, WaveRequest } from "./matchmaker.ts";

/**
 * Pairs the bots of each ladder. Where matches with a house bot are short, they go to pairs that
 * were asked for, then to the ladder on which somebody has waited longest.
 */
export function pairLadders(
  competitions: Competitions,
  requests: readonly WaveRequest[],
): Paired[] {
  const longestFirst = requests.toSorted((one, other) => longestIn(other) - longestIn(one));
  let owed = requests.reduce((sum, { requested }) => sum + requested.length, 0);
  let left = Math.min(...requests.map(({ limits }) => limits.houseStarts));
  return longestFirst.flatMap((request) => {
    owed -= request.requested.length;
    const houseStarts = Math.max(Math.min(request.requested.length, left), left - owed);
    const limits = { ...request.limits, houseStarts };
    const paired = pairWaiting(competitions, { ...request, limits });
    left -= housesIn(request, paired);
    return paired;
  });
}

/** The house is never in a hurry. */
function longestIn({ waiting }: WaveRequest): number {
  return waiting.reduce(
    (longest, { house, waitSeconds }) => (house ? longest : Math.max(longest, waitSeconds)),
    0,
  );
}

function housesIn({ waiting }: WaveRequest, paired: readonly Paired[]): number {
  const house = new Set(waiting.filter((bot) => bot.house).map(({ botId }) => botId));
  return paired.filter(({ botIds }) => botIds.some((botId) => house.has(botId))).length;
}

/** Pairs the waiting bots; each pairing carries the matchmaker's reasons. */
export function pairWaiting(competitions: Competitions, request: WaveRequest): Paired[] {
  const snapshot = snapshotOf(liveState(competitions, request.ladderId), request);
  const { ladderId, limits, starts, seed } = request;
  return pairWave(snapshot, limits, starts, seed).map((pairing) => pairedBy(ladderId, pairing));
}

function pairedBy(ladderId: LadderId, pairing: Pairing): Paired {
  const { matchId, seed, bots, versions: _, map, claimSeconds, ...reasons } = pairing;
  return { matchId, seed, ladderId, botIds: bots, map, claimSeconds, reasons };
}

function snapshotOf(state: CompetitionState, request: WaveRequest): Snapshot {
  const { maps, waiting, seatsTaken, startsLeft, numbers, requested } = request;
  const meetings = meetingsOf(request);
  const former = formerRatings(state, waiting, numbers);
  const owners = new Set([...seatsTaken.keys(), ...startsLeft.keys()]);
  return {
    bots: waiting.map((bot) => waitingBot(state, bot, meetings, former)),
    owners: new Map(
      [...owners].map((owner) => [
        owner,
        { running: seatsTaken.get(owner) ?? 0, startsLeft: startsLeft.get(owner) ?? Infinity },
      ]),
    ),
    requested,
    matchups: state.matchups,
    maps,
    numbers,
  };
}

type Meetings = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_MEETINGS: ReadonlyMap<string, number> = new Map();

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

function waitingBot(
  { scope, seatSurplus }: CompetitionState,
  { botId, versionId, owner, house, ...times }: Waiting,
  meetings: Meetings,
  former: ReadonlyMap<string, number>,
): WaitingBot {
  const { recentGames, waitSeconds, sinceStartSeconds, lastOpponent } = times;
  return {
    bot: botId,
    owner,
    house,
    version: versionId,
    rating: rating(scope, versionId),
    games: games(tally(scope, versionId)),
    formerRating: former.get(botId) ?? null,
    recentGames,
    seatSurplus: seatSurplus.get(botId) ?? 0,
    waitSeconds,
    sinceStartSeconds,
    lastOpponent,
    sinceMeetingSeconds: meetings.get(botId) ?? NO_MEETINGS,
  };
}

type Version = { id: string; lastPlayed: string };

/**
 * Where bots stood with earlier versions if their present one is not settled yet: the mean rating
 * of their latest `settledGames` games. So a bot keeps its level through a chain of versions that
 * play few games each.
 */
function formerRatings(
  { scope, played }: CompetitionState,
  waiting: readonly Waiting[],
  { settledGames }: PairingNumbers,
): Map<string, number> {
  const current = new Map(
    waiting
      .filter(({ versionId }) => games(tally(scope, versionId)) < settledGames)
      .map(({ botId, versionId }) => [botId, versionId]),
  );
  const earlier = new Map<string, Version[]>();
  for (const [id, { botId, last }] of played) {
    if (!current.has(botId) || current.get(botId) === id) continue;
    const versions = earlier.get(botId) ?? [];
    versions.push({ id, lastPlayed: last.lastPlayed });
    earlier.set(botId, versions);
  }
  return new Map(
    [...earlier].map(([botId, versions]) => [botId, standing(scope, versions, settledGames)]),
  );
}

/** The mean rating of a bot's latest games with some versions. */
function standing(scope: CompetitionResults, versions: Version[], mostGames: number): number {
  const latestFirst = versions.sort((one, other) => (one.lastPlayed > other.lastPlayed ? -1 : 1));
  let left = mostGames;
  let sum = 0;
  for (const { id } of latestFirst) {
    const counted = Math.min(left, games(tally(scope, id)));
    sum += counted * rating(scope, id);
    left -= counted;
    if (left === 0) break;
  }
  return sum / (mostGames - left);
}
