// How far an account has come in an event: the furthest of its bots, with each achievement.

import { hasSeasons } from "#core/ladder/ladder.ts";
import { leaderboardPoints } from "#core/rating/score.ts";
import type { AccountId, BotId, MatchId, VersionId } from "#core/words/ids.ts";

import type { EventDefinition } from "./event.ts";
import { NOTHING, targetOf, withGame } from "./progress.ts";
import type { CountedGame, Earned, ProgressTally } from "./progress.ts";

/** A rated game of a bot on the ladder of an event, as it is stored. */
export type EventGame = Omit<CountedGame, "score"> & {
  started: string;
  /** Whose the bot was when the match started; null for an owner without an account. */
  accountId: AccountId | null;
  versionId: VersionId;
  /** Null on ladders without seasons. */
  season: string | null;
  /** The score after the game, before rounding; null where it was not kept. */
  exactScore: number | null;
};

/** A time as an active member of a ladder. */
export type Stay = { since: string; until: string | null };

/** Games of a version in a competition before those that are folded. */
export type FormerGames = { versionId: VersionId; season: string | null; games: number };

/** What decides whether the games of a bot count, apart from the games. */
export type Circumstances = {
  event: Pick<EventDefinition, "ladderId" | "opensAt" | "closesAt" | "achievements">;
  accountId: AccountId;
  /** As a member of the event's ladder; not asked for on public. */
  stays: readonly Stay[];
  /** Rated games that a version needs for a rank. */
  qualifyingGames: number;
};

/** A bot's games so far. */
export type BotFold = {
  /** One for each achievement, in their order. */
  tallies: readonly ProgressTally[];
  /** Rated games by version and season. */
  games: Readonly<Record<string, number>>;
  /** The last game that was looked at. */
  last: { ended: string; matchId: MatchId } | null;
};

const gamesKey = ({ versionId, season }: Pick<FormerGames, "versionId" | "season">): string =>
  `${versionId} ${season ?? ""}`;

/** Before its first game in the event. */
export function emptyFold(
  { achievements }: Pick<EventDefinition, "achievements">,
  former: readonly FormerGames[],
): BotFold {
  return {
    tallies: achievements.map(() => NOTHING),
    games: Object.fromEntries(former.map((one) => [gamesKey(one), one.games])),
    last: null,
  };
}

/** The fold after one more rated game on the ladder, whether it counts for the event or not. */
export function withPlayed(around: Circumstances, fold: BotFold, game: EventGame): BotFold {
  const key = gamesKey(game);
  const games = { ...fold.games, [key]: (fold.games[key] ?? 0) + 1 };
  const { ended, matchId } = game;
  const next = { ...fold, games, last: { ended, matchId } };
  if (!counts(around, game)) return next;
  const isRanked = (games[key] ?? 0) >= around.qualifyingGames;
  const score = isRanked && game.exactScore !== null ? leaderboardPoints(game.exactScore) : null;
  const tallies = around.event.achievements.map(({ condition }, at) =>
    withGame(condition, fold.tallies[at] ?? NOTHING, { ...game, score }),
  );
  return { ...next, tallies };
}

/** Whether all of a game lies within the event, and within the account's membership. */
function counts(
  { event, accountId, stays }: Circumstances,
  game: Pick<EventGame, "accountId" | "started" | "ended">,
): boolean {
  const { started, ended } = game;
  if (game.accountId !== accountId) return false;
  if (started < event.opensAt || ended >= event.closesAt) return false;
  return (
    hasSeasons(event.ladderId) ||
    stays.some(({ since, until }) => since <= started && (until === null || ended <= until))
  );
}

/** The furthest bot with one achievement. */
export type CardProgress = {
  /** At most the target. */
  current: number;
  target: number;
  /** Null where no game counts. */
  botId: BotId | null;
  evidence: readonly MatchId[];
  /** Null until it is earned; by the bot that was first. */
  earned: (Earned & { botId: BotId }) | null;
};

/** For each achievement, in their order; the bots of one account, the oldest first. */
export function accountProgress(
  { achievements }: Pick<EventDefinition, "achievements">,
  bots: readonly { botId: BotId; fold: BotFold }[],
): CardProgress[] {
  return achievements.map(({ condition }, at) => {
    const target = targetOf(condition);
    const entries = bots.map(({ botId, fold }) => ({ botId, tally: fold.tallies[at] ?? NOTHING }));
    const first = entries.reduce<(typeof entries)[number] | null>(furthest(target), null);
    const { best, evidence, earned } = first?.tally ?? NOTHING;
    return {
      current: Math.min(best, target),
      target,
      botId: first === null || best === 0 ? null : first.botId,
      evidence: earned?.evidence ?? evidence,
      earned: first === null || earned === null ? null : { ...earned, botId: first.botId },
    };
  });
}

type Entry = { botId: BotId; tally: ProgressTally };

/** Who earned it first is ahead of everybody, and an older bot of one that is just as far. */
const furthest =
  (target: number) =>
  (ahead: Entry | null, one: Entry): Entry => {
    if (ahead === null) return one;
    const [before, now] = [ahead.tally, one.tally];
    if (before.earned !== null || now.earned !== null)
      return (now.earned?.at ?? LATER) < (before.earned?.at ?? LATER) ? one : ahead;
    return Math.min(now.best, target) > Math.min(before.best, target) ? one : ahead;
  };

/** After every instant. */
const LATER = "~";
