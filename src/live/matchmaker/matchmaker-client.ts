// The judge as the arena calls it: on a thread of its own, or in this one for tests.

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";

import type { Judgement } from "./competition.ts";
import type { Judge } from "./matchmaker.ts";
import { answerQuestion } from "./questions.ts";
import type { MatchmakerQuestion } from "./questions.ts";

/** What a question's answer is; the judgement's own types, seen through a thread. */
type Ask = <T>(question: MatchmakerQuestion) => Promise<T>;

function judgeBy(ask: Ask, close: () => Promise<void>): Judge {
  return {
    load: (history) => ask({ kind: "load", history }),
    play: (game) => ask({ kind: "play", game }),
    takeBack: (game) => ask({ kind: "takeBack", game }),
    wave: (request) => ask({ kind: "wave", request }),
    board: (competition) => ask({ kind: "board", competition }),
    settle: (competition) => ask({ kind: "settle", competition }),
    forget: (competition) => ask({ kind: "forget", competition }),
    close,
  };
}

/** Answers in this thread. */
export function localJudge(): Judge {
  const judgement: Judgement = new Map();
  return judgeBy(
    async <T>(question: MatchmakerQuestion) => answerQuestion(judgement, question) as T,
    async () => {},
  );
}

/** Starts the judge's thread. */
export function openJudge(): Judge {
  // What the judge knows is not to be had from another thread: its death ends the process.
  const thread = openThread(new URL("./matchmaker-worker.ts", import.meta.url), {
    name: "judge",
    heap: SMALL_HEAP,
    restarts: false,
  });
  return judgeBy(
    (question) => thread.ask(question),
    async () => void (await thread.close()),
  );
}
