import type { EndReason, IdleReason, Refusal } from "#core/engine/types.ts";
import { REFUSAL_REASON_TEXT, endReasonText } from "#core/replay/end-reason-text.ts";

import type { PracticeResult } from "./practice.ts";

const IDLE_ADVICE: Record<IdleReason, (tickMs: number) => string> = {
  timeout: (tickMs) =>
    `no answer within ${tickMs} ms. Answer sooner: compute in steps and stop when time is short`,
  malformed_json: () => "the answer was not JSON. Log the messages that the bot sends",
  schema: () => "the answer was JSON but not a turn. Compare it with 'turn' in the protocol",
  disconnected: () => "the bot was not connected. Look for an exception in the program",
};

/** Guide topics that explain a finding. */
export type PracticeFindingTopic = "failed ticks" | "time" | "leaving" | "error codes" | "refusals";

export type PracticeFinding = { topic: PracticeFindingTopic; text: string };

export type PracticeFindings = {
  summary: string[];
  problems: PracticeFinding[];
  warnings: PracticeFinding[];
};

/** `botId` is the author's bot. */
export function practiceFindings(
  result: PracticeResult,
  { botId, tickMs }: { botId: string; tickMs: number },
): PracticeFindings {
  return {
    summary: summaryLines(result, botId),
    problems: [
      ...idleLines(result, tickMs),
      ...endReasonLines(result, botId),
      ...errorLines(result),
    ],
    warnings: [...refusalLines(result), ...slowReplyLines(result, tickMs)],
  };
}

function summaryLines({ winner, reason, ...times }: PracticeResult, botId: string): string[] {
  const outcome = winner === null ? "drawn" : winner === botId ? "won" : "lost";
  const game = `The practice game against Starter is ${outcome}: ${endReasonText(reason)}.`;
  if (times.replies === 0) return [game, "The bot sent no answers."];
  return [game, `It answered ${times.replies} times: ${replyTimeText(times)}.`];
}

/** Percentiles are upper bounds of histogram buckets, capped at the slowest reply. */
function replyTimeText({
  p50_ms,
  p95_ms,
  max_ms,
}: Pick<PracticeResult, "p50_ms" | "p95_ms" | "max_ms">) {
  if (p50_ms === max_ms) return `all within ${max_ms} ms`;
  return `p50 ≤ ${p50_ms} ms, p95 ≤ ${p95_ms} ms, max ${max_ms} ms`;
}

const times = (count: number): string => (count === 1 ? "1 tick" : `${count} ticks`);

function idleLines({ idles }: PracticeResult, tickMs: number): PracticeFinding[] {
  return Object.entries(idles).map(([reason, count]) => {
    const advice = IDLE_ADVICE[reason as IdleReason]?.(tickMs) ?? "a failed tick";
    const text = `${times(count)} without a turn (${reason}): ${advice}.`;
    return { topic: reason === "timeout" ? "time" : "failed ticks", text };
  });
}

/** End reasons which show that the bot didn't play. */
const LOSS_TEXT: { [K in EndReason]?: string } = {
  forfeit:
    "The bot forfeited: it did not send ready in time, or it disconnected and did not return.",
  disqualification: "The bot failed too many ticks and was disqualified.",
};

function endReasonLines({ winner, reason }: PracticeResult, botId: string): PracticeFinding[] {
  const text = winner === botId ? undefined : LOSS_TEXT[reason as EndReason];
  if (text === undefined) return [];
  return [{ topic: reason === "forfeit" ? "leaving" : "failed ticks", text }];
}

/** Reports the first error for each code, with the server's text. */
function errorLines({ errors }: PracticeResult): PracticeFinding[] {
  const first = new Map(errors.toReversed().map((error) => [error.code, error]));
  return errors
    .filter((error) => first.get(error.code) === error && error.code !== "timeout")
    .map(({ tick, code, message }) => ({
      topic: Object.hasOwn(IDLE_ADVICE, code) ? "failed ticks" : "error codes",
      text: `Error in tick ${tick} (${code}): ${message}`,
    }));
}

/** Two fighters sometimes try to enter the same tile. A higher share points to a bug in the bot. */
const TYPICAL_BLOCKED_SHARE = 0.1;

function refusalLines({ refused, replies }: PracticeResult): PracticeFinding[] {
  return Object.entries(refused).flatMap(([reason, count]) => {
    if (reason === "blocked" && count <= TYPICAL_BLOCKED_SHARE * replies) return [];
    const refusalText = REFUSAL_REASON_TEXT[reason as Refusal] ?? "refused";
    const text = `${times(count)} with a refused part (${reason}): ${refusalText}.`;
    return [{ topic: "refusals", text }];
  });
}

/** Above this share of the tick limit, a short network delay makes the reply too late. */
const NEAR_LIMIT_SHARE = 0.8;

function slowReplyLines({ max_ms }: PracticeResult, tickMs: number): PracticeFinding[] {
  if (max_ms === null || max_ms < NEAR_LIMIT_SHARE * tickMs) return [];
  const text = `The slowest answer took ${max_ms} of ${tickMs} ms, which leaves little margin.`;
  return [{ topic: "time", text }];
}
