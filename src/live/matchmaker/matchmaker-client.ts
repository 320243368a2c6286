// The matchmaker as the arena calls it: on a thread of its own, or in this one for tests.

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";

import type { Competitions } from "./competition.ts";
import type { Matchmaker } from "./matchmaker.ts";
import { answerQuestion } from "./questions.ts";
import type { MatchmakerQuestion } from "./questions.ts";

/** What a question's answer is; the competitions's own types, seen through a thread. */
type Ask = <T>(question: MatchmakerQuestion) => Promise<T>;

function matchmakerBy(ask: Ask, close: () => Promise<void>): Matchmaker {
  return {
    load: (history) => ask({ kind: "load", history }),
    rate: (game) => ask({ kind: "rate", game }),
    unrate: (game) => ask({ kind: "unrate", game }),
    pair: (request) => ask({ kind: "pair", request }),
    board: (competition) => ask({ kind: "board", competition }),
    settle: (competition) => ask({ kind: "settle", competition }),
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
  // What the matchmaker knows is not to be had from another thread: its death ends the process.
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
