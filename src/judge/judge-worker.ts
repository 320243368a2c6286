// The judge's thread: one question in, one answer out, in order.

import { parentPort } from "node:worker_threads";

import { answerQuestion } from "./judge-client.ts";
import type { Answer, Question } from "./judge-client.ts";
import type { Judgement } from "./judgement.ts";

const port = parentPort;
if (port === null) throw new Error("the judge runs as a worker thread");

const judgement: Judgement = new Map();

port.on("message", ({ id, question }: { id: number; question: Question }) => {
  port.postMessage({ id, ...answered(question) });
});

function answered(question: Question): Answer {
  try {
    return { value: answerQuestion(judgement, question) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
