// The thread that writes one archive, so that neither its bytes nor their packing hold up matches.

import { dirname } from "node:path";

import { answerQuestions } from "#base/threads/thread.ts";
import { sure } from "#base/units/sure.ts";

import type { ArchiveQuestion, MadeArchive } from "./archive-job.ts";
import { openArchiveWriter } from "./archive-writer.ts";
import type { ArchiveWriter } from "./archive-writer.ts";

let writer: ArchiveWriter | undefined;

async function answer(question: ArchiveQuestion): Promise<MadeArchive | null> {
  if (question.kind === "begin")
    writer = await openArchiveWriter({ ...question, folder: dirname(question.path) });
  else if (question.kind === "matches") await sure(writer, "archive").add(question.page);
  else return sure(writer, "archive").finish();
  return null;
}

answerQuestions((question) => answer(question as ArchiveQuestion));
