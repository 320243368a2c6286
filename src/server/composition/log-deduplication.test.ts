import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";

import { openRepeatedLines } from "./log-deduplication.ts";
import { openLog } from "./server-log.ts";

type Line = { level: number; fields: object; text: string };

function repeatedLinesFixture() {
  const counts: Line[] = [];
  const timers = new Set<() => void>();
  const after = (_ms: number, callback: () => void) => {
    timers.add(callback);
    return () => timers.delete(callback);
  };
  const lines = openRepeatedLines(
    (level, fields, text) => void counts.push({ level, fields, text }),
    after,
  );
  const passMinute = () => {
    const dueTimers = [...timers];
    timers.clear();
    for (const callback of dueTimers) callback();
  };
  const log = (fields: object, text = "could not store match result; retrying") =>
    lines.shouldLog(50, fields, text);
  return { ...lines, log, counts, timers, passMinute };
}

const diskFullError = () => new StoreError("full", "database or disk is full");

describe("T101 a repeated log line", () => {
  it("is logged once and then counted every minute until it stops", () => {
    const { log, counts, timers, passMinute } = repeatedLinesFixture();
    assert.equal(log({ matchId: "a", error: diskFullError() }), true);
    for (let again = 0; again < 5; again += 1)
      assert.equal(log({ matchId: `b${again}`, error: diskFullError() }), false);
    passMinute();
    const text = "could not store match result; retrying";
    assert.deepEqual(counts, [{ level: 50, fields: { error: "full", repeated: 5 }, text }]);
    log({ error: diskFullError() });
    passMinute();
    assert.deepEqual(counts[1]?.fields, { error: "full", repeated: 1 });
    passMinute();
    assert.equal(counts.length, 2);
    assert.equal(timers.size, 0);
    assert.equal(log({ error: diskFullError() }), true);
  });

  it("is identified by its text, error and reason", () => {
    const { log } = repeatedLinesFixture();
    assert.ok(log({ error: diskFullError() }));
    assert.ok(log({ error: diskFullError() }, "another text"));
    assert.ok(log({ error: new StoreError("unavailable", "no connection") }));
    assert.ok(log({ error: new TypeError("x is not a function") }));
    assert.ok(log({ error: new TypeError("y is not a function") }));
    assert.ok(log({ reason: "timeout" }));
    assert.ok(log({ reason: "disconnected" }));
  });

  it("uses bounded memory whatever the errors contain", () => {
    const { log, timers } = repeatedLinesFixture();
    for (let at = 0; at < 3_000; at += 1) log({ error: new Error(`file ${at}`) });
    assert.ok(timers.size <= 1_001, `${timers.size} lines are stored`);
  });

  it("has its pending count written when the log is flushed", () => {
    const { log, counts, timers, flush } = repeatedLinesFixture();
    for (let time = 0; time < 3; time += 1) log({ error: diskFullError() });
    flush();
    assert.deepEqual(counts[0]?.fields, { error: "full", repeated: 2 });
    assert.equal(timers.size, 0);
  });
});

it("T101 the server log collapses only warnings and errors", () => {
  const writtenLines: { msg: string; level: number; repeated?: number; error?: unknown }[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writtenLines.push(JSON.parse(chunk.toString()) as (typeof writtenLines)[number]);
      done();
    },
  });
  const { log, flush } = openLog("info", sink);
  for (let time = 0; time < 4; time += 1) {
    log.error({ error: diskFullError() }, "a fault");
    log.child({ part: "http" }).error({ error: diskFullError() }, "a fault");
    log.info({}, "news");
    log.fatal({}, "the end");
  }
  flush();
  const countOf = (text: string) => writtenLines.filter(({ msg }) => msg === text).length;
  assert.deepEqual(["a fault", "news", "the end"].map(countOf), [2, 4, 4]);
  assert.deepEqual(writtenLines.at(-1)?.repeated, 7);
});
