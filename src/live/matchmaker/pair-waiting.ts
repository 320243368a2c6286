import type { LadderId } from "#core/ids/ids.ts";
import type {
  PlannedPairing,
  PairingParameters,
  QueueSnapshot,
  WaitingBot,
} from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";
import { gamesPlayed, versionResults } from "#core/rating/competition-results.ts";
import { ratingOf } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";

import { liveState } from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type { PlannedMatch, WaitingEntry, WaveRequest } from "./matchmaker.ts";

/**
 * Pairs the bots of all ladders. If house bot matches are limited, requested pairs take precedence,
 * then the ladder with the longest wait.
 */
export function pairLadders(
  competitions: Competitions,
  requests: readonly WaveRequest[],
): PlannedMatch[] {
  const longestWaitFirst = requests.toSorted((a, b) => longestWaitIn(b) - longestWaitIn(a));
  let outstandingRequests = requests.reduce(
    (sum, { requestedPairs }) => sum + requestedPairs.length,
    0,
  );
  let remainingHouseStarts = Math.min(...requests.map(({ limits }) => limits.houseStarts));
  return longestWaitFirst.flatMap((request) => {
    outstandingRequests -= request.requestedPairs.length;
    const houseStarts = Math.max(
      Math.min(request.requestedPairs.length, remainingHouseStarts),
      remainingHouseStarts - outstandingRequests,
    );
    const limits = { ...request.limits, houseStarts };
    const planned = pairWaiting(competitions, { ...request, limits });
    remainingHouseStarts -= countHouseMatches(request, planned);
    return planned;
  });
}

/** Excludes house bots. */
function longestWaitIn({ waiting }: WaveRequest): number {
  return waiting.reduce(
    (longestWait, { house, waitSeconds }) =>
      house ? longestWait : Math.max(longestWait, waitSeconds),
    0,
  );
}

function countHouseMatches({ waiting }: WaveRequest, planned: readonly PlannedMatch[]): number {
  const houseBotIds = new Set(waiting.filter((bot) => bot.house).map(({ botId }) => botId));
  return planned.filter(({ botIds }) => botIds.some((botId) => houseBotIds.has(botId))).length;
}

/** Pairs a ladder's waiting bots. Each pairing includes the reasons for it. */
export function pairWaiting(competitions: Competitions, request: WaveRequest): PlannedMatch[] {
  const snapshot = snapshotOf(liveState(competitions, request.ladderId), request);
  const { ladderId, limits, starts, seed } = request;
  return pairWave(snapshot, limits, starts, seed).map((pairing) =>
    toPlannedMatch(ladderId, pairing),
  );
}

function toPlannedMatch(ladderId: LadderId, pairing: PlannedPairing): PlannedMatch {
  const { matchId, seed, bots, versions: _, map, claimSeconds, ...reasons } = pairing;
  return { matchId, seed, ladderId, botIds: bots, map, claimSeconds, reasons };
}

function snapshotOf(state: CompetitionState, request: WaveRequest): QueueSnapshot {
  const { maps, waiting, occupiedSeats, remainingStarts, numbers, requestedPairs } = request;
  const meetings = meetingsByBot(request);
  const previousRatings = previousRatingsOf(state, waiting, numbers);
  const owners = new Set([...occupiedSeats.keys(), ...remainingStarts.keys()]);
  return {
    bots: waiting.map((bot) => toWaitingBot(state, bot, meetings, previousRatings)),
    owners: new Map(
      [...owners].map((owner) => [
        owner,
        {
          running: occupiedSeats.get(owner) ?? 0,
          startsLeft: remainingStarts.get(owner) ?? Infinity,
        },
      ]),
    ),
    requested: requestedPairs,
    matchups: state.matchups,
    maps,
    numbers,
  };
}

type MeetingsByBot = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_RECENT_MEETINGS: ReadonlyMap<string, number> = new Map();

function meetingsByBot({ recentPairs }: WaveRequest): MeetingsByBot {
  const meetings = new Map<string, Map<string, number>>();
  const addMeeting = (bot: string, opponent: string, seconds: number) => {
    const row = meetings.get(bot) ?? new Map<string, number>();
    meetings.set(bot, row.set(opponent, seconds));
  };
  for (const { botIds, seconds } of recentPairs) {
    addMeeting(botIds[0], botIds[1], seconds);
    addMeeting(botIds[1], botIds[0], seconds);
  }
  return meetings;
}

function toWaitingBot(
  { results, seatSurplus }: CompetitionState,
  { botId, versionId, owner, house, ...timing }: WaitingEntry,
  meetings: MeetingsByBot,
  previousRatings: ReadonlyMap<string, number>,
): WaitingBot {
  const { startsInLastHour, waitSeconds, sinceStartSeconds, lastOpponent } = timing;
  return {
    bot: botId,
    owner,
    house,
    version: versionId,
    rating: ratingOf(results, versionId),
    games: gamesPlayed(versionResults(results, versionId)),
    formerRating: previousRatings.get(botId) ?? null,
    recentGames: startsInLastHour,
    seatSurplus: seatSurplus.get(botId) ?? 0,
    waitSeconds,
    sinceStartSeconds,
    lastOpponent,
    sinceMeetingSeconds: meetings.get(botId) ?? NO_RECENT_MEETINGS,
  };
}

type EarlierVersion = { id: string; lastPlayed: string };

/**
 * Returns the earlier level of each bot whose current version isn't settled: the mean rating over
 * the latest `settledGames` matches of its earlier versions. This way a bot keeps its level across
 * many versions with few matches each.
 */
function previousRatingsOf(
  { results, playedVersions }: CompetitionState,
  waiting: readonly WaitingEntry[],
  { settledGames }: PairingParameters,
): Map<string, number> {
  const unsettledVersions = new Map(
    waiting
      .filter(({ versionId }) => gamesPlayed(versionResults(results, versionId)) < settledGames)
      .map(({ botId, versionId }) => [botId, versionId]),
  );
  const earlierVersions = new Map<string, EarlierVersion[]>();
  for (const [id, { botId, last }] of playedVersions) {
    if (!unsettledVersions.has(botId) || unsettledVersions.get(botId) === id) continue;
    const versions = earlierVersions.get(botId) ?? [];
    versions.push({ id, lastPlayed: last.lastPlayed });
    earlierVersions.set(botId, versions);
  }
  return new Map(
    [...earlierVersions].map(([botId, versions]) => [
      botId,
      meanRecentRating(results, versions, settledGames),
    ]),
  );
}

function meanRecentRating(
  results: CompetitionResults,
  versions: EarlierVersion[],
  maxGames: number,
): number {
  const newestFirst = versions.sort((a, b) => (a.lastPlayed > b.lastPlayed ? -1 : 1));
  let remainingGames = maxGames;
  let sum = 0;
  for (const { id } of newestFirst) {
    const countedGames = Math.min(remainingGames, gamesPlayed(versionResults(results, id)));
    sum += countedGames * ratingOf(results, id);
    remainingGames -= countedGames;
    if (remainingGames === 0) break;
  }
  return sum / (maxGames - remainingGames);
}
