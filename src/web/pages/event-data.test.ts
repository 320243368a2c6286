import assert from "node:assert/strict";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { sourcesOf } from "#testing/fixtures/sample-world.ts";
import { addBot, testApi } from "#testing/fixtures/test-api.ts";
import { toLadder } from "#web/api/ladder.ts";

import { laddersData, occasionsOf } from "./event-data.ts";
import { ladderData, resultsData } from "./standings-data.ts";

const NONE = { onLadder: () => [] };
const NOW = "2026-01-05T12:00:00.000Z";
const ladder = (id: string, opensAt: string | null, closesAt: string | null, more = {}): Ladder =>
  toLadder({ ...PUBLIC, id, name: id, opensAt, closesAt, ...more }, NOW, NONE);

it("the front page names what is on, what ends first, then what comes next", () => {
  const ladders = [
    ladder("public", null, null),
    ladder("endless", null, null),
    ladder("spring", "2026-03-01T00:00:00.000Z", null),
    ladder("over", null, "2026-01-01T00:00:00.000Z"),
    ladder("paused", null, null, { enabled: false }),
    ladder("tonight", "2026-01-05T09:00:00.000Z", "2026-01-05T21:00:00.000Z"),
  ];
  const events = [
    sampleEvent({ id: "elsewhere", ladder_id: "tonight" }),
    sampleEvent({ id: "unready", ladder_id: "public", enabled: false }),
    sampleEvent({ id: "soon", ladder_id: "public" }),
  ];
  const found = occasionsOf(ladders, events).map(({ kind, id }) => `${kind} ${id}`);
  assert.deepEqual(found, ["event soon", "ladder tonight", "ladder endless"]);
  assert.deepEqual(occasionsOf([ladder("public", null, null)], []), []);
});

it("ladders of the store have their pages, hidden ones for who names them", async () => {
  const api = testApi();
  const cup = { ...PUBLIC, id: "cup", name: "Cup", visible: false };
  api.ladders.put(cup);
  const sources = sourcesOf(api.app);
  const idsFor = async (query: { ladder?: string }) => {
    const data = await laddersData(sources, { query });
    return data !== null && "ladders" in data && data.ladders.map(({ id }) => id);
  };
  assert.deepEqual(await idsFor({}), ["public"]);
  assert.deepEqual(await idsFor({ ladder: "cup" }), ["public", "cup"]);
  assert.deepEqual(await laddersData(sources, { query: { ladder: "CUP" } }), {
    movedTo: "/ladders?ladder=cup",
  });
  assert.equal(await laddersData(sources, { query: { ladder: "none" } }), null);
  const query = { ladder: "cup" };
  for (const data of [await ladderData(sources, { query }), await resultsData(sources, { query })])
    assert.ok(data !== null && !("movedTo" in data));
});

it("a ladder counts the players' bots on it as online, not house bots or bots that never queued", async () => {
  const api = testApi();
  api.ladders.put({ ...PUBLIC, id: "cup", name: "Cup" });
  const session = { online: true, version: "v1", state: "waiting", matchId: null } as const;
  const join = async (name: string, ladderId: LadderId | null, house = false) => {
    const bot = await addBot(api, name, { house });
    api.arena.bots.push({ ...session, botId: bot.id, name, house, versionId: null, ladderId });
  };
  await join("house-kiter", "cup", true);
  await join("idle", null);
  const onlineOn = async (id: string) => {
    const data = await laddersData(sourcesOf(api.app), { query: {} });
    assert.ok(data !== null && "ladders" in data);
    return data.ladders.find((one) => one.id === id)?.online;
  };
  assert.equal(await onlineOn("cup"), 0);
  await join("rex", "cup");
  assert.deepEqual([await onlineOn("cup"), await onlineOn("public")], [1, 0]);
});

it("results name the archive once the ladder is over and it is made", async () => {
  const api = testApi();
  const cup = { ...PUBLIC, id: "cup", name: "Cup", closesAt: "2026-01-05T12:30:00.000Z" };
  await api.store.ladders.add(cup, null, { id: api.newId(), ...MADE });
  api.ladders.put(cup);
  const archive = async () =>
    (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>().archive;
  assert.equal(await archive(), null);
  while (api.tick() < cup.closesAt);
  assert.equal(await archive(), null);
  await api.store.ladders.noteArchive("cup", { bytes: 4321, sha256: "0".repeat(64), madeAt: NOW });
  assert.deepEqual(await archive(), { url: "/api/ladders/cup/archive", bytes: 4321 });
});

const MADE: Omit<AuditEntry, "id"> = {
  at: NOW,
  kind: "ladder.created",
  actor: { kind: "system", id: null, name: null },
  subject: null,
  reason: null,
  detail: null,
};
