// Progress of an account in an event. Each achievement shows the account's most advanced bot.

import type { AccountId, BotId, MatchId, VersionId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { leaderboardPoints } from "#core/rating/score.ts";

import { EMPTY_PROGRESS_TALLY, conditionTarget, addGameToTally } from "./condition-progress.ts";
import type { CountedGame, Earned, ProgressTally } from "./condition-progress.ts";
import type { EventDefinition } from "./event.ts";

export type EventGame = Omit<CountedGame, "score"> & {
  started: string;
  /** Account that owned the bot when the match started; null for owners without an account. */
  accountId: AccountId | null;
  versionId: VersionId;
  /** Null on ladders without seasons. */
  season: string | null;
  /** Unrounded score after the game; null if it wasn't stored. */
  exactScore: number | null;
};

export type MembershipInterval = { since: string; until: string | null };

/** Games that a version played in a competition before the games being processed. */
export type PriorGames = { versionId: VersionId; season: string | null; games: number };

export type ProgressContext = {
  event: Pick<EventDefinition, "ladderId" | "opensAt" | "closesAt" | "achievements">;
  accountId: AccountId;
  /** Memberships in the event's ladder. Ignored on the public ladder. */
  memberships: readonly MembershipInterval[];
  qualifyingGames: number;
};

export type BotEventProgress = {
  /** One per achievement, in the event's order. */
  tallies: readonly ProgressTally[];
  /** Rated games by version and season. */
  games: Readonly<Record<string, number>>;
  last: { ended: string; matchId: MatchId } | null;
};

const gameCountKey = ({ versionId, season }: Pick<PriorGames, "versionId" | "season">): string =>
  `${versionId} ${season ?? ""}`;

/** Returns a bot's progress before its first game in the event. */
export function emptyBotProgress(
  { achievements }: Pick<EventDefinition, "achievements">,
  priorGames: readonly PriorGames[],
): BotEventProgress {
  return {
    tallies: achievements.map(() => EMPTY_PROGRESS_TALLY),
    games: Object.fromEntries(priorGames.map((prior) => [gameCountKey(prior), prior.games])),
    last: null,
  };
}

/**
 * Returns the progress after another rated game on the ladder, whether or not the game counts for
 * the event.
 */
export function addGameToProgress(
  context: ProgressContext,
  progress: BotEventProgress,
  game: EventGame,
): BotEventProgress {
  const key = gameCountKey(game);
  const games = { ...progress.games, [key]: (progress.games[key] ?? 0) + 1 };
  const { ended, matchId } = game;
  const next = { ...progress, games, last: { ended, matchId } };
  if (!isCounted(context, game)) return next;
  const isRanked = (games[key] ?? 0) >= context.qualifyingGames;
  const score = isRanked && game.exactScore !== null ? leaderboardPoints(game.exactScore) : null;
  const tallies = context.event.achievements.map(({ condition }, index) =>
    addGameToTally(condition, progress.tallies[index] ?? EMPTY_PROGRESS_TALLY, { ...game, score }),
  );
  return { ...next, tallies };
}

/**
 * Returns whether the whole game lies within the event and within one membership of the account.
 */
function isCounted(
  { event, accountId, memberships }: ProgressContext,
  game: Pick<EventGame, "accountId" | "started" | "ended">,
): boolean {
  const { started, ended } = game;
  if (game.accountId !== accountId) return false;
  if (started < event.opensAt || ended >= event.closesAt) return false;
  return (
    hasSeasons(event.ladderId) ||
    memberships.some(({ since, until }) => since <= started && (until === null || ended <= until))
  );
}

export type AchievementProgress = {
  /** Capped at the target. */
  current: number;
  target: number;
  /** Null until a game counts. */
  botId: BotId | null;
  evidence: readonly MatchId[];
  /** From the bot that earned the achievement first; null until earned. */
  earned: (Earned & { botId: BotId }) | null;
};

/**
 * Returns one entry per achievement, in the event's order. The bots must belong to one account and
 * be sorted from oldest to newest.
 */
export function accountProgress(
  { achievements }: Pick<EventDefinition, "achievements">,
  bots: readonly { botId: BotId; fold: BotEventProgress }[],
): AchievementProgress[] {
  return achievements.map(({ condition }, index) => {
    const target = conditionTarget(condition);
    const entries = bots.map(({ botId, fold }) => ({
      botId,
      tally: fold.tallies[index] ?? EMPTY_PROGRESS_TALLY,
    }));
    const first = entries.reduce<(typeof entries)[number] | null>(selectLeader(target), null);
    const { best, evidence, earned } = first?.tally ?? EMPTY_PROGRESS_TALLY;
    return {
      current: Math.min(best, target),
      target,
      botId: first === null || best === 0 ? null : first.botId,
      evidence: earned?.evidence ?? evidence,
      earned: first === null || earned === null ? null : { ...earned, botId: first.botId },
    };
  });
}

type BotTally = { botId: BotId; tally: ProgressTally };

/** The first bot to earn the achievement leads. Between equal bots, the older one leads. */
const selectLeader =
  (target: number) =>
  (leader: BotTally | null, candidate: BotTally): BotTally => {
    if (leader === null) return candidate;
    const [leaderTally, candidateTally] = [leader.tally, candidate.tally];
    if (leaderTally.earned !== null || candidateTally.earned !== null)
      return (candidateTally.earned?.at ?? NEVER_EARNED) < (leaderTally.earned?.at ?? NEVER_EARNED)
        ? candidate
        : leader;
    return Math.min(candidateTally.best, target) > Math.min(leaderTally.best, target)
      ? candidate
      : leader;
  };

/** Sorts after every instant. */
const NEVER_EARNED = "~";
