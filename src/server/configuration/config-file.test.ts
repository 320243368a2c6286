import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";

import type { NewEvent } from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { Store } from "#data/store/store.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { addConfigured, checkConfig, readConfig } from "./config-file.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const FOLDER = temporaryFolder();

const CUP = { id: "cup", name: "Cup" };
const example = async () =>
  JSON.parse(await readFile(EXAMPLE, "utf8")) as { ladders: object[]; events: NewEvent[] };

const WORDS = { WORD: "open sesame", SHORT: "sesame" };

describe("a configuration file", () => {
  it("is right as the example is, with the four house bots and five goals", async () => {
    const config = await checkConfig(EXAMPLE, {});
    assert.ok(!("faults" in config), JSON.stringify(config));
    const [{ ladder, password }] = config.ladders as [(typeof config.ladders)[number]];
    assert.deepEqual(
      [ladder.id, ladder.opensAt, ladder.house, password],
      ["evening", "2027-03-04T17:00:00.000Z", HOUSE_KINDS, null],
    );
    assert.deepEqual(
      config.events[0]?.conditions.map(({ condition }) => condition.kind),
      ["games", "defeat", "defeat", "defeat", "defeat"],
    );
  });

  it("stops a start with all its faults, and cannot be missing or something else", async () => {
    const path = join(FOLDER, "config.json");
    await writeFile(path, '{"ladders": [{"id": "cup"}], "event": []}');
    await assert.rejects(readConfig(path, {}), (error: Error) => {
      assert.equal(error.name, "UsageError");
      assert.ok(error.message.startsWith(`--config ${path} is not right:\n  `));
      assert.match(error.message, /\n {2}ladders\[0\]\.name is needed/);
      assert.match(error.message, /\n {2}event is not known here/);
      return true;
    });
    await writeFile(path, "{\n  oops");
    const place = /the file is not valid JSON: syntax error at line 2, column 3$/;
    await assert.rejects(readConfig(path, {}), place);
    await assert.rejects(readConfig(join(FOLDER, "none"), {}), /cannot be read \(ENOENT\)/);
    assert.deepEqual(await readConfig(null, {}), { ladders: [], events: [] });
  });

  it("may start with a byte order mark", async () => {
    const path = join(FOLDER, "marked.json");
    await writeFile(path, '\ufeff{"ladders": []}');
    assert.deepEqual(await readConfig(path, {}), { ladders: [], events: [] });
  });

  /** Adds what the file has to a store, as a start does. */
  const adding = (store: Store, words = {}) => {
    let ids = 0;
    const deps = {
      store,
      hash: async (password: string) => `hash of ${password}`,
      newId: () => `id-${(ids += 1)}`,
      now: () => new Date(0),
    };
    return async (path: string) => addConfigured(deps, await readConfig(path, words));
  };

  it("makes the ladders that are not there, once, and leaves the others alone", async () => {
    const path = join(FOLDER, "ladders.json");
    const locked = { ...CUP, id: "dusk", access: "password", password_env: "WORD" };
    await writeFile(path, JSON.stringify({ ladders: [CUP, locked] }));
    const store = memoryStore();
    const add = adding(store, WORDS);
    await add(path);
    assert.equal(await store.ladders.passwordHash("dusk"), "hash of open sesame");
    const [note] = await store.audit.list({ kind: "ladder.created", limit: 9 });
    await store.ladders.change("cup", { name: "Night" }, { ...note!, id: "other" });
    await add(path);
    const kept = await store.ladders.list();
    assert.deepEqual(
      kept.map(({ name, passwordSet }) => [name, passwordSet]),
      [
        ["Night", false],
        ["Cup", true],
      ],
    );
  });

  it("makes the events that are not there, once, disabled and with what it approves", async () => {
    const store = memoryStore();
    const add = adding(store);
    await add(EXAMPLE);
    const [event] = await store.events.list();
    assert.deepEqual(
      [event?.id, event?.ladderId, event?.enabled, event?.approved.kiter, event?.opensAt],
      ["evening-goals", "evening", false, "v1", "2027-03-04T17:00:00.000Z"],
    );
    const [note] = await store.audit.list({ kind: "event.created", limit: 9 });
    assert.deepEqual(note?.subject, {
      kind: "event",
      id: "evening-goals",
      name: "Five goals for an evening",
    });
    const changed = { ...note!, id: "other", kind: "event.changed" } as const;
    await store.events.change("evening-goals", { name: "Goals" }, changed);
    await add(EXAMPLE);
    assert.deepEqual(
      (await store.events.list()).map(({ name }) => name),
      ["Goals"],
    );
    assert.equal((await store.audit.list({ kind: "event.created", limit: 9 })).length, 1);
  });

  it("adds nothing where an event does not suit the database", async () => {
    const path = join(FOLDER, "clash.json");
    const { ladders, events } = await example();
    const [event] = events as [NewEvent];
    const store = memoryStore();
    const add = adding(store);
    await add(EXAMPLE);
    const [note] = await store.audit.list({ kind: "event.created", limit: 1 });
    const short = { closesAt: "2027-03-04T19:00:00.000Z" };
    await store.ladders.change("evening", short, { ...note!, id: "other" });
    const late = { ...event, id: "late" };
    await writeFile(path, JSON.stringify({ ladders: [...ladders, CUP], events: [event, late] }));
    await assert.rejects(add(path), (error: Error) => {
      assert.equal(error.name, "UsageError");
      assert.match(error.message, /\n {2}events\[1\]\.closes_at must be after opens_at, and both/);
      assert.doesNotMatch(error.message, /events\[0\]/);
      return true;
    });
    assert.deepEqual(
      (await store.ladders.list()).map(({ id }) => id),
      ["evening"],
    );
    assert.equal((await store.events.list()).length, 1);
  });
});
