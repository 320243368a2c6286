import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";

import type { NewEvent } from "#core/api/event.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { Store } from "#data/store/store.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { addConfigured, checkConfig, readConfig } from "./config-file.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const FOLDER = temporaryTestFolder();

const CUP = { id: "cup", name: "Cup" };
const example = async () =>
  JSON.parse(await readFile(EXAMPLE, "utf8")) as { ladders: object[]; events: NewEvent[] };

const PASSWORDS = { WORD: "open sesame", SHORT: "sesame" };

describe("a configuration file", () => {
  it("accepts the example with its four house bots and five achievements", async () => {
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

  it("reports all issues of an invalid, missing or non-JSON file at startup", async () => {
    const path = join(FOLDER, "config.json");
    await writeFile(path, '{"ladders": [{"id": "cup"}], "event": []}');
    await assert.rejects(readConfig(path, {}), (error: Error) => {
      assert.equal(error.name, "UsageError");
      assert.ok(error.message.startsWith(`--config ${path} is invalid:\n  `));
      assert.match(error.message, /\n {2}ladders\[0\]\.name is required/);
      assert.match(error.message, /\n {2}event is unknown/);
      return true;
    });
    await writeFile(path, "{\n  oops");
    const syntaxError = /the file is not valid JSON: syntax error at line 2, column 3$/;
    await assert.rejects(readConfig(path, {}), syntaxError);
    await assert.rejects(readConfig(join(FOLDER, "none"), {}), /cannot be read \(ENOENT\)/);
    assert.deepEqual(await readConfig(null, {}), { ladders: [], events: [] });
  });

  it("may start with a byte order mark", async () => {
    const path = join(FOLDER, "marked.json");
    await writeFile(path, '\ufeff{"ladders": []}');
    assert.deepEqual(await readConfig(path, {}), { ladders: [], events: [] });
  });

  const configAdder = (store: Store, environment = {}) => {
    let ids = 0;
    const deps = {
      store,
      hash: async (password: string) => `hash of ${password}`,
      newId: () => `id-${(ids += 1)}`,
      now: () => new Date(0),
    };
    return async (path: string) => addConfigured(deps, await readConfig(path, environment));
  };

  it("creates missing ladders once and doesn't change existing ladders", async () => {
    const path = join(FOLDER, "ladders.json");
    const passwordLadder = { ...CUP, id: "dusk", access: "password", password_env: "WORD" };
    await writeFile(path, JSON.stringify({ ladders: [CUP, passwordLadder] }));
    const store = memoryStore();
    const add = configAdder(store, PASSWORDS);
    await add(path);
    assert.equal(await store.ladders.passwordHash("dusk"), "hash of open sesame");
    const [auditEntry] = await store.audit.list({ kind: "ladder.created", limit: 9 });
    await store.ladders.change("cup", { name: "Night" }, { ...auditEntry!, id: "other" });
    await add(path);
    const storedLadders = await store.ladders.list();
    assert.deepEqual(
      storedLadders.map(({ name, passwordSet }) => [name, passwordSet]),
      [
        ["Night", false],
        ["Cup", true],
      ],
    );
  });

  it("creates missing events once, disabled and with their approved versions", async () => {
    const store = memoryStore();
    const add = configAdder(store);
    await add(EXAMPLE);
    const [event] = await store.events.list();
    assert.deepEqual(
      [event?.id, event?.ladderId, event?.enabled, event?.approved.kiter, event?.opensAt],
      ["evening-goals", "evening", false, "v1", "2027-03-04T17:00:00.000Z"],
    );
    const [auditEntry] = await store.audit.list({ kind: "event.created", limit: 9 });
    assert.deepEqual(auditEntry?.subject, {
      kind: "event",
      id: "evening-goals",
      name: "Five goals for an evening",
    });
    const changedEntry = { ...auditEntry!, id: "other", kind: "event.changed" } as const;
    await store.events.change("evening-goals", { name: "Goals" }, changedEntry);
    await add(EXAMPLE);
    assert.deepEqual(
      (await store.events.list()).map(({ name }) => name),
      ["Goals"],
    );
    assert.equal((await store.audit.list({ kind: "event.created", limit: 9 })).length, 1);
  });

  it("adds nothing if an event conflicts with the database", async () => {
    const path = join(FOLDER, "clash.json");
    const { ladders, events } = await example();
    const [event] = events as [NewEvent];
    const store = memoryStore();
    const add = configAdder(store);
    await add(EXAMPLE);
    const [auditEntry] = await store.audit.list({ kind: "event.created", limit: 1 });
    const shorterWindow = { closesAt: "2027-03-04T19:00:00.000Z" };
    await store.ladders.change("evening", shorterWindow, { ...auditEntry!, id: "other" });
    const lateEvent = { ...event, id: "late" };
    await writeFile(
      path,
      JSON.stringify({ ladders: [...ladders, CUP], events: [event, lateEvent] }),
    );
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
