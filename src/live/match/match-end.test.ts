import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  answer,
  ending,
  openScript,
  playTo,
  playing,
  reportOf,
  stageOf,
  toldTo,
  verdictOf,
  verifiedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript, ScriptOptions } from "#testing/fixtures/match-script.ts";
import { referencePlayer } from "#testing/fixtures/reference-play.ts";

import { advance, voidMatch } from "./match.ts";
import { isOpen } from "./seat.ts";

const SILENT = undefined;
const STEP_MS = 100;

/** Passes time while these seats answer every tick at once. */
function live(script: MatchScript, ms: number, seats: readonly number[]): void {
  const { match } = script;
  for (let passed = 0; passed < ms && match.phase.name === "playing"; passed += STEP_MS) {
    for (const seat of seats) if (isOpen(match.seats[seat]!)) answer(script, seat);
    script.wait(STEP_MS);
  }
}

/** Both fight by the reference player's draws. */
function fighting(script: MatchScript): (seat: number) => object {
  const player = referencePlayer("fight", 5);
  return (seat) => player(stageOf(script.match), seat) ?? {};
}

function serverStats(script: MatchScript) {
  const stats = reportOf(script.match, verdictOf(script.match)).stats;
  return stats!.fighters.map(({ server_idles, disconnects, disqualified }) => {
    return { server_idles, disconnects, disqualified };
  });
}

const CLEAN = { server_idles: {}, disconnects: 0, disqualified: false };

suite("disqualification", () => {
  test("follows the tenth failed tick in a row, which is played", () => {
    const script = playing();
    playTo(script, 9, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(ending(script), "playing at 9");
    playTo(script, 20, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(ending(script), "B by disqualification at 10");
    const { ticks, result } = verifiedReplay(script);
    assert.equal(result.ticks, 10);
    assert.deepEqual(ticks[9]!.turns, [{ idle: "timeout" }, {}]);
    const mine = { server_idles: { timeout: 10 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [mine, CLEAN]);
  });

  test("follows as many failed ticks as the match began with", () => {
    const script = playing({ deadlines: { failed_ticks_to_disqualify: 3 } });
    playTo(script, 20, (seat) => (seat === 0 ? SILENT : {}));
    assert.equal(ending(script), "B by disqualification at 3");
    const { header } = verifiedReplay(script);
    assert.equal(header.deadlines.failed_ticks_to_disqualify, 3);
    const mine = { server_idles: { timeout: 3 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [mine, CLEAN]);
  });

  test("counts every kind of failure and starts again after a valid turn", () => {
    const script = playing();
    const frames = ["{", null, { tick: 99 }, SILENT];
    const bad = (seat: number, tick: number) => (seat === 1 ? frames[tick % 4] : {});
    playTo(script, 9, bad);
    playTo(script, 10, () => ({}));
    playTo(script, 19, bad);
    assert.equal(ending(script), "playing at 19");
    playTo(script, 40, bad);
    assert.equal(ending(script), "A by disqualification at 20");
    verifiedReplay(script);
    const { server_idles } = serverStats(script)[1]!;
    assert.deepEqual(server_idles, { malformed_json: 5, schema: 9, timeout: 5 });
  });

  test("follows a share of half of the ticks, once forty are played", () => {
    const script = playing();
    const everyOther = (seat: number, tick: number) => (seat === 0 && tick % 2 === 0 ? SILENT : {});
    playTo(script, 39, everyOther);
    assert.equal(ending(script), "playing at 39");
    playTo(script, 60, everyOther);
    assert.equal(ending(script), "B by disqualification at 40");
    verifiedReplay(script);
    const mine = { server_idles: { timeout: 20 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script), [mine, CLEAN]);
  });

  test("leaves a fighter alone that fails fewer than half of its ticks", () => {
    const script = playing();
    playTo(script, 80, (seat, tick) => (seat === 0 && tick % 5 < 2 ? SILENT : {}));
    assert.equal(ending(script), "playing at 80");
  });

  test("is against those who failed in a row, if there are any", () => {
    const script = playing();
    playTo(script, 60, (seat, tick) => {
      const fails = seat === 0 ? tick >= 30 : tick % 2 === 1;
      return fails ? SILENT : {};
    });
    assert.equal(ending(script), "B by disqualification at 40");
    verifiedReplay(script);
    const outs = serverStats(script).map(({ disqualified }) => disqualified);
    assert.deepEqual(outs, [true, false]);
  });

  test("of both on the same tick is decided as at the tick limit", () => {
    const even = playing();
    playTo(even, 20, () => SILENT);
    assert.equal(ending(even), "nobody by disqualification at 10");
    verifiedReplay(even);
    const script = playing();
    const fight = stageOf(script.match);
    const fights = fighting(script);
    while (fight.hp[0] === fight.hp[1]) playTo(script, script.match.tick + 1, fights);
    const stopped = script.match.tick;
    playTo(script, 300, () => SILENT);
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    assert.equal(ending(script), `${leader} by disqualification at ${stopped + 10}`);
    assert.ok(serverStats(script).every(({ disqualified }) => disqualified));
    verifiedReplay(script);
  });

  test("comes after an end of the combat on the tenth failed tick", () => {
    const script = playing();
    playTo(script, 400);
    const last = script.match.tick;
    const { reason } = verdictOf(script.match);
    const again = playing();
    playTo(again, 400, (seat, tick) => (seat === 0 && tick >= last - 10 ? SILENT : {}));
    assert.equal(ending(again), ending(script));
    assert.notEqual(reason, "disqualification");
    verifiedReplay(again);
    assert.equal(serverStats(again)[0]!.disqualified, false);
    assert.equal(serverStats(again)[0]!.server_idles.timeout, 10);
  });
});

suite("a match that is cut short", () => {
  test("goes to the one that is ahead, by forfeit", () => {
    const script = playing();
    const fight = stageOf(script.match);
    const fights = fighting(script);
    while (fight.hp[0] === fight.hp[1]) playTo(script, script.match.tick + 1, fights);
    const played = script.match.tick;
    script.cutShort();
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    assert.equal(ending(script), `${leader} by forfeit at ${played}`);
    verifiedReplay(script);
  });

  test("in its startup ends like a startup that is over", () => {
    const script = openScript();
    script.cutShort();
    assert.equal(verdictOf(script.match).kind, "void");
  });
});

suite("a fighter that is away", () => {
  const long: ScriptOptions = { deadlines: { tick_ms: 4000, reconnect_ms: 2500 } };
  const short: ScriptOptions = { deadlines: { tick_ms: 1000, reconnect_ms: 2500 } };

  test("fails its ticks at their full deadline and loses when the grace is over", () => {
    const script = playing(short);
    live(script, 300, [0, 1]);
    const left = script.match.tick;
    script.drop(0);
    live(script, 2400, [1]);
    assert.equal(ending(script), `playing at ${left + 2}`);
    live(script, 100, [1]);
    assert.equal(ending(script), `B by forfeit at ${left + 2}`);
    const { ticks } = verifiedReplay(script);
    assert.equal(ticks.length, left + 2);
    const mine = { server_idles: { disconnected: 2 }, disconnects: 1, disqualified: false };
    assert.deepEqual(serverStats(script), [mine, CLEAN]);
  });

  test("may be back within the grace, and away again with a whole one", () => {
    const script = playing(long);
    script.drop(0);
    live(script, 2400, [1]);
    script.attach(0);
    const types = toldTo(script, 0).map(({ type }) => type);
    assert.deepEqual(types, ["hello", "observation", "hello", "observation"]);
    script.drop(0);
    live(script, 2400, [1]);
    assert.match(ending(script), /^playing/);
    live(script, 100, [1]);
    assert.match(ending(script), /^B by forfeit/);
    verifiedReplay(script);
  });

  test("since before the start has a grace that counts from tick 0", () => {
    const script = openScript(long);
    script.say(0, { type: "ready" });
    script.drop(0);
    script.wait(5000);
    script.say(1, { type: "ready" });
    assert.equal(ending(script), "playing at 0");
    assert.deepEqual(
      toldTo(script, 0).map(({ type }) => type),
      ["hello"],
    );
    script.wait(2499.999);
    assert.equal(ending(script), "playing at 0");
    script.wait(0.001);
    assert.equal(ending(script), "B by forfeit at 0");
    assert.deepEqual(verifiedReplay(script).ticks, []);
  });

  test("and its opponent too, within one tick: decided as at the tick limit", () => {
    const script = playing(long);
    const fight = stageOf(script.match);
    const fights = fighting(script);
    while (fight.hp[0] === fight.hp[1]) playTo(script, script.match.tick + 1, fights);
    const leader = fight.hp[0]! > fight.hp[1]! ? "A" : "B";
    const left = script.match.tick;
    for (const seats of [
      [0, 1],
      [1, 0],
    ]) {
      const other = playing(long);
      playTo(other, left, fighting(other));
      other.drop(seats[0]!);
      other.wait(1000);
      other.drop(seats[1]!);
      other.wait(2499);
      assert.equal(ending(other), `playing at ${left}`);
      other.wait(1);
      assert.equal(ending(other), `${leader} by forfeit at ${left}`);
      verifiedReplay(other);
    }
  });

  test("is given up first when its opponent's grace ends in a later tick", () => {
    const script = playing(short);
    script.drop(0);
    script.wait(900);
    script.drop(1);
    script.wait(1600);
    assert.equal(ending(script), "B by forfeit at 2");
    verifiedReplay(script);
  });

  test("is disqualified when the grace ends in what would be its tenth failed tick", () => {
    const script = playing({ deadlines: { tick_ms: 1000, reconnect_ms: 9500 } });
    script.drop(0);
    live(script, 9900, [1]);
    assert.equal(ending(script), "playing at 9");
    live(script, 100, [1]);
    assert.equal(ending(script), "B by disqualification at 10");
    const { ticks } = verifiedReplay(script);
    assert.deepEqual(ticks[9]!.turns[0], { idle: "disconnected" });
    const mine = { server_idles: { disconnected: 10 }, disconnects: 1, disqualified: true };
    assert.deepEqual(serverStats(script)[0], mine);
  });

  test("is saved by a turn in what would be its tenth failed tick", () => {
    const script = playing({ deadlines: { tick_ms: 1000, reconnect_ms: 9500 } });
    script.drop(0);
    live(script, 9700, [1]);
    script.attach(0);
    answer(script, 0);
    assert.equal(ending(script), "playing at 10");
    script.remove(0);
    verifiedReplay(script);
  });

  test("twice has two disconnects in its statistics", () => {
    const script = playing(short);
    for (let round = 0; round < 2; round += 1) {
      script.drop(0);
      live(script, 2000, [1]);
      script.attach(0);
      live(script, 1000, [0, 1]);
    }
    script.remove(1);
    verifiedReplay(script);
    assert.equal(serverStats(script)[0]!.disconnects, 2);
  });

  test("with a socket that is dead but open times out, without a disconnect", () => {
    const script = playing(short);
    live(script, 20_000, [1]);
    assert.equal(ending(script), "B by disqualification at 10");
    const mine = { server_idles: { timeout: 10 }, disconnects: 0, disqualified: true };
    assert.deepEqual(serverStats(script)[0], mine);
  });
});

suite("an end from outside", () => {
  test("a removed fighter loses at once, whatever the tick was about to be", () => {
    const script = playing();
    playTo(script, 3, fighting(script));
    answer(script, 0);
    script.remove(0);
    assert.equal(ending(script), "B by forfeit at 3");
    assert.equal(script.overs(), 1);
    assert.equal(verifiedReplay(script).ticks.length, 3);
  });

  test("T35 a fault of the engine in one match leaves its finished ticks", () => {
    const script = playing();
    playTo(script, 5, fighting(script));
    answer(script, 0);
    const stumble = () => {
      throw new Error("the engine stumbles");
    };
    Object.defineProperty(script.match.fight, "play", { value: stumble });
    const message = { type: "turn", tick: 5, turn: {} } as const;
    assert.throws(() => advance(script.match, { type: "message", seat: 1, at: 0, message }));
    voidMatch(script.match);
    assert.equal(ending(script), "void by server_fault at 5");
    const { ticks, result } = verifiedReplay(script);
    assert.equal(ticks.length, 5);
    assert.deepEqual([result.winner, result.reason], [null, "server_fault"]);
    assert.equal(reportOf(script.match, verdictOf(script.match)).stats, null);
  });

  test("at the tick limit or by the last blow, the replay tells the same", () => {
    const ends = new Set<string>();
    for (const seed of [1, 2, 3, 4]) {
      const script = playing({ seed, map: "bumpers" });
      playTo(script, 400, fighting(script));
      verifiedReplay(script);
      ends.add(verdictOf(script.match).reason);
    }
    assert.ok(ends.has("last_standing"));
  });
});
