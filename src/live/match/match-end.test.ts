import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  sendTurn,
  describeMatchEnd,
  createMatchScript,
  playUntilTick,
  playingScript,
  matchReport,
  engineStateOf,
  messagesTo,
  matchVerdict,
  finishedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript, ScriptOptions } from "#testing/fixtures/match-script.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { advance, voidMatch } from "./match.ts";
import { isOpen } from "./seat.ts";

const SILENT = undefined;
const STEP_MS = 100;

function passTime(script: MatchScript, ms: number, seats: readonly number[]): void {
  const { match } = script;
  for (let passed = 0; passed < ms && match.phase.name === "playing"; passed += STEP_MS) {
    for (const seat of seats) if (isOpen(match.seats[seat]!)) sendTurn(script, seat);
    script.advanceTime(STEP_MS);
  }
}

function referenceTurns(script: MatchScript): (seat: number) => object {
  const player = referencePlayer("fight", 5);
  return (seat) => player(engineStateOf(script.match), seat) ?? {};
}

function serverStats(script: MatchScript) {
  const stats = matchReport(script.match, matchVerdict(script.match)).stats;
  return stats!.fighters.map(({ server_idles, disconnects, disqualified }) => {
    return { server_idles, disconnects, disqualified };
  });
}

const CLEAN = { server_idles: {}, disconnects: 0, disqualified: false };

suite("disqualification", () => {
  test("follows the tenth consecutive failed tick, after it is played", () => {
    const script = playingScript();
    playUntilTick(script, 9, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(describeMatchEnd(script), "playing at 9");
    playUntilTick(script, 20, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(describeMatchEnd(script), "B by disqualification at 10");
    const { ticks, result } = finishedReplay(script);
    assert.equal(result.ticks, 10);
    assert.deepEqual(ticks[9]!.turns, [{ idle: "timeout" }, {}]);
    const expectedStats = { server_idles: { timeout: 10 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [expectedStats, CLEAN]);
  });

  test("uses the failed tick limit in force when the match started", () => {
    const script = playingScript({ deadlines: { failed_ticks_to_disqualify: 3 } });
    playUntilTick(script, 20, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(describeMatchEnd(script), "B by disqualification at 3");
    const { header } = finishedReplay(script);
    assert.equal(header.deadlines.failed_ticks_to_disqualify, 3);
    const expectedStats = { server_idles: { timeout: 3 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [expectedStats, CLEAN]);
  });

  test("counts every kind of failed tick and resets after a valid turn", () => {
    const script = playingScript();
    const frames = ["{", null, { tick: 99 }, SILENT];
    const badTurns = (seat: number, tick: number) => (seat === 1 ? frames[tick % 4] : {});
    playUntilTick(script, 9, badTurns);
    playUntilTick(script, 10, () => ({}));
    playUntilTick(script, 19, badTurns);
    assert.equal(describeMatchEnd(script), "playing at 19");
    playUntilTick(script, 40, badTurns);
    assert.equal(describeMatchEnd(script), "A by disqualification at 20");
    finishedReplay(script);
    const { server_idles } = serverStats(script)[1]!;
    assert.deepEqual(server_idles, { malformed_json: 5, schema: 9, timeout: 5 });
  });

  test("applies when at least half of 40 or more ticks have failed", () => {
    const script = playingScript();
    const everyOther = (seat: number, tick: number) => (seat === 0 && tick % 2 === 0 ? SILENT : {});
    playUntilTick(script, 39, everyOther);
    assert.equal(describeMatchEnd(script), "playing at 39");
    playUntilTick(script, 60, everyOther);
    assert.equal(describeMatchEnd(script), "B by disqualification at 40");
    finishedReplay(script);
    const expectedStats = { server_idles: { timeout: 20 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [expectedStats, CLEAN]);
  });

  test("doesn't apply below half of the ticks", () => {
    const script = playingScript();
    playUntilTick(script, 80, (seat, tick) => (seat === 0 && tick % 5 < 2 ? SILENT : {}));
    assert.equal(describeMatchEnd(script), "playing at 80");
  });

  test("applies only to consecutive failures if both rules match", () => {
    const script = playingScript();
    playUntilTick(script, 60, (seat, tick) => {
      const fails = seat === 0 ? tick >= 30 : tick % 2 === 1;
      return fails ? SILENT : {};
    });
    assert.equal(describeMatchEnd(script), "B by disqualification at 40");
    finishedReplay(script);
    const disqualifications = serverStats(script).map(({ disqualified }) => disqualified);
    assert.deepEqual(disqualifications, [true, false]);
  });

  test("of both fighters in the same tick is decided by the tick limit rules", () => {
    const evenScript = playingScript();
    playUntilTick(evenScript, 20, () => SILENT);
    assert.equal(describeMatchEnd(evenScript), "nobody by disqualification at 10");
    finishedReplay(evenScript);
    const script = playingScript();
    const fight = engineStateOf(script.match);
    const nextTurn = referenceTurns(script);
    while (fight.hp[0] === fight.hp[1]) playUntilTick(script, script.match.tick + 1, nextTurn);
    const stoppedAt = script.match.tick;
    playUntilTick(script, 300, () => SILENT);
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    assert.equal(describeMatchEnd(script), `${leader} by disqualification at ${stoppedAt + 10}`);
    assert.ok(serverStats(script).every(({ disqualified }) => disqualified));
    finishedReplay(script);
  });

  test("gives way to a knockout in the tenth failed tick", () => {
    const script = playingScript();
    playUntilTick(script, 400);
    const lastTick = script.match.tick;
    const { reason } = matchVerdict(script.match);
    const rerun = playingScript();
    playUntilTick(rerun, 400, (seat, tick) => (seat === 0 && tick >= lastTick - 10 ? SILENT : {}));
    assert.equal(describeMatchEnd(rerun), describeMatchEnd(script));
    assert.notEqual(reason, "disqualification");
    finishedReplay(rerun);
    assert.equal(serverStats(rerun)[0]!.disqualified, false);
    assert.equal(serverStats(rerun)[0]!.server_idles.timeout, 10);
  });
});

suite("a match that is cut short", () => {
  test("is won by the leader by forfeit", () => {
    const script = playingScript();
    const fight = engineStateOf(script.match);
    const nextTurn = referenceTurns(script);
    while (fight.hp[0] === fight.hp[1]) playUntilTick(script, script.match.tick + 1, nextTurn);
    const tickAtCut = script.match.tick;
    script.cutMatchShort();
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    assert.equal(describeMatchEnd(script), `${leader} by forfeit at ${tickAtCut}`);
    finishedReplay(script);
  });

  test("during start-up ends as if the start-up window were over", () => {
    const script = createMatchScript();
    script.cutMatchShort();
    assert.equal(matchVerdict(script.match).kind, "void");
  });
});

suite("a disconnected fighter", () => {
  const longTicks: ScriptOptions = { deadlines: { tick_ms: 4000, reconnect_ms: 2500 } };
  const shortTicks: ScriptOptions = { deadlines: { tick_ms: 1000, reconnect_ms: 2500 } };

  test("fails each tick at its deadline and loses after the grace period", () => {
    const script = playingScript(shortTicks);
    passTime(script, 300, [0, 1]);
    const tickAtDrop = script.match.tick;
    script.dropConnection(0);
    passTime(script, 2400, [1]);
    assert.equal(describeMatchEnd(script), `playing at ${tickAtDrop + 2}`);
    passTime(script, 100, [1]);
    assert.equal(describeMatchEnd(script), `B by forfeit at ${tickAtDrop + 2}`);
    const { ticks } = finishedReplay(script);
    assert.equal(ticks.length, tickAtDrop + 2);
    const expectedStats = {
      server_idles: { disconnected: 2 },
      disconnects: 1,
      disqualified: false,
    };
    assert.deepEqual(serverStats(script), [expectedStats, CLEAN]);
  });

  test("can reconnect within the grace period and gets a full grace period next time", () => {
    const script = playingScript(longTicks);
    script.dropConnection(0);
    passTime(script, 2400, [1]);
    script.attachConnection(0);
    const types = messagesTo(script, 0).map(({ type }) => type);
    assert.deepEqual(types, ["hello", "observation", "hello", "observation"]);
    script.dropConnection(0);
    passTime(script, 2400, [1]);
    assert.match(describeMatchEnd(script), /^playing/);
    passTime(script, 100, [1]);
    assert.match(describeMatchEnd(script), /^B by forfeit/);
    finishedReplay(script);
  });

  test("has a grace period from tick 0 if it disconnected during start-up", () => {
    const script = createMatchScript(longTicks);
    script.receive(0, { type: "ready" });
    script.dropConnection(0);
    script.advanceTime(5000);
    script.receive(1, { type: "ready" });
    assert.equal(describeMatchEnd(script), "playing at 0");
    assert.deepEqual(
      messagesTo(script, 0).map(({ type }) => type),
      ["hello"],
    );
    script.advanceTime(2499.999);
    assert.equal(describeMatchEnd(script), "playing at 0");
    script.advanceTime(0.001);
    assert.equal(describeMatchEnd(script), "B by forfeit at 0");
    assert.deepEqual(finishedReplay(script).ticks, []);
  });

  test("and its opponent are judged by the tick limit rules if both grace periods end in the same tick", () => {
    const script = playingScript(longTicks);
    const fight = engineStateOf(script.match);
    const nextTurn = referenceTurns(script);
    while (fight.hp[0] === fight.hp[1]) playUntilTick(script, script.match.tick + 1, nextTurn);
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    const tickAtDrop = script.match.tick;
    for (const seats of [
      [0, 1],
      [1, 0],
    ]) {
      const rerun = playingScript(longTicks);
      playUntilTick(rerun, tickAtDrop, referenceTurns(rerun));
      rerun.dropConnection(seats[0]!);
      rerun.advanceTime(1000);
      rerun.dropConnection(seats[1]!);
      rerun.advanceTime(2499);
      assert.equal(describeMatchEnd(rerun), `playing at ${tickAtDrop}`);
      rerun.advanceTime(1);
      assert.equal(describeMatchEnd(rerun), `${leader} by forfeit at ${tickAtDrop}`);
      finishedReplay(rerun);
    }
  });

  test("forfeits first if its opponent's grace period ends in a later tick", () => {
    const script = playingScript(shortTicks);
    script.dropConnection(0);
    script.advanceTime(900);
    script.dropConnection(1);
    script.advanceTime(1600);
    assert.equal(describeMatchEnd(script), "B by forfeit at 2");
    finishedReplay(script);
  });

  test("is disqualified if the grace period ends during its tenth failed tick", () => {
    const script = playingScript({ deadlines: { tick_ms: 1000, reconnect_ms: 9500 } });
    script.dropConnection(0);
    passTime(script, 9900, [1]);
    assert.equal(describeMatchEnd(script), "playing at 9");
    passTime(script, 100, [1]);
    assert.equal(describeMatchEnd(script), "B by disqualification at 10");
    const { ticks } = finishedReplay(script);
    assert.deepEqual(ticks[9]!.turns[0], { idle: "disconnected" });
    const expectedStats = {
      server_idles: { disconnected: 10 },
      disconnects: 1,
      disqualified: true,
    };
    assert.deepEqual(serverStats(script)[0], expectedStats);
  });

  test("avoids disqualification with a valid turn in the tenth tick", () => {
    const script = playingScript({ deadlines: { tick_ms: 1000, reconnect_ms: 9500 } });
    script.dropConnection(0);
    passTime(script, 9700, [1]);
    script.attachConnection(0);
    sendTurn(script, 0);
    assert.equal(describeMatchEnd(script), "playing at 10");
    script.removeBot(0);
    finishedReplay(script);
  });

  test("has two disconnects in its statistics after disconnecting twice", () => {
    const script = playingScript(shortTicks);
    for (let round = 0; round < 2; round += 1) {
      script.dropConnection(0);
      passTime(script, 2000, [1]);
      script.attachConnection(0);
      passTime(script, 1000, [0, 1]);
    }
    script.removeBot(1);
    finishedReplay(script);
    assert.equal(serverStats(script)[0]!.disconnects, 2);
  });

  test("with an open but dead socket times out without counting as disconnected", () => {
    const script = playingScript(shortTicks);
    passTime(script, 20_000, [1]);
    assert.equal(describeMatchEnd(script), "B by disqualification at 10");
    const expectedStats = { server_idles: { timeout: 10 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script)[0], expectedStats);
  });
});

suite("an external end", () => {
  test("by removal makes the fighter lose immediately in any tick", () => {
    const script = playingScript();
    playUntilTick(script, 3, referenceTurns(script));
    sendTurn(script, 0);
    script.removeBot(0);
    assert.equal(describeMatchEnd(script), "B by forfeit at 3");
    assert.equal(script.endReports(), 1);
    assert.equal(finishedReplay(script).ticks.length, 3);
  });

  test("T35 by an engine fault keeps the finished ticks of the match", () => {
    const script = playingScript();
    playUntilTick(script, 5, referenceTurns(script));
    sendTurn(script, 0);
    const throwError = () => {
      throw new Error("engine fault");
    };
    Object.defineProperty(script.match.engine, "play", { value: throwError });
    const message = { type: "turn", tick: 5, turn: {} } as const;
    assert.throws(() => advance(script.match, { type: "message", seat: 1, at: 0, message }));
    voidMatch(script.match);
    assert.equal(describeMatchEnd(script), "void by server_fault at 5");
    const { ticks, result } = finishedReplay(script);
    assert.equal(ticks.length, 5);
    assert.deepEqual([result.winner, result.reason], [null, "server_fault"]);
    assert.equal(matchReport(script.match, matchVerdict(script.match)).stats, null);
  });

  test("at the tick limit or by knockout matches the replay", () => {
    const reasons = new Set<string>();
    for (const seed of [1, 2, 3, 4]) {
      const script = playingScript({ seed, map: "bumpers" });
      playUntilTick(script, 400, referenceTurns(script));
      finishedReplay(script);
      reasons.add(matchVerdict(script.match).reason);
    }
    assert.ok(reasons.has("last_standing"));
  });
});
