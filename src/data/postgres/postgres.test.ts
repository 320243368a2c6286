import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openCuttableProxy } from "#testing/harness/cuttable-proxy.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";
import { playersOf } from "#testing/store-contract/store-fill.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleMatch,
  sampleSeat,
} from "#testing/store-contract/store-samples.ts";

const BOTS = 6;
const UNUSED_PORT = 1;
const PAUSE_MS = 20;

it("rejects as unavailable if no server listens", async () => {
  const postgres = `postgres://bout@127.0.0.1:${UNUSED_PORT}/bout`;
  await assert.rejects(openStore({ postgres }), { name: "StoreError", code: "unavailable" });
});

it("rejects as unavailable if the server closes the connection", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const opening = openStore({ postgres: `postgres://bout@127.0.0.1:${port}/bout` });
  await assert.rejects(opening, { name: "StoreError", code: "unavailable" });
  server.close();
});

describe("real PostgreSQL server", REAL_POSTGRES_TEST_OPTIONS, () => {
  const postgres = REAL_POSTGRES_URL ?? "";
  beforeEach(clearRealPostgres);

  it("stores a match once if it is saved again after an outage", async () => {
    const address = new URL(postgres);
    const proxy = await openCuttableProxy(address.hostname, Number(address.port || 5432));
    address.host = `127.0.0.1:${proxy.port}`;
    const store = await openStore({ postgres: address.href });
    await addSamplePlayers(store, BOTS);
    const refusals: unknown[] = [];
    const pendingSaves = Promise.all(
      numberRange(0, 200).map((number) => saveUntilStored(store, drawnMatch(number), refusals)),
    );
    for (let outage = 0; outage < 3; outage++) {
      await sleep(PAUSE_MS);
      proxy.disconnect();
      await assert.rejects(store.bots.house(), { code: "unavailable" });
      await sleep(PAUSE_MS);
      proxy.restore();
    }
    await pendingSaves;
    assert.ok(refusals.length > 0);
    assert.deepEqual(new Set(refusals), new Set(["unavailable"]));
    assert.equal((await store.matches.ids()).length, 200);
    assert.deepEqual(await store.database.faults(), []);
    await store.close();
    await proxy.close();
  });

  it("serializes two processes that add bots for the same owner", async () => {
    const stores = await Promise.all([openStore({ postgres }), openStore({ postgres })]);
    const pendingAdds = numberRange(0, 50).map((number) =>
      stores[number % 2]!.bots.add(sampleBot(number, { owner: "Zoe" }), `h${number}`, 1),
    );
    const outcomes = await Promise.all(pendingAdds);
    assert.equal(outcomes.filter((outcome) => outcome === "added").length, 1);
    assert.equal((await stores[0].bots.ids(null, 99)).length, 1);
    for (const store of stores) await store.close();
  });

  it("serializes two processes that count the same pairs", async () => {
    const stores = await Promise.all([openStore({ postgres }), openStore({ postgres })]);
    await addSamplePlayers(stores[0], BOTS);
    const saves = numberRange(0, 300).map((number) =>
      stores[number % 2]!.matches.save(drawnMatch(number)),
    );
    await Promise.all(saves);
    assert.equal((await stores[0].matches.ids()).length, 300);
    assert.deepEqual(await stores[1].database.faults(), []);
    for (const store of stores) await store.close();
  });
});

function numberRange(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function drawnMatch(number: number): FinishedMatch {
  const [first, second] = playersOf(number, BOTS);
  return sampleMatch(number, {
    winnerBotId: null,
    seats: [first, second].map((player) => sampleSeat(player)),
  });
}

async function saveUntilStored(
  store: Store,
  match: FinishedMatch,
  refusals: unknown[],
): Promise<void> {
  for (;;) {
    const [result] = await Promise.allSettled([store.matches.save(match)]);
    if (result.status === "fulfilled") return;
    refusals.push((result.reason as { code: unknown }).code);
    await sleep(PAUSE_MS);
  }
}
