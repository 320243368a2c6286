// A report of a practice game in plain words: what went wrong, and what to do about it.

import type { EndReason, IdleReason, Refusal } from "#core/engine/types.ts";
import { REFUSAL_WORDS, endWords } from "#core/replay/end-words.ts";

import type { PracticeResult } from "./practice.ts";

/** What goes wrong in ticks without a turn, and what to do about it. */
const IDLE_ADVICE: Record<IdleReason, (tickMs: number) => string> = {
  timeout: (tickMs) =>
    `no answer within ${tickMs} ms. Answer sooner: think in steps and stop when time is short`,
  malformed_json: () => "the answer was no JSON. Print what the bot sends",
  schema: () => "the answer was JSON, but no turn. Compare it with 'turn' in the protocol",
  disconnected: () => "the bot was not connected. Look for an exception in the program",
};

/** What the guide says more about. */
export type FindingTopic = "failed ticks" | "time" | "leaving" | "error codes" | "refusals";

export type Finding = { topic: FindingTopic; text: string };

export type Findings = {
  /** Lines about the game. */
  about: string[];
  /** What must be mended before anything counts; empty if nothing must. */
  wrong: Finding[];
  /** What is worth a look. */
  odd: Finding[];
};

/** `botId` is the bot's own. */
export function findingsOf(
  result: PracticeResult,
  { botId, tickMs }: { botId: string; tickMs: number },
): Findings {
  return {
    about: aboutGame(result, botId),
    wrong: [...idleLines(result, tickMs), ...endLines(result, botId), ...errorLines(result)],
    odd: [...refusalLines(result), ...slowLines(result, tickMs)],
  };
}

function aboutGame({ winner, reason, ...times }: PracticeResult, botId: string): string[] {
  const outcome = winner === null ? "drawn" : winner === botId ? "won" : "lost";
  const game = `The practice game against Starter is ${outcome}: ${endWords(reason)}.`;
  if (times.replies === 0) return [game, "The bot answered nothing."];
  return [game, `It answered ${times.replies} times: ${speedOf(times)}.`];
}

/** Percentiles are bounds of classes, and never above the slowest. */
function speedOf({ p50_ms, p95_ms, max_ms }: Pick<PracticeResult, "p50_ms" | "p95_ms" | "max_ms">) {
  if (p50_ms === max_ms) return `all within ${max_ms} ms`;
  return `half of them within ${p50_ms} ms, 95 % within ${p95_ms} ms, the slowest in ${max_ms} ms`;
}

const times = (count: number): string => (count === 1 ? "1 tick" : `${count} ticks`);

function idleLines({ idles }: PracticeResult, tickMs: number): Finding[] {
  return Object.entries(idles).map(([reason, count]) => {
    const advice = IDLE_ADVICE[reason as IdleReason]?.(tickMs) ?? "a failed tick";
    const text = `${times(count)} without a turn (${reason}): ${advice}.`;
    return { topic: reason === "timeout" ? "time" : "failed ticks", text };
  });
}

/** Ends that say that the bot did not play. */
const LOST_BY: { [K in EndReason]?: string } = {
  forfeit: "The game was given up: the bot did not say ready in time, or left and did not return.",
  disqualification: "The bot failed too many ticks and was disqualified.",
};

function endLines({ winner, reason }: PracticeResult, botId: string): Finding[] {
  const text = winner === botId ? undefined : LOST_BY[reason as EndReason];
  if (text === undefined) return [];
  return [{ topic: reason === "forfeit" ? "leaving" : "failed ticks", text }];
}

/** The first of each kind, as the server put it. */
function errorLines({ errors }: PracticeResult): Finding[] {
  const first = new Map(errors.toReversed().map((error) => [error.code, error]));
  return errors
    .filter((error) => first.get(error.code) === error && error.code !== "timeout")
    .map(({ tick, code, message }) => ({
      topic: Object.hasOwn(IDLE_ADVICE, code) ? "failed ticks" : "error codes",
      text: `In tick ${tick} the server said ${code}: ${message}`,
    }));
}

/** Two fighters want the same tile now and then; more often than this is the program's fault. */
const USUAL_SHARE_BLOCKED = 0.1;

function refusalLines({ refused, replies }: PracticeResult): Finding[] {
  return Object.entries(refused).flatMap(([reason, count]) => {
    if (reason === "blocked" && count <= USUAL_SHARE_BLOCKED * replies) return [];
    const words = REFUSAL_WORDS[reason as Refusal] ?? "refused";
    const text = `${times(count)} with a part that was refused (${reason}): ${words}.`;
    return [{ topic: "refusals", text }];
  });
}

/** From this share of the time on, a slow moment of the network costs the tick. */
const NEAR_LIMIT = 0.8;

function slowLines({ max_ms }: PracticeResult, tickMs: number): Finding[] {
  if (max_ms === null || max_ms < NEAR_LIMIT * tickMs) return [];
  const text = `The slowest answer took ${max_ms} of ${tickMs} ms: there is little room.`;
  return [{ topic: "time", text }];
}
