// The archive's thread.

import { answerQuestions } from "#judge/thread.ts";

import { archived } from "./archive.ts";
import type { FightRecord } from "./write-up.ts";

answerQuestions((record) => archived(record as FightRecord));
