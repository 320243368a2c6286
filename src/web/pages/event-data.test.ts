import assert from "node:assert/strict";
import { it } from "node:test";

import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { pageSourcesOf } from "#testing/fixtures/sample-world.ts";
import { addTestBot, testApi } from "#testing/fixtures/test-api.ts";
import { toLadder } from "#web/api/ladder.ts";

import { laddersData, upcomingOccasions } from "./event-data.ts";
import { ladderData, resultsData } from "./standings-data.ts";

const NO_EVENTS = { onLadder: () => [] };
const NOW = "2026-01-05T12:00:00.000Z";
const ladder = (
  id: string,
  opensAt: string | null,
  closesAt: string | null,
  changes = {},
): Ladder =>
  toLadder({ ...PUBLIC_LADDER, id, name: id, opensAt, closesAt, ...changes }, NOW, NO_EVENTS);

it("lists current events on the home page by closing time, then upcoming events", () => {
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
  const occasionNames = upcomingOccasions(ladders, events).map(({ kind, id }) => `${kind} ${id}`);
  assert.deepEqual(occasionNames, ["event soon", "ladder tonight", "ladder endless"]);
  assert.deepEqual(upcomingOccasions([ladder("public", null, null)], []), []);
});

it("stored ladders have pages, and hidden ladders if requested by id", async () => {
  const api = testApi();
  const cup = { ...PUBLIC_LADDER, id: "cup", name: "Cup", visible: false };
  api.ladders.upsert(cup);
  const sources = pageSourcesOf(api.app);
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

it("a ladder's online count includes players' bots on it, but no house bots and no bots that never queued", async () => {
  const api = testApi();
  api.ladders.upsert({ ...PUBLIC_LADDER, id: "cup", name: "Cup" });
  const session = { online: true, version: "v1", state: "waiting", matchId: null } as const;
  const join = async (name: string, ladderId: LadderId | null, house = false) => {
    const bot = await addTestBot(api, name, { house });
    api.arena.bots.push({ ...session, botId: bot.id, name, house, versionId: null, ladderId });
  };
  await join("house-kiter", "cup", true);
  await join("idle", null);
  const putOnline = async (id: string) => {
    const data = await laddersData(pageSourcesOf(api.app), { query: {} });
    assert.ok(data !== null && "ladders" in data);
    return data.ladders.find((item) => item.id === id)?.online;
  };
  assert.equal(await putOnline("cup"), 0);
  await join("rex", "cup");
  assert.deepEqual([await putOnline("cup"), await putOnline("public")], [1, 0]);
});

it("results link to the archive once it has been built", async () => {
  const api = testApi();
  const cup = { ...PUBLIC_LADDER, id: "cup", name: "Cup", closesAt: "2026-01-05T12:30:00.000Z" };
  await api.store.ladders.add(cup, null, { id: api.newId(), ...AUDIT_ENTRY });
  api.ladders.upsert(cup);
  const archive = async () =>
    (await api.app.inject("/api/ladders/cup/results")).json<LadderResults>().archive;
  assert.equal(await archive(), null);
  while (api.nextMinute() < cup.closesAt);
  assert.equal(await archive(), null);
  await api.store.ladders.setArchive("cup", { bytes: 4321, sha256: "0".repeat(64), madeAt: NOW });
  assert.deepEqual(await archive(), { url: "/api/ladders/cup/archive", bytes: 4321 });
});

const AUDIT_ENTRY: Omit<AuditEntry, "id"> = {
  at: NOW,
  kind: "ladder.created",
  actor: { kind: "system", id: null, name: null },
  subject: null,
  reason: null,
  detail: null,
};
