// The matchmaker as the arena calls it: in a thread of its own or, for tests, in this one.

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";

import type { Competitions } from "./competition.ts";
import type { Matchmaker } from "./matchmaker.ts";
import { answerQuestion } from "./questions.ts";
import type { MatchmakerQuestion } from "./questions.ts";

/** The answer's type depends on the question; a thread cannot carry it. */
type Ask = <T>(question: MatchmakerQuestion) => Promise<T>;

function matchmakerBy(ask: Ask, close: () => Promise<void>): Matchmaker {
  return {
    load: (history) => ask({ kind: "load", history }),
    rate: (game) => ask({ kind: "rate", game }),
    unrate: (game) => ask({ kind: "unrate", game }),
    pair: (requests) => ask({ kind: "pair", requests }),
    board: (competition) => ask({ kind: "board", competition }),
    settle: (competition) => ask({ kind: "settle", competition }),
    compare: (competition, versions) => ask({ kind: "compare", competition, versions }),
    forget: (competition) => ask({ kind: "forget", competition }),
    close,
  };
}

/** Answers in this thread. */
export function localMatchmaker(): Matchmaker {
  const competitions: Competitions = new Map();
  return matchmakerBy(
    async <T>(question: MatchmakerQuestion) => answerQuestion(competitions, question) as T,
    async () => {},
  );
}

/** Starts the matchmaker's thread. */
export function openMatchmaker(): Matchmaker {
  // No other thread has the matchmaker's state, so its death ends the process.
  const thread = openThread(new URL("./matchmaker-worker.ts", import.meta.url), {
    name: "matchmaker",
    heap: SMALL_HEAP,
    restarts: false,
  });
  return matchmakerBy(
    (question) => thread.ask(question),
    async () => void (await thread.close()),
  );
}
