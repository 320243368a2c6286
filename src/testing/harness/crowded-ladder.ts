// Ladders with many bots and versions, as files; and strangers who ask them for a lot.

import assert from "node:assert/strict";

import { LIMITS } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { sampleBot, sampleId, sampleVersion } from "#testing/store-cases/store-samples.ts";

export type Crowding = {
  bots: number;
  /** Versions of each bot. */
  versions: number;
  /** Additional versions of the first bot. */
  more?: number;
};

/** Saved together, so that they share commits. */
const TOGETHER = 500;
/** The longest notes allowed. */
const NOTES = "n".repeat(LIMITS.version_notes_max);

export const tokenOf = (bot: number): string => `crowd-token-${bot}`;

/** Fills a data folder, from which a server then reads as after a restart. */
export async function fillCrowd(data: string, { bots, versions, more = 0 }: Crowding) {
  const store = await openStore({ data });
  await repeat(bots, (bot) => store.bots.add(sampleBot(bot), hashToken(tokenOf(bot)), null));
  await repeat(bots * versions, (number) =>
    addVersion(store, number, Math.floor(number / versions)),
  );
  await repeat(more, (number) => addVersion(store, bots * versions + number, 0));
  await store.close();
}

async function repeat(count: number, call: (number: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += TOGETHER) {
    const most = Math.min(TOGETHER, count - first);
    await Promise.all(Array.from({ length: most }, (_, index) => call(first + index)));
  }
}

function addVersion(store: Store, number: number, bot: number) {
  const facts = { botId: sampleId("bot", bot), notes: NOTES };
  return store.versions.add(sampleVersion(number, facts), null);
}

/** Adds a version to one bot and opens the page of another. */
async function makeAndLook(baseUrl: string, bots: number, step: number): Promise<void> {
  await post(baseUrl, "/api/me/versions", step % bots, { label: `new-${step}`, notes: NOTES });
  await look(baseUrl, `/api/bots/Bot-${(step * 7) % bots}`);
}

/** Retires a version again, and opens a page. */
async function changeNothing(baseUrl: string, bots: number, step: number): Promise<void> {
  await post(baseUrl, "/api/me/versions/v0/retire", 0);
  await look(baseUrl, `/api/bots/Bot-${(step * 7) % bots}`);
}

/** Requests answers that nobody has requested before. */
async function askAnew(baseUrl: string, _bots: number, step: number): Promise<void> {
  await look(baseUrl, `/api/bots/Bot-0/ratings?days=${step + 1}`);
}

/** What a server's memory must withstand, one step after another. */
export const PRESSURES = { makeAndLook, changeNothing, askAnew };

async function post(baseUrl: string, path: string, bot: number, payload?: object): Promise<void> {
  const headers = {
    authorization: `Bearer ${tokenOf(bot)}`,
    ...(payload !== undefined && { "content-type": "application/json" }),
  };
  const body = payload === undefined ? null : JSON.stringify(payload);
  const response = await fetch(baseUrl + path, { method: "POST", headers, body });
  await response.arrayBuffer();
  assert.ok(response.ok, `${path}: ${response.status}`);
}

async function look(baseUrl: string, path: string): Promise<void> {
  const response = await fetch(baseUrl + path);
  await response.arrayBuffer();
  assert.equal(response.status, 200, path);
}
