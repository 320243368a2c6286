// The matchmaker's thread: answers one question at a time, in order.

import { answerQuestions } from "#base/threads/thread.ts";

import type { Competitions } from "./competition.ts";
import { answerQuestion } from "./questions.ts";
import type { MatchmakerQuestion } from "./questions.ts";

const competitions: Competitions = new Map();

answerQuestions((question) => answerQuestion(competitions, question as MatchmakerQuestion));
