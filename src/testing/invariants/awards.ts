// Recomputes awards from the stored matches, and checks that no award is missing or unearned and
// that each has the right time and matches.

import type { Condition, EventDefinition } from "#core/events/event.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { AccountId, BotId, MatchId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { leaderboardPoints } from "#core/rating/score.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import type { BotFacts, NoticeOf, Watch } from "./watch.ts";

type AwardFacts = {
  bots: Map<BotId, BotFacts>;
  /** Rated matches by bot and ladder, in the order in which they ended. */
  played: Map<string, FinishedMatch[]>;
  stored: Set<MatchId>;
  unconfirmed: Set<MatchId>;
  /**
   * If the clock has been set back, later matches may have earlier times than those that earned an
   * award.
   */
  isClockSetBack: boolean;
};

export function watchAwards(): Watch {
  const facts: AwardFacts = {
    bots: new Map(),
    played: new Map(),
    stored: new Set(),
    unconfirmed: new Set(),
    isClockSetBack: false,
  };
  return {
    name: "awards match the stored matches",
    on: {
      registered: ({ bot }) => void facts.bots.set(bot.id, bot),
      struck: ({ fault }) => {
        facts.isClockSetBack ||= fault === "clock_back";
      },
      stored: ({ match }) => recordMatch(facts, match),
      confirmed: ({ matchId }) => void facts.unconfirmed.delete(matchId),
      booted: () => facts.unconfirmed.clear(),
      awards: (awards) => (facts.unconfirmed.size > 0 ? null : checkAwards(facts, awards)),
    },
  };
}

function recordMatch({ played, stored, unconfirmed }: AwardFacts, match: FinishedMatch): void {
  if (!match.rated || stored.has(match.id)) return;
  stored.add(match.id);
  unconfirmed.add(match.id);
  for (const { botId } of match.seats)
    if (botId !== null)
      insertInOrder(
        played.getOrInsertComputed(`${botId} ${match.ladderId}`, () => []),
        match,
      );
}

/** Almost always appends, because matches are stored soon after they end. */
function insertInOrder(sortedMatches: FinishedMatch[], match: FinishedMatch): void {
  let index = sortedMatches.length;
  while (index > 0 && endedBefore(match, sortedMatches[index - 1]!)) index -= 1;
  sortedMatches.splice(index, 0, match);
}

const endedBefore = (candidate: FinishedMatch, opponentBot: FinishedMatch): boolean =>
  candidate.ended === opponentBot.ended
    ? candidate.id < opponentBot.id
    : candidate.ended < opponentBot.ended;

type AwardsNotice = NoticeOf<"awards">;

function checkAwards(
  facts: AwardFacts,
  { event, grantedAwards, runners }: AwardsNotice,
): string | null {
  for (const { accountId, botIds, stays } of runners) {
    const botRuns = botIds.map((botId) => ({
      botId,
      games: collectGames(facts, { event, accountId, botId, stays }),
    }));
    for (const { condition, id } of event.achievements) {
      const name = `${event.id}, ${id} of ${accountId}`;
      const award = grantedAwards.find(
        (candidate) => candidate.accountId === accountId && candidate.achievementId === id,
      );
      const earned = earliestOf(botRuns.flatMap((run) => findEarned(condition, run) ?? []));
      if (award === undefined && earned !== null) return `${name} is missing`;
      if (facts.isClockSetBack || award === undefined) continue;
      if (earned === null) return `${name} is not earned`;
      if (award.botId !== earned.botId || award.earnedAt !== earned.at)
        return `${name} is by ${award.botId} at ${award.earnedAt}, expected ${earned.at}`;
      if (!isValidEvidence(condition, award.evidence, earned.evidence))
        return `${name} has the wrong evidence`;
    }
  }
  return null;
}

type EventRunner = {
  event: EventDefinition;
  accountId: AccountId;
  botId: BotId;
  stays: AwardsNotice["runners"][number]["stays"];
};

type Earned = { botId: BotId; at: string; evidence: readonly MatchId[] };

const earliestOf = (earned: readonly Earned[]): Earned | null =>
  earned.reduce<Earned | null>(
    (first, candidate) => (first === null || candidate.at < first.at ? candidate : first),
    null,
  );

type BotGame = {
  match: FinishedMatch;
  isWon: boolean;
  opponent: string | null;
  /** Null if unknown. */
  isClean: boolean | null;
  points: number | null;
};

type BotRun = { botId: BotId; games: readonly BotGame[] };

function findEarned(condition: Condition, { botId, games }: BotRun): Earned | null {
  const countedMatches: FinishedMatch[] = [];
  for (const botGame of games) {
    const { match } = botGame;
    const verdict = judgeGame(condition, botGame);
    if (verdict === "breaks") countedMatches.length = 0;
    if (verdict !== "counts") continue;
    countedMatches.push(match);
    const maps = new Set(countedMatches.map(({ map }) => map)).size;
    if (countedMatches.length < requiredCount(condition) || maps < requiredMaps(condition))
      continue;
    return { botId, at: match.ended, evidence: countedMatches.map(({ id }) => id) };
  }
  return null;
}

function collectGames({ bots, played }: AwardFacts, runner: EventRunner): BotGame[] {
  const { event, accountId, botId, stays } = runner;
  const ladderMatches = played.get(`${botId} ${event.ladderId}`) ?? [];
  const needsCleanGames = event.achievements.some(({ condition }) => condition.kind === "clean");
  const games = new Map<string, number>();
  return ladderMatches.flatMap((match) => {
    const at = match.seats.findIndex((seat) => seat.botId === botId);
    const seat = match.seats[at]!;
    const version = `${seat.versionId} ${match.season}`;
    const count = (games.get(version) ?? 0) + 1;
    games.set(version, count);
    if (seat.accountId !== accountId || !isWithin(event, match, stays)) return [];
    const opponentBot = bots.get(match.seats[1 - at]?.botId ?? "");
    const isRanked = count >= FIXED_LIMITS.qualifying_games && seat.scoreAfter !== null;
    return {
      match,
      isWon: match.winnerSeat === at,
      opponent: opponentBot?.house === true ? opponentBot.name : null,
      isClean: needsCleanGames ? isClean(match, at) : null,
      points: isRanked ? leaderboardPoints(seat.scoreAfter!) : null,
    };
  });
}

function isWithin(
  { ladderId, opensAt, closesAt }: EventDefinition,
  { started, ended }: FinishedMatch,
  stays: EventRunner["stays"],
): boolean {
  // If the clock is set back, a game may end before it started.
  if (started < opensAt || ended < opensAt || ended >= closesAt) return false;
  const coversMatch = ({ since, until }: EventRunner["stays"][number]) =>
    since <= started && (until === null || ended <= until);
  return hasSeasons(ladderId) || stays.some(coversMatch);
}

/**
 * Returns null if the turn statistics are missing, and for matches that ended before the first
 * tick.
 */
function isClean({ stats, finalTick }: FinishedMatch, seat: number): boolean | null {
  const turns = parseSeatStats(stats)[seat]?.turns;
  if (turns === undefined || finalTick === 0) return null;
  const idle = Object.values(turns.idles).reduce((sum, count) => sum + count, 0);
  return idle + turns.refusedTurns + turns.disqualifications === 0;
}

function judgeGame(condition: Condition, botGame: BotGame): "counts" | "breaks" | "neither" {
  const countsIf = (isMet: boolean) => (isMet ? "counts" : "neither");
  switch (condition.kind) {
    case "games":
      return "counts";
    case "wins":
      return countsIf(botGame.isWon);
    case "defeat": {
      const house = HOUSE_BOTS.find(({ short }) => short === condition.opponent)?.name;
      return countsIf(botGame.isWon && botGame.opponent === house);
    }
    case "streak":
      return botGame.isWon ? "counts" : "breaks";
    case "clean":
      return botGame.isClean === false ? "breaks" : countsIf(botGame.isClean === true);
    case "score":
      return countsIf(botGame.points !== null && botGame.points >= condition.least);
  }
}

function requiredCount(condition: Condition): number {
  if (condition.kind === "score") return 1;
  if (condition.kind === "clean") return condition.games;
  return "count" in condition ? condition.count : condition.wins;
}

const requiredMaps = (condition: Condition): number =>
  "maps" in condition ? (condition.maps ?? 1) : 1;

/**
 * Evidence is the latest games that counted. Where several maps are required, any games that
 * counted are valid.
 */
function isValidEvidence(
  condition: Condition,
  evidence: readonly MatchId[],
  countedIds: readonly MatchId[],
): boolean {
  const latest = countedIds.slice(-FIXED_LIMITS.evidence_shown);
  if (requiredMaps(condition) === 1) return evidence.join() === latest.join();
  return evidence.at(-1) === latest.at(-1) && evidence.every((id) => countedIds.includes(id));
}
