import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  sendTurn,
  describeMatchEnd,
  lastObservation,
  createMatchScript,
  playingScript,
  recordedTicks,
  messagesTo,
  finishedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript } from "#testing/fixtures/match-script.ts";

/** Recorded reply time and remaining budget of A in a tick, in ms. */
function recordedClock({ match }: MatchScript, tick: number): [number | null, number] {
  const { reply_ms, budget_ms } = recordedTicks(match)[tick]!;
  return [reply_ms[0]!, budget_ms[0]!];
}

function observedClock(script: MatchScript): [unknown, unknown] {
  const { last_reply_ms, budget_ms } = lastObservation(script, 0);
  return [last_reply_ms, budget_ms];
}

suite("the charge for a tick", () => {
  test("is measured in µs from the write to the deciding frame, valid or not", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    assert.deepEqual(observedClock(script), [null, 10_000]);
    script.advanceTime(250.499);
    sendTurn(script, 0);
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 0), [250.499, 9749.501]);
    assert.deepEqual(observedClock(script), [250, 9749]);
    script.advanceTime(0.5);
    script.receive(0, "{");
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 1), [0.5, 9749.001]);
    assert.deepEqual(observedClock(script), [1, 9749]);
  });

  test("is measured from each fighter's own write", () => {
    const script = playingScript({ writeUs: 300 });
    script.advanceTime(10);
    sendTurn(script, 0);
    sendTurn(script, 1);
    const { reply_ms } = recordedTicks(script.match)[0]!;
    assert.deepEqual(reply_ms, [10.3, 10]);
  });

  test("for a timeout is measured from the write to the deadline, which depends on when the tick opened", () => {
    const script = playingScript({ writeUs: 300, deadlines: { budget_ms: 10_000 } });
    script.advanceTime(1000);
    assert.equal(script.match.tick, 1);
    const [first, second] = recordedTicks(script.match)[0]!.budget_ms;
    assert.deepEqual(recordedClock(script, 0), [null, first]);
    assert.equal(first, 10_000 - 999.7);
    assert.equal(second, 10_000 - 999.4);
    assert.deepEqual(observedClock(script), [1000, 9000]);
  });

  test("is zero for a fighter that is disconnected when the tick closes", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(400);
    script.dropConnection(0);
    sendTurn(script, 1);
    script.advanceTime(600);
    assert.deepEqual(recordedClock(script, 0), [null, 10_000]);
    assert.deepEqual(recordedTicks(script.match)[0]!.turns[0], { idle: "disconnected" });
    script.attachConnection(0);
    assert.deepEqual(observedClock(script), [null, 10_000]);
    const event = (lastObservation(script, 0).events as { reason: string }[])[0]!;
    assert.equal(event.reason, "disconnected");
  });

  test("includes a turn received before the connection dropped", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(120);
    sendTurn(script, 0, { move: "n" });
    script.dropConnection(0);
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 0), [120, 9880]);
    assert.deepEqual(recordedTicks(script.match)[0]!.turns[0], { move: "n" });
  });

  test("keeps counting when the observation is written again to a new connection", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(300);
    script.attachConnection(0);
    script.advanceTime(300);
    script.dropConnection(0);
    script.advanceTime(100);
    script.attachConnection(0);
    script.advanceTime(100);
    sendTurn(script, 0);
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 0), [800, 9200]);
  });

  test("starts at the first write to a fighter that reconnects during the tick", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.dropConnection(0);
    sendTurn(script, 1);
    script.advanceTime(1000);
    sendTurn(script, 1);
    script.advanceTime(700);
    script.attachConnection(0);
    script.advanceTime(50);
    sendTurn(script, 0);
    assert.deepEqual(recordedClock(script, 1), [50, 9950]);
  });

  test("for a timeout on a new connection ends at the original deadline", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(900);
    script.attachConnection(0);
    sendTurn(script, 1);
    script.advanceTime(100);
    assert.equal(script.match.tick, 1);
    assert.deepEqual(recordedClock(script, 0), [null, 9000]);
  });
});

suite("the response time budget", () => {
  test("appears in the timeout message when it is shorter than a tick or used up", () => {
    const script = playingScript({ deadlines: { budget_ms: 1500 } });
    const texts: unknown[] = [];
    while (texts.length < 3) {
      sendTurn(script, 1);
      script.advanceTime(1000);
      const first = (lastObservation(script, 0).events as { message: string }[])[0]!;
      texts.push(first.message);
    }
    assert.deepEqual(texts, [
      "No turn within 1000 ms.",
      "No turn within the remaining budget of 500 ms.",
      "No turn: the response time budget of this match is used up.",
    ]);
  });

  test("shortens a fighter's own deadline but not its opponent's", () => {
    const script = playingScript({ deadlines: { budget_ms: 1500 } });
    sendTurn(script, 1);
    script.advanceTime(1000);
    assert.equal(script.match.tick, 1);
    sendTurn(script, 1);
    script.advanceTime(499.999);
    assert.equal(script.match.tick, 1);
    script.advanceTime(0.001);
    assert.equal(script.match.tick, 2);
    assert.deepEqual(recordedClock(script, 1), [null, 0]);
    assert.equal(recordedTicks(script.match)[1]!.budget_ms[1], 1500);
  });

  test("makes every tick time out as soon as the opponent has decided, once it is used up", () => {
    const script = playingScript({ deadlines: { budget_ms: 1000 } });
    sendTurn(script, 1);
    script.advanceTime(1000);
    assert.deepEqual(observedClock(script), [1000, 0]);
    sendTurn(script, 0, { move: "n" });
    sendTurn(script, 1);
    script.advanceTime(0);
    assert.equal(script.now(), 1_000_000);
    assert.equal(script.match.tick, 2);
    assert.deepEqual(recordedTicks(script.match)[1]!.turns[0], { idle: "timeout" });
    assert.deepEqual(recordedClock(script, 1), [null, 0]);
  });

  test("ends the match ten ticks later without delay when both budgets are used up", () => {
    const script = playingScript({ deadlines: { budget_ms: 1000 } });
    script.advanceTime(1000);
    assert.equal(script.now(), 1_000_000);
    assert.match(describeMatchEnd(script), /by disqualification at 10$/);
    finishedReplay(script);
  });

  test("never increases and never drops below zero", () => {
    const script = playingScript({ deadlines: { budget_ms: 20_000, tick_ms: 700 } });
    let remaining = 20_000;
    const delays = [100, 699.999, 700, 0, 350.5, 1000];
    for (let round = 0; round < 60 && script.match.phase.name === "playing"; round += 1) {
      script.advanceTime(delays[round % delays.length]!);
      if (round % 5 === 0) script.attachConnection(0);
      sendTurn(script, 0);
      sendTurn(script, 1);
      const budget = recordedTicks(script.match).at(-1)?.budget_ms[0] ?? remaining;
      assert.ok(budget <= remaining && budget >= 0);
      remaining = budget;
    }
    assert.ok(remaining < 20_000);
  });

  test("is rounded down, while the charge is rounded to the nearest millisecond", () => {
    const script = playingScript({ deadlines: { budget_ms: 1000, tick_ms: 500 } });
    const cases = [
      [0.499, [0, 999]],
      [0.5, [1, 999]],
      [1.001, [1, 998]],
      [7.499, [7, 990]],
    ] as const;
    for (const [ms, expectedClock] of cases) {
      script.advanceTime(ms);
      sendTurn(script, 0);
      sendTurn(script, 1);
      assert.deepEqual(observedClock(script), expectedClock);
    }
  });
});

suite("a server stall", () => {
  test("restarts the deadline and the charge of the open tick", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(900);
    script.stallProcess(12_000);
    assert.equal(script.match.tick, 0);
    script.advanceTime(30);
    sendTurn(script, 0);
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 0), [30, 9970]);
  });

  test("gives the fighter the full tick again", () => {
    const script = playingScript();
    script.stallProcess(5000);
    script.advanceTime(999.999);
    assert.equal(script.match.tick, 0);
    script.advanceTime(0.001);
    assert.equal(script.match.tick, 1);
  });

  test("keeps a decision that was already made and its charge", () => {
    const script = playingScript({ deadlines: { budget_ms: 10_000 } });
    script.advanceTime(20);
    sendTurn(script, 0);
    script.stallProcess(3000);
    sendTurn(script, 1);
    assert.deepEqual(recordedClock(script, 0), [20, 9980]);
  });

  test("never causes ten failed ticks", () => {
    const script = playingScript();
    for (let round = 0; round < 20; round += 1) {
      script.stallProcess(2000);
      sendTurn(script, 0);
      sendTurn(script, 1);
    }
    assert.equal(describeMatchEnd(script), "playing at 20");
    const idles = recordedTicks(script.match).flatMap(({ turns }) => turns);
    assert.ok(idles.every((turn) => turn !== null && !("idle" in turn)));
  });

  test("extends the start-up window by its duration", () => {
    const script = createMatchScript();
    script.advanceTime(1000);
    script.stallProcess(4000);
    script.advanceTime(8_999.999);
    assert.equal(describeMatchEnd(script), "startup at 0");
    script.advanceTime(0.001);
    assert.equal(describeMatchEnd(script), "void by forfeit at 0");
  });

  test("extends a disconnected fighter's grace period", () => {
    const script = playingScript({ deadlines: { reconnect_ms: 3000, tick_ms: 10_000 } });
    script.dropConnection(0);
    script.advanceTime(2000);
    script.stallProcess(5000);
    script.advanceTime(999.999);
    assert.equal(describeMatchEnd(script), "playing at 0");
    script.advanceTime(0.001);
    assert.equal(describeMatchEnd(script), "B by forfeit at 0");
  });
});

test("charges add up over a whole match between slow bots", () => {
  const script = playingScript({ writeUs: 17 });
  const delays = [3, 41, 5, 90, 0];
  while (script.match.phase.name === "playing") {
    script.advanceTime(delays[script.match.tick % delays.length]! + 0.123);
    sendTurn(script, 0);
    sendTurn(script, 1);
  }
  const { ticks } = finishedReplay(script);
  const spent = ticks.reduce((sum, tick) => sum + Math.round((tick.reply_ms[0] ?? 0) * 1000), 0);
  const remaining = Math.round(ticks.at(-1)!.budget_ms[0]! * 1000);
  assert.equal(spent + remaining, 300_000_000);
  assert.equal(messagesTo(script, 0, "observation").length, ticks.length);
});
