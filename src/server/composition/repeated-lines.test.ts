import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";

import { openLog } from "./log.ts";
import { openRepeatedLines } from "./repeated-lines.ts";

type Line = { level: number; fields: object; text: string };

function world() {
  const counts: Line[] = [];
  const timers = new Set<() => void>();
  const after = (_ms: number, call: () => void) => {
    timers.add(call);
    return () => timers.delete(call);
  };
  const lines = openRepeatedLines(
    (level, fields, text) => void counts.push({ level, fields, text }),
    after,
  );
  const passMinute = () => {
    const due = [...timers];
    timers.clear();
    for (const call of due) call();
  };
  const log = (fields: object, text = "a result waits for the store") =>
    lines.isNew(50, fields, text);
  return { ...lines, log, counts, timers, passMinute };
}

const full = () => new StoreError("full", "database or disk is full");

describe("T101 a repeated log line", () => {
  it("is logged once, and then as one count a minute until it no longer happens", () => {
    const { log, counts, timers, passMinute } = world();
    assert.equal(log({ matchId: "a", error: full() }), true);
    for (let again = 0; again < 5; again += 1)
      assert.equal(log({ matchId: `b${again}`, error: full() }), false);
    passMinute();
    const text = "a result waits for the store";
    assert.deepEqual(counts, [{ level: 50, fields: { error: "full", repeated: 5 }, text }]);
    log({ error: full() });
    passMinute();
    assert.deepEqual(counts[1]?.fields, { error: "full", repeated: 1 });
    passMinute();
    assert.equal(counts.length, 2);
    assert.equal(timers.size, 0);
    assert.equal(log({ error: full() }), true);
  });

  it("differs from others by its text, its error and its reason", () => {
    const { log } = world();
    assert.ok(log({ error: full() }));
    assert.ok(log({ error: full() }, "another text"));
    assert.ok(log({ error: new StoreError("unavailable", "no connection") }));
    assert.ok(log({ error: new TypeError("x is not a function") }));
    assert.ok(log({ error: new TypeError("y is not a function") }));
    assert.ok(log({ reason: "timeout" }));
    assert.ok(log({ reason: "disconnected" }));
  });

  it("takes a bounded amount of memory, whatever the errors say", () => {
    const { log, timers } = world();
    for (let at = 0; at < 3_000; at += 1) log({ error: new Error(`file ${at}`) });
    assert.ok(timers.size <= 1_001, `${timers.size} lines are remembered`);
  });

  it("is counted a last time when the log is flushed", () => {
    const { log, counts, timers, flush } = world();
    for (let time = 0; time < 3; time += 1) log({ error: full() });
    flush();
    assert.deepEqual(counts[0]?.fields, { error: "full", repeated: 2 });
    assert.equal(timers.size, 0);
  });
});

it("T101 the log of a server collapses warnings and errors, and keeps the rest", () => {
  const written: { msg: string; level: number; repeated?: number; error?: unknown }[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(JSON.parse(chunk.toString()) as (typeof written)[number]);
      done();
    },
  });
  const { log, flush } = openLog("info", sink);
  for (let time = 0; time < 4; time += 1) {
    log.error({ error: full() }, "a fault");
    log.child({ part: "http" }).error({ error: full() }, "a fault");
    log.info({}, "news");
    log.fatal({}, "the end");
  }
  flush();
  const times = (text: string) => written.filter(({ msg }) => msg === text).length;
  assert.deepEqual(["a fault", "news", "the end"].map(times), [2, 4, 4]);
  assert.deepEqual(written.at(-1)?.repeated, 7);
});
