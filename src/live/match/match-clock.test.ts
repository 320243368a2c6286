import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  answer,
  ending,
  lastSeen,
  openScript,
  playing,
  ticksOf,
  toldTo,
  verifiedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript } from "#testing/fixtures/match-script.ts";

/** What is recorded of A at that tick: its reply time and its budget, in ms. */
function clockOf({ match }: MatchScript, tick: number): [number | null, number] {
  const { reply_ms, budget_ms } = ticksOf(match)[tick]!;
  return [reply_ms[0]!, budget_ms[0]!];
}

/** What A is told about its clock. */
function toldClock(script: MatchScript): [unknown, unknown] {
  const { last_reply_ms, budget_ms } = lastSeen(script, 0);
  return [last_reply_ms, budget_ms];
}

suite("the charge of a tick", () => {
  test("is the whole microseconds from the write to the deciding frame, valid or not", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    assert.deepEqual(toldClock(script), [null, 10_000]);
    script.wait(250.499);
    answer(script, 0);
    answer(script, 1);
    assert.deepEqual(clockOf(script, 0), [250.499, 9749.501]);
    assert.deepEqual(toldClock(script), [250, 9749]);
    script.wait(0.5);
    script.say(0, "{");
    answer(script, 1);
    assert.deepEqual(clockOf(script, 1), [0.5, 9749.001]);
    assert.deepEqual(toldClock(script), [1, 9749]);
  });

  test("counts from each fighter's own write", () => {
    const script = playing({ writeUs: 300 });
    script.wait(10);
    answer(script, 0);
    answer(script, 1);
    const { reply_ms } = ticksOf(script.match)[0]!;
    assert.deepEqual(reply_ms, [10.3, 10]);
  });

  test("of a timeout runs from the write to the deadline, which runs from the opening", () => {
    const script = playing({ writeUs: 300, deadlines: { budget_ms: 10_000 } });
    script.wait(1000);
    assert.equal(script.match.tick, 1);
    const [first, second] = ticksOf(script.match)[0]!.budget_ms;
    assert.deepEqual(clockOf(script, 0), [null, first]);
    assert.equal(first, 10_000 - 999.7);
    assert.equal(second, 10_000 - 999.4);
    assert.deepEqual(toldClock(script), [1000, 9000]);
  });

  test("is nothing for a fighter that is away when the tick closes", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(400);
    script.drop(0);
    answer(script, 1);
    script.wait(600);
    assert.deepEqual(clockOf(script, 0), [null, 10_000]);
    assert.deepEqual(ticksOf(script.match)[0]!.turns[0], { idle: "disconnected" });
    script.attach(0);
    assert.deepEqual(toldClock(script), [null, 10_000]);
    const event = (lastSeen(script, 0).events as { reason: string }[])[0]!;
    assert.equal(event.reason, "disconnected");
  });

  test("stands for a turn that was given before the connection went", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(120);
    answer(script, 0, { move: "n" });
    script.drop(0);
    answer(script, 1);
    assert.deepEqual(clockOf(script, 0), [120, 9880]);
    assert.deepEqual(ticksOf(script.match)[0]!.turns[0], { move: "n" });
  });

  test("does not restart when the observation is written to a new connection", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(300);
    script.attach(0);
    script.wait(300);
    script.drop(0);
    script.wait(100);
    script.attach(0);
    script.wait(100);
    answer(script, 0);
    answer(script, 1);
    assert.deepEqual(clockOf(script, 0), [800, 9200]);
  });

  test("begins with the first write for a fighter that comes back within the tick", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.drop(0);
    answer(script, 1);
    script.wait(1000);
    answer(script, 1);
    script.wait(700);
    script.attach(0);
    script.wait(50);
    answer(script, 0);
    assert.deepEqual(clockOf(script, 1), [50, 9950]);
  });

  test("of a timeout on a new connection ends at the deadline of the old one", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(900);
    script.attach(0);
    answer(script, 1);
    script.wait(100);
    assert.equal(script.match.tick, 1);
    assert.deepEqual(clockOf(script, 0), [null, 9000]);
  });
});

suite("the budget", () => {
  test("that is short or used up is named in the time-out", () => {
    const script = playing({ deadlines: { budget_ms: 1500 } });
    const texts: unknown[] = [];
    while (texts.length < 3) {
      answer(script, 1);
      script.wait(1000);
      const first = (lastSeen(script, 0).events as { message: string }[])[0]!;
      texts.push(first.message);
    }
    assert.deepEqual(texts, [
      "No turn within 1000 ms.",
      "No turn within the 500 ms that were left of the budget.",
      "No turn: the match's budget of response time is used up.",
    ]);
  });

  test("is a fighter's deadline when it is shorter than the tick, not its opponent's", () => {
    const script = playing({ deadlines: { budget_ms: 1500 } });
    answer(script, 1);
    script.wait(1000);
    assert.equal(script.match.tick, 1);
    answer(script, 1);
    script.wait(499.999);
    assert.equal(script.match.tick, 1);
    script.wait(0.001);
    assert.equal(script.match.tick, 2);
    assert.deepEqual(clockOf(script, 1), [null, 0]);
    assert.equal(ticksOf(script.match)[1]!.budget_ms[1], 1500);
  });

  test("that is spent makes every tick a timeout at once, as soon as the opponent has decided", () => {
    const script = playing({ deadlines: { budget_ms: 1000 } });
    answer(script, 1);
    script.wait(1000);
    assert.deepEqual(toldClock(script), [1000, 0]);
    answer(script, 0, { move: "n" });
    answer(script, 1);
    script.wait(0);
    assert.equal(script.now(), 1_000_000);
    assert.equal(script.match.tick, 2);
    assert.deepEqual(ticksOf(script.match)[1]!.turns[0], { idle: "timeout" });
    assert.deepEqual(clockOf(script, 1), [null, 0]);
  });

  test("of both spent ends the match at once, ten ticks later", () => {
    const script = playing({ deadlines: { budget_ms: 1000 } });
    script.wait(1000);
    assert.equal(script.now(), 1_000_000);
    assert.match(ending(script), /by disqualification at 10$/);
    verifiedReplay(script);
  });

  test("never grows and is never overdrawn, whatever a fighter does", () => {
    const script = playing({ deadlines: { budget_ms: 20_000, tick_ms: 700 } });
    let left = 20_000;
    const waits = [100, 699.999, 700, 0, 350.5, 1000];
    for (let round = 0; round < 60 && script.match.phase.name === "playing"; round += 1) {
      script.wait(waits[round % waits.length]!);
      if (round % 5 === 0) script.attach(0);
      answer(script, 0);
      answer(script, 1);
      const budget = ticksOf(script.match).at(-1)?.budget_ms[0] ?? left;
      assert.ok(budget <= left && budget >= 0);
      left = budget;
    }
    assert.ok(left < 20_000);
  });

  test("is told rounded down, the charge to the nearest millisecond", () => {
    const script = playing({ deadlines: { budget_ms: 1000, tick_ms: 500 } });
    const cases = [
      [0.499, [0, 999]],
      [0.5, [1, 999]],
      [1.001, [1, 998]],
      [7.499, [7, 990]],
    ] as const;
    for (const [ms, told] of cases) {
      script.wait(ms);
      answer(script, 0);
      answer(script, 1);
      assert.deepEqual(toldClock(script), told);
    }
  });
});

suite("a stall of the server", () => {
  test("restarts deadline and charge of the open tick", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(900);
    script.stall(12_000);
    assert.equal(script.match.tick, 0);
    script.wait(30);
    answer(script, 0);
    answer(script, 1);
    assert.deepEqual(clockOf(script, 0), [30, 9970]);
  });

  test("gives the whole tick again", () => {
    const script = playing();
    script.stall(5000);
    script.wait(999.999);
    assert.equal(script.match.tick, 0);
    script.wait(0.001);
    assert.equal(script.match.tick, 1);
  });

  test("leaves a decision and its charge as they are", () => {
    const script = playing({ deadlines: { budget_ms: 10_000 } });
    script.wait(20);
    answer(script, 0);
    script.stall(3000);
    answer(script, 1);
    assert.deepEqual(clockOf(script, 0), [20, 9980]);
  });

  test("never makes ten failed ticks", () => {
    const script = playing();
    for (let round = 0; round < 20; round += 1) {
      script.stall(2000);
      answer(script, 0);
      answer(script, 1);
    }
    assert.equal(ending(script), "playing at 20");
    const idles = ticksOf(script.match).flatMap(({ turns }) => turns);
    assert.ok(idles.every((turn) => turn !== null && !("idle" in turn)));
  });

  test("extends the startup window by its length", () => {
    const script = openScript();
    script.wait(1000);
    script.stall(4000);
    script.wait(8_999.999);
    assert.equal(ending(script), "startup at 0");
    script.wait(0.001);
    assert.equal(ending(script), "void by forfeit at 0");
  });

  test("extends the grace of a fighter that is away", () => {
    const script = playing({ deadlines: { reconnect_ms: 3000, tick_ms: 10_000 } });
    script.drop(0);
    script.wait(2000);
    script.stall(5000);
    script.wait(999.999);
    assert.equal(ending(script), "playing at 0");
    script.wait(0.001);
    assert.equal(ending(script), "B by forfeit at 0");
  });
});

test("a whole match of slow bots adds up", () => {
  const script = playing({ writeUs: 17 });
  const draw = [3, 41, 5, 90, 0];
  while (script.match.phase.name === "playing") {
    script.wait(draw[script.match.tick % draw.length]! + 0.123);
    answer(script, 0);
    answer(script, 1);
  }
  const { ticks } = verifiedReplay(script);
  const spent = ticks.reduce((sum, tick) => sum + Math.round((tick.reply_ms[0] ?? 0) * 1000), 0);
  const left = Math.round(ticks.at(-1)!.budget_ms[0]! * 1000);
  assert.equal(spent + left, 300_000_000);
  assert.equal(toldTo(script, 0, "observation").length, ticks.length);
});
