// Practice matches never count and stay within their limit. While a practice match is pending, the
// bot that requested it isn't paired on the public ladder.

import { SECOND_US } from "#base/util/time.ts";
import type { BotId, MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import type { Watch } from "./watch.ts";

/** Minimum time before an unserved request can expire, in µs. */
const CERTAIN_WAIT = FIXED_LIMITS.practice_wait_s * SECOND_US;

type PracticeFacts = {
  limits: Limits;
  /** Time at which each bot requested its pending practice match, in µs. */
  requestedAt: Map<BotId, number>;
  running: Set<MatchId>;
  startedIds: Set<MatchId>;
};

export function watchPractice(limits: Limits): Watch {
  const facts: PracticeFacts = {
    limits,
    requestedAt: new Map(),
    running: new Set(),
    startedIds: new Set(),
  };
  return {
    name: "practice matches never count",
    on: {
      asked: ({ botId }, { at }) => void facts.requestedAt.set(botId, at),
      practised: ({ botId, matchId }) => recordStart(facts, botId, matchId),
      wave: ({ request }, { at }) => {
        if (request.ladderId !== DEFAULT_LADDER) return null;
        const pendingBot = request.waiting.find(({ botId }) => isPending(facts, botId, at));
        return pendingBot
          ? `${pendingBot.botId} is in a wave while its practice match is pending`
          : null;
      },
      started: ({ ladderId, botIds, matchId }, { at }) => {
        if (ladderId !== DEFAULT_LADDER) return null;
        const pendingBot = botIds.find((botId) => isPending(facts, botId, at));
        return pendingBot
          ? `${pendingBot} plays ${matchId} while its practice match is pending`
          : null;
      },
      rated: ({ game }) =>
        facts.startedIds.has(game.matchId) ? `${game.matchId} is a practice match but rated` : null,
      stored: ({ match }) => checkStored(facts, match),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => {
        facts.requestedAt.clear();
        facts.running.clear();
      },
    },
  };
}

function isPending({ requestedAt }: PracticeFacts, botId: BotId, at: number): boolean {
  const since = requestedAt.get(botId) ?? Infinity;
  return since < at && at < since + CERTAIN_WAIT;
}

function recordStart(facts: PracticeFacts, botId: BotId, matchId: MatchId): string | null {
  const { limits, requestedAt, running, startedIds } = facts;
  if (!requestedAt.delete(botId)) return `${botId} plays a practice match that it never requested`;
  running.add(matchId);
  startedIds.add(matchId);
  if (running.size > limits.practice_concurrent)
    return `${running.size} practice matches run concurrently`;
  return null;
}

function checkStored(
  { startedIds }: PracticeFacts,
  { id, mode, rated, settled, seats }: FinishedMatch,
): string | null {
  if (mode === "practice" && !startedIds.has(id))
    return `${id} is a practice match that never started`;
  if (!startedIds.has(id)) return null;
  if (mode !== "practice") return `${id} is a practice match but stored as ${mode}`;
  const isFree = !rated && !settled && seats.every(({ ratingAfter }) => ratingAfter === null);
  return isFree ? null : `${id} is a practice match but stored as rated`;
}
