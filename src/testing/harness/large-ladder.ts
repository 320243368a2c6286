// Creates data folders with many bots and versions, and puts heavy load on servers that use them.

import assert from "node:assert/strict";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { sampleBot, sampleId, sampleVersion } from "#testing/store-contract/store-samples.ts";

export type LargeLadderSize = {
  bots: number;
  versions: number;
  extraVersions?: number;
};

/** Number of rows saved concurrently, so that they share commits. */
const BATCH_SIZE = 500;
const LONGEST_NOTES = "n".repeat(DEFAULT_LIMITS.version_notes_max);

export const largeLadderToken = (bot: number): string => `crowd-token-${bot}`;

/**
 * Fills a data folder. A server that opens the folder starts with an empty cache, as after a
 * restart.
 */
export async function fillLargeLadder(
  data: string,
  { bots, versions, extraVersions = 0 }: LargeLadderSize,
) {
  const store = await openStore({ data });
  await runBatched(bots, (bot) =>
    store.bots.add(sampleBot(bot), hashToken(largeLadderToken(bot)), null),
  );
  await runBatched(bots * versions, (number) =>
    addVersion(store, number, Math.floor(number / versions)),
  );
  await runBatched(extraVersions, (number) => addVersion(store, bots * versions + number, 0));
  await store.close();
}

async function runBatched(
  count: number,
  call: (number: number) => Promise<unknown>,
): Promise<void> {
  for (let firstIndex = 0; firstIndex < count; firstIndex += BATCH_SIZE) {
    const batchSize = Math.min(BATCH_SIZE, count - firstIndex);
    await Promise.all(Array.from({ length: batchSize }, (_, index) => call(firstIndex + index)));
  }
}

function addVersion(store: Store, number: number, bot: number) {
  const versionFields = { botId: sampleId("bot", bot), notes: LONGEST_NOTES };
  return store.versions.add(sampleVersion(number, versionFields), null);
}

async function createVersionAndRead(baseUrl: string, bots: number, step: number): Promise<void> {
  await postJson(baseUrl, "/api/me/versions", step % bots, {
    label: `new-${step}`,
    notes: LONGEST_NOTES,
  });
  await readPath(baseUrl, `/api/bots/Bot-${(step * 7) % bots}`);
}

async function retireAndRead(baseUrl: string, bots: number, step: number): Promise<void> {
  await postJson(baseUrl, "/api/me/versions/v0/retire", 0);
  await readPath(baseUrl, `/api/bots/Bot-${(step * 7) % bots}`);
}

async function readUncached(baseUrl: string, _bots: number, step: number): Promise<void> {
  await readPath(baseUrl, `/api/bots/Bot-0/ratings?days=${step + 1}`);
}

/** Load that a server must withstand within its memory limit, in this order. */
export const MEMORY_PRESSURES = {
  makeAndLook: createVersionAndRead,
  changeNothing: retireAndRead,
  askAnew: readUncached,
};

async function postJson(
  baseUrl: string,
  path: string,
  bot: number,
  payload?: object,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${largeLadderToken(bot)}`,
    ...(payload !== undefined && { "content-type": "application/json" }),
  };
  const body = payload === undefined ? null : JSON.stringify(payload);
  const response = await fetch(baseUrl + path, { method: "POST", headers, body });
  await response.arrayBuffer();
  assert.ok(response.ok, `${path}: ${response.status}`);
}

async function readPath(baseUrl: string, path: string): Promise<void> {
  const response = await fetch(baseUrl + path);
  await response.arrayBuffer();
  assert.equal(response.status, 200, path);
}
