// Worker thread that renders pages, so that rendering and garbage collection don't delay matches.

import { workerData } from "node:worker_threads";

import { handleRequests } from "#base/threads/thread.ts";

import { openRenderer } from "./renderer.ts";
import type { BuiltSite } from "./renderer.ts";

const renderer = openRenderer(workerData as BuiltSite);

async function render(request: string) {
  const { body, compressed, ...rest } = await (await renderer).render(request);
  // Copies the bytes, because posting a view would transfer its whole buffer.
  return { ...rest, body: new Uint8Array(body), compressed: new Uint8Array(compressed) };
}

handleRequests(async (request) =>
  request === null ? (await renderer).favicon : render(request as string),
);
