import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { answer, ending, playing, ticksOf, toldTo } from "#testing/fixtures/match-script.ts";

const TIMED = { mode: "human", deadlines: { tick_ms: 500, reconnect_ms: 0 } } as const;

const turnsIn = (script: ReturnType<typeof playing>) =>
  ticksOf(script.match).map(({ turns }) => turns);

suite("a tick of a person's fight", () => {
  test("lasts its whole time, whoever has decided", () => {
    const script = playing(TIMED);
    answer(script, 0);
    answer(script, 1);
    script.wait(499.999);
    assert.equal(script.match.tick, 0);
    script.wait(0.001);
    assert.equal(script.match.tick, 1);
  });

  test("takes the last turn before its end, and empty turns where nothing came", () => {
    const script = playing(TIMED);
    script.say(0, { type: "turn", tick: 0, attack: { name: "repulse" } });
    script.wait(100);
    script.say(0, { type: "turn", tick: 0, attack: { name: "strike", target: "n" } });
    script.say(0, { type: "ready" });
    script.wait(400);
    script.say(0, { type: "turn", tick: 0, attack: { name: "repulse" } });
    script.wait(500);
    assert.deepEqual(turnsIn(script), [
      [{ attack: { name: "strike", target: "n" } }, {}],
      [{}, {}],
    ]);
  });

  test("in which something wrong came last is idle, and one turn later all is well", () => {
    const script = playing(TIMED);
    script.say(0, { type: "turn", tick: 0 });
    script.say(0, "{");
    script.wait(500);
    script.say(0, null);
    script.wait(500);
    script.say(0, "{");
    script.say(0, { type: "turn", tick: 2 });
    script.wait(500);
    assert.deepEqual(turnsIn(script), [
      [{ idle: "malformed_json" }, {}],
      [{ idle: "schema" }, {}],
      [{}, {}],
    ]);
  });

  test("starts anew after a stall of the server", () => {
    const script = playing(TIMED);
    script.wait(300);
    script.stall(5000);
    script.wait(499);
    assert.equal(script.match.tick, 0);
    script.wait(1);
    assert.equal(script.match.tick, 1);
  });
});

test("a person who says nothing at all is never disqualified", () => {
  const script = playing(TIMED);
  script.wait(500 * 20);
  assert.equal(script.match.tick, 20);
  assert.equal(script.overs(), 0);
});

test("whoever is gone has given up at once, and the end says what it was", () => {
  const script = playing(TIMED);
  assert.equal(toldTo(script, 0)[0]?.mode, "human");
  script.drop(0);
  script.wait(1);
  assert.equal(ending(script), "B by forfeit at 0");
});
