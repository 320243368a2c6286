// Awards are those that the stored matches earn, counted here once more: none is missing, none too
// many, each with the instant and the matches that earned it.

import type { Condition, EventDefinition } from "#core/events/event.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import { leaderboardPoints } from "#core/rating/score.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountId, BotId, MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import type { BotFacts, NoticeOf, Watch } from "./watch.ts";

type Facts = {
  bots: Map<BotId, BotFacts>;
  /** Rated matches by bot and ladder, in the order of their ends. */
  played: Map<string, FinishedMatch[]>;
  stored: Set<MatchId>;
  /** Matches that the server does not know to be stored. */
  untold: Set<MatchId>;
  /** A clock that was set back puts matches before those that have earned something. */
  wasSetBack: boolean;
};

export function watchAwards(): Watch {
  const facts: Facts = {
    bots: new Map(),
    played: new Map(),
    stored: new Set(),
    untold: new Set(),
    wasSetBack: false,
  };
  return {
    name: "awards are what matches earn",
    on: {
      registered: ({ bot }) => void facts.bots.set(bot.id, bot),
      struck: ({ fault }) => {
        facts.wasSetBack ||= fault === "clock_back";
      },
      stored: ({ match }) => keep(facts, match),
      confirmed: ({ matchId }) => void facts.untold.delete(matchId),
      booted: () => facts.untold.clear(),
      awards: (awards) => (facts.untold.size > 0 ? null : compare(facts, awards)),
    },
  };
}

function keep({ played, stored, untold }: Facts, match: FinishedMatch): void {
  if (!match.rated || stored.has(match.id)) return;
  stored.add(match.id);
  untold.add(match.id);
  for (const { botId } of match.seats)
    if (botId !== null)
      insert(
        played.getOrInsertComputed(`${botId} ${match.ladderId}`, () => []),
        match,
      );
}

/** Nearly always at the end: matches are stored about when they end. */
function insert(inOrder: FinishedMatch[], match: FinishedMatch): void {
  let place = inOrder.length;
  while (place > 0 && isBefore(match, inOrder[place - 1]!)) place -= 1;
  inOrder.splice(place, 0, match);
}

const isBefore = (one: FinishedMatch, other: FinishedMatch): boolean =>
  one.ended === other.ended ? one.id < other.id : one.ended < other.ended;

type Awards = NoticeOf<"awards">;

function compare(facts: Facts, { event, given, runners }: Awards): string | null {
  for (const { accountId, botIds, stays } of runners) {
    const runs = botIds.map((botId) => ({
      botId,
      games: gamesOf(facts, { event, accountId, botId, stays }),
    }));
    for (const { condition, id } of event.achievements) {
      const name = `${event.id}, ${id} of ${accountId}`;
      const award = given.find((one) => one.accountId === accountId && one.achievementId === id);
      const earned = firstOf(runs.flatMap((run) => earnedBy(condition, run) ?? []));
      if (award === undefined && earned !== null) return `${name} is missing`;
      if (facts.wasSetBack || award === undefined) continue;
      if (earned === null) return `${name} is not earned`;
      if (award.botId !== earned.botId || award.earnedAt !== earned.at)
        return `${name} is by ${award.botId} at ${award.earnedAt}, not ${earned.at}`;
      if (!isProof(condition, award.evidence, earned.evidence)) return `${name} has other evidence`;
    }
  }
  return null;
}

type Runner = {
  event: EventDefinition;
  accountId: AccountId;
  botId: BotId;
  stays: Awards["runners"][number]["stays"];
};

type Earned = { botId: BotId; at: string; evidence: readonly MatchId[] };

/** The bots are those of the account, the oldest first. */
const firstOf = (earned: readonly Earned[]): Earned | null =>
  earned.reduce<Earned | null>(
    (first, one) => (first === null || one.at < first.at ? one : first),
    null,
  );

/** A game as the bot saw it. */
type Seen = {
  match: FinishedMatch;
  isWon: boolean;
  opponent: string | null;
  /** Null where nobody knows. */
  isClean: boolean | null;
  points: number | null;
};

type Run = { botId: BotId; games: readonly Seen[] };

function earnedBy(condition: Condition, { botId, games }: Run): Earned | null {
  const proof: FinishedMatch[] = [];
  for (const seen of games) {
    const { match } = seen;
    const verdict = verdictOn(condition, seen);
    if (verdict === "breaks") proof.length = 0;
    if (verdict !== "counts") continue;
    proof.push(match);
    const maps = new Set(proof.map(({ map }) => map)).size;
    if (proof.length < countOf(condition) || maps < mapsOf(condition)) continue;
    return { botId, at: match.ended, evidence: proof.map(({ id }) => id) };
  }
  return null;
}

function gamesOf({ bots, played }: Facts, runner: Runner): Seen[] {
  const { event, accountId, botId, stays } = runner;
  const own = played.get(`${botId} ${event.ladderId}`) ?? [];
  const asksForClean = event.achievements.some(({ condition }) => condition.kind === "clean");
  const games = new Map<string, number>();
  return own.flatMap((match) => {
    const at = match.seats.findIndex((seat) => seat.botId === botId);
    const seat = match.seats[at]!;
    const version = `${seat.versionId} ${match.season}`;
    const count = (games.get(version) ?? 0) + 1;
    games.set(version, count);
    if (seat.accountId !== accountId || !isWithin(event, match, stays)) return [];
    const other = bots.get(match.seats[1 - at]?.botId ?? "");
    const isRanked = count >= FIXED.qualifying_games && seat.scoreAfter !== null;
    return {
      match,
      isWon: match.winnerSeat === at,
      opponent: other?.house === true ? other.name : null,
      isClean: asksForClean ? isClean(match, at) : null,
      points: isRanked ? leaderboardPoints(seat.scoreAfter!) : null,
    };
  });
}

function isWithin(
  { ladderId, opensAt, closesAt }: EventDefinition,
  { started, ended }: FinishedMatch,
  stays: Runner["stays"],
): boolean {
  // With a clock that is set back, a game may end before it has started.
  if (started < opensAt || ended < opensAt || ended >= closesAt) return false;
  const isIn = ({ since, until }: Runner["stays"][number]) =>
    since <= started && (until === null || ended <= until);
  return hasSeasons(ladderId) || stays.some(isIn);
}

/** Null where nobody knows, and before the first tick. */
function isClean({ stats, finalTick }: FinishedMatch, seat: number): boolean | null {
  const turns = seatFigures(stats)[seat]?.turns;
  if (turns === undefined || finalTick === 0) return null;
  const idle = Object.values(turns.idles).reduce((sum, count) => sum + count, 0);
  return idle + turns.refusedTurns + turns.disqualifications === 0;
}

function verdictOn(condition: Condition, seen: Seen): "counts" | "breaks" | "neither" {
  const countsIf = (isMet: boolean) => (isMet ? "counts" : "neither");
  switch (condition.kind) {
    case "games":
      return "counts";
    case "wins":
      return countsIf(seen.isWon);
    case "defeat": {
      const house = HOUSE_BOTS.find(({ short }) => short === condition.opponent)?.name;
      return countsIf(seen.isWon && seen.opponent === house);
    }
    case "streak":
      return seen.isWon ? "counts" : "breaks";
    case "clean":
      return seen.isClean === false ? "breaks" : countsIf(seen.isClean === true);
    case "score":
      return countsIf(seen.points !== null && seen.points >= condition.least);
  }
}

function countOf(condition: Condition): number {
  if (condition.kind === "score") return 1;
  if (condition.kind === "clean") return condition.games;
  return "count" in condition ? condition.count : condition.wins;
}

const mapsOf = (condition: Condition): number => ("maps" in condition ? (condition.maps ?? 1) : 1);

/** The latest games that counted. Where they must be on several maps, some of all that counted. */
function isProof(
  condition: Condition,
  evidence: readonly MatchId[],
  counted: readonly MatchId[],
): boolean {
  const latest = counted.slice(-FIXED.evidence_shown);
  if (mapsOf(condition) === 1) return evidence.join() === latest.join();
  return evidence.at(-1) === latest.at(-1) && evidence.every((id) => counted.includes(id));
}
