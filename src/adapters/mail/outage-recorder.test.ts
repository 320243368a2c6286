import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { openOutageRecorder } from "./outage-recorder.ts";

function recorder(changes: { store?: ReturnType<typeof memoryStore> } = {}) {
  const { store = memoryStore() } = changes;
  const clock = fakeClock();
  const log: string[] = [];
  let ids = 0;
  const newId = () => `01900000-0000-7000-8000-${String(++ids).padStart(12, "0")}`;
  const recordLog = (_: object, message: string) => void log.push(message);
  const outageRecorder = openOutageRecorder({
    store,
    clock,
    newId,
    log: { info: recordLog, error: recordLog },
  });
  const incidents = async () =>
    (await store.incidents.list(9)).map(({ scope, cause, resolved }) => [
      scope,
      cause,
      resolved === null ? "open" : "resolved",
    ]);
  return { ...outageRecorder, store, clock, log, incidents };
}

const runTurns = async () => {
  for (let turn = 0; turn < 9; turn += 1) await turnOfTheLoop();
};

it("opens one incident for an outage and resolves it on recovery", async () => {
  const { onOutage, onRecovery, store, log, incidents } = recorder();
  for (let failure = 0; failure < 5; failure += 1) {
    onOutage("many_failures");
    await runTurns();
  }
  assert.deepEqual(await incidents(), [["transactional", "many_failures", "open"]]);
  onRecovery();
  await runTurns();
  assert.deepEqual(await incidents(), [["transactional", "many_failures", "resolved"]]);
  assert.deepEqual(log, [
    "transactional email is down: people can't sign up",
    "transactional email works again",
  ]);
  const entries = await store.audit.list({ kind: ["mail.incident", "mail.resolved"], limit: 9 });
  assert.deepEqual(
    entries.map(({ kind, actor, reason }) => [kind, actor.kind, reason]),
    [
      ["mail.resolved", "system", "the mail server accepted an email"],
      ["mail.incident", "system", null],
    ],
  );
});

it("reopens an incident that an operator resolved during the outage", async () => {
  const { onOutage, store, incidents } = recorder();
  onOutage("many_failures");
  await runTurns();
  const [first] = await store.audit.list({ kind: ["mail.incident"], limit: 1 });
  const end = { ...first!, id: "01900000-0000-7000-8000-0000000000ff", kind: "mail.resolved" };
  await store.incidents.resolve("transactional", "grace", end as typeof first & object);
  onOutage("many_failures");
  await runTurns();
  assert.deepEqual((await incidents()).map(([, , state]) => state).toSorted(), [
    "open",
    "resolved",
  ]);
});

it("records the latest state once the store responds again", async () => {
  const store = memoryStore();
  const { open } = store.incidents;
  let isStoreDown = true;
  store.incidents.open = async (...args) => {
    if (isStoreDown) throw new Error("store unreachable");
    return open(...args);
  };
  const { onOutage, clock, log, incidents } = recorder({ store });
  onOutage("many_failures");
  await runTurns();
  assert.deepEqual(await incidents(), []);
  onOutage("login_refused");
  isStoreDown = false;
  clock.advance(5000);
  await runTurns();
  assert.deepEqual(await incidents(), [["transactional", "login_refused", "open"]]);
  assert.equal(log[0], "could not record the state of transactional email; will retry");
});

it("can be stopped while the store is unreachable", async () => {
  const store = memoryStore();
  store.incidents.open = async () => {
    throw new Error("store unreachable");
  };
  const { onOutage, stop, clock } = recorder({ store });
  onOutage("many_failures");
  await runTurns();
  await stop();
  assert.equal(clock.armedTimers(), 0);
});
