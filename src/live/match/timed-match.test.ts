import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  sendTurn,
  describeMatchEnd,
  playingScript,
  recordedTicks,
  messagesTo,
} from "#testing/fixtures/match-script.ts";

const TIMED = { mode: "human", deadlines: { tick_ms: 500, reconnect_ms: 0 } } as const;

const turnsIn = (script: ReturnType<typeof playingScript>) =>
  recordedTicks(script.match).map(({ turns }) => turns);

suite("a tick of a human match", () => {
  test("lasts its full time even if both fighters have decided", () => {
    const script = playingScript(TIMED);
    sendTurn(script, 0);
    sendTurn(script, 1);
    script.advanceTime(499.999);
    assert.equal(script.match.tick, 0);
    script.advanceTime(0.001);
    assert.equal(script.match.tick, 1);
  });

  test("uses the last turn before it ends, or an empty turn", () => {
    const script = playingScript(TIMED);
    script.receive(0, { type: "turn", tick: 0, attack: { name: "repulse" } });
    script.advanceTime(100);
    script.receive(0, { type: "turn", tick: 0, attack: { name: "strike", target: "n" } });
    script.receive(0, { type: "ready" });
    script.advanceTime(400);
    script.receive(0, { type: "turn", tick: 0, attack: { name: "repulse" } });
    script.advanceTime(500);
    assert.deepEqual(turnsIn(script), [
      [{ attack: { name: "strike", target: "n" } }, {}],
      [{}, {}],
    ]);
  });

  test("is idle if the last message is invalid, and the next turn counts normally", () => {
    const script = playingScript(TIMED);
    script.receive(0, { type: "turn", tick: 0 });
    script.receive(0, "{");
    script.advanceTime(500);
    script.receive(0, null);
    script.advanceTime(500);
    script.receive(0, "{");
    script.receive(0, { type: "turn", tick: 2 });
    script.advanceTime(500);
    assert.deepEqual(turnsIn(script), [
      [{ idle: "malformed_json" }, {}],
      [{ idle: "schema" }, {}],
      [{}, {}],
    ]);
  });

  test("restarts after a server stall", () => {
    const script = playingScript(TIMED);
    script.advanceTime(300);
    script.stallProcess(5000);
    script.advanceTime(499);
    assert.equal(script.match.tick, 0);
    script.advanceTime(1);
    assert.equal(script.match.tick, 1);
  });
});

test("never disqualifies a silent player", () => {
  const script = playingScript(TIMED);
  script.advanceTime(500 * 20);
  assert.equal(script.match.tick, 20);
  assert.equal(script.endReports(), 0);
});

test("forfeits immediately when the player leaves", () => {
  const script = playingScript(TIMED);
  assert.equal(messagesTo(script, 0)[0]?.mode, "human");
  script.dropConnection(0);
  script.advanceTime(1);
  assert.equal(describeMatchEnd(script), "B by forfeit at 0");
});
