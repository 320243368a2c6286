import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { openStore } from "#server/composition/open-store.ts";

import { addSamplePlayers, sampleBot, sampleId, sampleMatch } from "./store-samples.ts";

const TURNS = 2_000;

it("two processes that add bots for one owner don't exceed the owner's limit", async () => {
  const data = await mkdtemp(join(tmpdir(), "bout-lock-"));
  const stores = await Promise.all([openStore({ data }), openStore({ data })]);
  const pendingAdds = Array.from({ length: 50 }, (_, number) =>
    stores[number % 2]!.bots.add(sampleBot(number, { owner: "Zoe" }), `h${number}`, 1),
  );
  const outcomes = await Promise.all(pendingAdds);
  assert.equal(outcomes.filter((outcome) => outcome === "added").length, 1);
  for (const store of stores) await store.close();
  await rm(data, { recursive: true });
});

it("T41 the event loop and reads continue while another connection locks the file", async () => {
  const data = await mkdtemp(join(tmpdir(), "bout-lock-"));
  const store = await openStore({ data });
  await addSamplePlayers(store, 2);
  const backup = new DatabaseSync(join(data, "bout.db"));
  backup.exec("begin immediate");
  let saved = false;
  const saving = store.matches.save(sampleMatch(1)).then(() => (saved = true));
  for (let attempt = 0; attempt < TURNS; attempt++) await turnOfTheLoop();
  for (let read = 0; read < 50; read++)
    assert.equal((await store.bots.byName("bot-1"))?.id, sampleId("bot", 1));
  assert.equal(saved, false);
  assert.equal(await store.matches.byId(sampleId("match", 1)), null);
  backup.exec("rollback");
  backup.close();
  await saving;
  assert.equal((await store.matches.byId(sampleId("match", 1)))?.id, sampleId("match", 1));
  await store.close();
  await rm(data, { recursive: true });
});
