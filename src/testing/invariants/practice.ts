// Practice games count nowhere, there are no more of them at once than may be, and a bot that has
// asked for one is kept from everybody else on the public ladder.

import { SECOND } from "#base/units/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { BotId, MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import type { FinishedMatch } from "#data/store/match.ts";

import type { Watch } from "./watch.ts";

/** A wish that was not fulfilled by then may have expired. */
const SURE = FIXED.practice_wait_s * SECOND;

type Facts = {
  limits: Limits;
  /** When each bot asked, µs, until its game begins. */
  asked: Map<BotId, number>;
  /** Games that began and are not stored yet. */
  running: Set<MatchId>;
  /** All that ever began. */
  began: Set<MatchId>;
};

export function watchPractice(limits: Limits): Watch {
  const facts: Facts = { limits, asked: new Map(), running: new Set(), began: new Set() };
  return {
    name: "practice counts nowhere",
    on: {
      asked: ({ botId }, { at }) => void facts.asked.set(botId, at),
      practised: ({ botId, matchId }) => begin(facts, botId, matchId),
      wave: ({ request }, { at }) => {
        if (request.ladderId !== DEFAULT_LADDER) return null;
        const kept = request.waiting.find(({ botId }) => isPending(facts, botId, at));
        return kept ? `${kept.botId} is in a wave while its practice game is pending` : null;
      },
      started: ({ ladderId, botIds, matchId }, { at }) => {
        if (ladderId !== DEFAULT_LADDER) return null;
        const kept = botIds.find((botId) => isPending(facts, botId, at));
        return kept ? `${kept} plays ${matchId} while its practice game is pending` : null;
      },
      rated: ({ game }) =>
        facts.began.has(game.matchId) ? `${game.matchId} is practice and is rated` : null,
      stored: ({ match }) => keep(facts, match),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => {
        facts.asked.clear();
        facts.running.clear();
      },
    },
  };
}

function isPending({ asked }: Facts, botId: BotId, at: number): boolean {
  const since = asked.get(botId) ?? Infinity;
  return since < at && at < since + SURE;
}

function begin(facts: Facts, botId: BotId, matchId: MatchId): string | null {
  const { limits, asked, running, began } = facts;
  if (!asked.delete(botId)) return `${botId} plays for practice and never asked to`;
  running.add(matchId);
  began.add(matchId);
  if (running.size > limits.practice_concurrent)
    return `${running.size} practice games are played at once`;
  return null;
}

function keep({ began }: Facts, { id, mode, rated, settled, seats }: FinishedMatch): string | null {
  if (mode === "practice" && !began.has(id)) return `${id} is practice that never began`;
  if (!began.has(id)) return null;
  if (mode !== "practice") return `${id} is practice and is stored as ${mode}`;
  const isFree = !rated && !settled && seats.every(({ ratingAfter }) => ratingAfter === null);
  return isFree ? null : `${id} is practice and is stored as rated`;
}
