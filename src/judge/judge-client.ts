// The judge as the arena calls it: on a thread of its own, or in this one for tests.

import { Worker } from "node:worker_threads";

import type { Judge, LadderHistory, PlayedGame, WaveRequest } from "./judge.ts";
import { boardOf, judgeGame, loadLadder, pairWaiting, takeBackGame } from "./judgement.ts";
import type { Judgement } from "./judgement.ts";

export type Question =
  | { kind: "load"; history: LadderHistory }
  | { kind: "play"; game: PlayedGame }
  | { kind: "takeBack"; game: PlayedGame }
  | { kind: "wave"; request: WaveRequest }
  | { kind: "board"; ladderId: string };

export type Answer = { value: unknown } | { error: string };

export function answerQuestion(judgement: Judgement, question: Question): unknown {
  switch (question.kind) {
    case "load":
      return loadLadder(judgement, question.history);
    case "play":
      return judgeGame(judgement, question.game);
    case "takeBack":
      return takeBackGame(judgement, question.game);
    case "wave":
      return pairWaiting(judgement, question.request);
    case "board":
      return boardOf(judgement, question.ladderId);
  }
}

/** What a question's answer is; the judgement's own types, seen through a thread. */
type Ask = <T>(question: Question) => Promise<T>;

function judgeBy(ask: Ask, close: () => Promise<void>): Judge {
  return {
    load: (history) => ask({ kind: "load", history }),
    play: (game) => ask({ kind: "play", game }),
    takeBack: (game) => ask({ kind: "takeBack", game }),
    wave: (request) => ask({ kind: "wave", request }),
    board: (ladderId) => ask({ kind: "board", ladderId }),
    close,
  };
}

/** Answers in this thread. */
export function localJudge(): Judge {
  const judgement: Judgement = new Map();
  return judgeBy(
    async <T>(question: Question) => answerQuestion(judgement, question) as T,
    async () => {},
  );
}

type Waiter = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** Starts the judge's thread. Its death rejects what was asked and all that is asked later. */
export function openJudge(): Judge {
  const worker = new Worker(new URL("./judge-worker.ts", import.meta.url));
  const waiters = new Map<number, Waiter>();
  let asked = 0;
  let dead: Error | null = null;

  function die(error: Error): void {
    dead ??= error;
    for (const { reject } of waiters.values()) reject(dead);
    waiters.clear();
  }

  worker.on("message", ({ id, ...answer }: { id: number } & Answer) => {
    const waiter = waiters.get(id);
    waiters.delete(id);
    if ("error" in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.value);
  });
  worker.on("error", die);
  worker.on("exit", () => die(new Error("the judge's thread has ended")));

  const ask = <T>(question: Question): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (dead !== null) {
        reject(dead);
        return;
      }
      asked += 1;
      waiters.set(asked, { resolve: (value) => resolve(value as T), reject });
      worker.postMessage({ id: asked, question });
    });
  return judgeBy(ask, async () => void (await worker.terminate()));
}
