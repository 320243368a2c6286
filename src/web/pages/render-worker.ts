// The thread that renders pages, so that neither the HTML nor its garbage holds up matches.

import { workerData } from "node:worker_threads";

import { answerQuestions } from "#base/threads/thread.ts";

import { openRenderer } from "./renderer.ts";
import type { BuiltSite } from "./renderer.ts";

const renderer = openRenderer(workerData as BuiltSite);

async function render(sheet: string) {
  const { body, packed, ...rest } = await (await renderer).render(sheet);
  // A message takes along all the memory that a view is of; these take what they show.
  return { ...rest, body: new Uint8Array(body), packed: new Uint8Array(packed) };
}

answerQuestions(async (sheet) =>
  sheet === null ? (await renderer).favicon : render(sheet as string),
);
