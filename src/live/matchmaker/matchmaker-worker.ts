// The judge's thread: one question in, one answer out, in order.

import { answerQuestions } from "#base/threads/thread.ts";

import type { Judgement } from "./competition.ts";
import { answerQuestion } from "./questions.ts";
import type { MatchmakerQuestion } from "./questions.ts";

const judgement: Judgement = new Map();

answerQuestions((question) => answerQuestion(judgement, question as MatchmakerQuestion));
