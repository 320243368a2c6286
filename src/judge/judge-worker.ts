// The judge's thread: one question in, one answer out, in order.

import { answerQuestions } from "#threads/thread.ts";

import type { Judgement } from "./competition.ts";
import { answerQuestion } from "./judge-client.ts";
import type { Question } from "./judge-client.ts";

const judgement: Judgement = new Map();

answerQuestions((question) => answerQuestion(judgement, question as Question));
