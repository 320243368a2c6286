import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import {
  answer,
  ending,
  lastSeen,
  openScript,
  playTo,
  playing,
  ticksOf,
  toldTo,
  verifiedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript } from "#testing/fixtures/match-script.ts";

import { advance } from "./match.ts";
import { isOpen } from "./seat.ts";

const READY = { type: "ready" };
const VOID = "void by forfeit at 0";

suite("opening", () => {
  test("says hello to both, each by its own name", () => {
    const { told } = openScript();
    const heads = told.map(({ seat, message }) => [seat, message.type, message.fighter]);
    assert.deepEqual(heads, [
      [0, "hello", "A"],
      [1, "hello", "B"],
    ]);
    const [first, second] = bothOf(told.map(({ message }) => message));
    assert.deepEqual(first.opponent, {
      bot_id: "bot-b",
      name: "beta",
      version: "v2",
      fighter: "B",
    });
    assert.equal(first.bot_id, "bot-a");
    assert.equal(second.bot_id, "bot-b");
    assert.equal(first.match_id, second.match_id);
    assert.deepEqual(first.fighters, second.fighters);
  });

  test("starts the first tick when both have said ready, not before", () => {
    const script = openScript();
    script.say(0, READY);
    assert.equal(ending(script), "startup at 0");
    script.wait(9_999);
    script.say(1, { type: "ready", match_id: "match-1" });
    assert.equal(ending(script), "playing at 0");
    const ticks = [0, 1].map((seat) => lastSeen(script, seat).tick);
    assert.deepEqual(ticks, [0, 0]);
  });

  type StartupCase = [name: string, play: (script: MatchScript) => void, end: string];
  const startups: StartupCase[] = [
    ["nobody is ready", () => {}, VOID],
    ["only A is ready", ({ say }) => say(0, READY), "A by forfeit at 0"],
    ["only B is ready", ({ say }) => say(1, READY), "B by forfeit at 0"],
    [
      "twice ready is ready once",
      ({ say }) => {
        say(0, READY);
        say(0, READY);
      },
      "A by forfeit at 0",
    ],
    ["ready for another match", ({ say }) => say(0, { ...READY, match_id: "match-2" }), VOID],
    ["ready with a number", ({ say }) => say(0, { ...READY, match_id: 1 }), VOID],
    [
      "ready for no match named",
      ({ say }) => say(0, { ...READY, match_id: null }),
      "A by forfeit at 0",
    ],
    [
      "ready and gone still wins the start",
      ({ say, drop }) => {
        say(1, READY);
        drop(1);
      },
      "B by forfeit at 0",
    ],
    [
      "ready on a connection that was replaced",
      ({ say, attach }) => {
        say(0, READY);
        attach(0);
      },
      VOID,
    ],
    [
      "ready again on the new connection",
      ({ say, attach, wait }) => {
        say(0, READY);
        wait(9000);
        attach(0);
        say(0, READY);
      },
      "A by forfeit at 0",
    ],
    ["removed before the start", ({ remove }) => remove(0), "B by forfeit at 0"],
  ];
  for (const [name, play, end] of startups)
    test(`the startup window ends: ${name}`, () => {
      const script = openScript();
      play(script);
      script.wait(10_000 - script.now() / 1000);
      assert.equal(ending(script), end);
      assert.equal(script.overs(), 1);
      assert.deepEqual(verifiedReplay(script).ticks, []);
    });

  test("stays open to the last moment of the window", () => {
    const script = openScript();
    script.wait(9_999.999);
    assert.equal(ending(script), "startup at 0");
    script.wait(0.001);
    assert.equal(ending(script), VOID);
  });

  test("a new connection has the rest of the window, not a new one", () => {
    const script = openScript();
    script.say(1, READY);
    script.wait(9_000);
    script.drop(0);
    script.attach(0);
    assert.deepEqual(typesOf(script, 0), ["hello", "hello"]);
    script.wait(1000);
    assert.equal(ending(script), "B by forfeit at 0");
  });

  const startupFrames: [frame: object | string | null, codes: string[]][] = [
    [{ type: "queue", version: "v1" }, ["already_queued"]],
    [{ type: "queue" }, ["already_queued"]],
    [{ type: "turn", tick: 0 }, []],
    [{ type: "turn", tick: "0" }, []],
    [{ type: "turn", tick: 0, move: "up" }, []],
    [{ type: "leave" }, []],
    [{ type: "ready", match_id: "match-2" }, []],
    ["{", ["malformed_json"]],
    [null, ["schema"]],
    ["[]", ["schema"]],
    [{ type: "ping" }, ["schema"]],
  ];
  for (const [frame, codes] of startupFrames)
    test(`in startup ${JSON.stringify(frame)} is answered with [${codes}]`, () => {
      const script = openScript();
      script.say(0, frame);
      const answers = toldTo(script, 0, "error").map(({ code }) => code);
      assert.deepEqual(answers, codes);
      assert.deepEqual(typesOf(script, 1), ["hello"]);
      script.say(0, READY);
      script.say(1, READY);
      assert.equal(ending(script), "playing at 0");
    });
});

function typesOf(script: MatchScript, seat: number): string[] {
  return toldTo(script, seat).map(({ type }) => type);
}

suite("a tick", () => {
  test("is not decided by a queue, with or without a version", () => {
    const script = playing();
    script.say(0, { type: "queue" });
    script.say(0, { type: "turn", tick: 0, move: "n" });
    script.say(1, { type: "turn", tick: 0 });
    assert.deepEqual(
      toldTo(script, 0, "error").map(({ code }) => code),
      ["already_queued"],
    );
    assert.deepEqual(ticksOf(script.match)[0]!.turns, [{ move: "n" }, {}]);
  });

  test("is opened to A first on even ticks and to B first on odd ones", () => {
    const script = playing();
    playTo(script, 4);
    const order = script.told
      .filter(({ message }) => message.type === "observation")
      .map(({ seat, message }) => `${message.tick as number}${"AB"[seat]}`);
    assert.deepEqual(order, ["0A", "0B", "1B", "1A", "2A", "2B", "3B", "3A", "4A", "4B"]);
  });

  test("closes as soon as both have decided", () => {
    const script = playing();
    script.wait(40);
    answer(script, 0);
    assert.equal(script.match.tick, 0);
    answer(script, 1);
    assert.equal(script.match.tick, 1);
    assert.equal(script.now(), 40_000);
  });

  test("closes at the deadline without the one that did not answer", () => {
    const script = playing();
    answer(script, 0);
    script.wait(999.999);
    assert.equal(script.match.tick, 0);
    script.wait(0.001);
    assert.equal(script.match.tick, 1);
  });

  // What A sends at tick 1 before its turn, and what is recorded of A then.
  type DecidingCase = [name: string, frames: (object | string | null)[], recorded: object];
  const moved = { type: "turn", tick: 1, move: "n" };
  const deciding: DecidingCase[] = [
    ["a turn", [], { move: "n" }],
    ["the first of two turns", [{ type: "turn", tick: 1, move: "s" }], { move: "s" }],
    ["no turn of an older tick", [{ type: "turn", tick: 0, move: "s" }], { move: "n" }],
    ["no older turn, whatever its shape", [{ type: "turn", tick: 0, move: 5 }], { move: "n" }],
    ["a turn of a later tick", [{ type: "turn", tick: 2 }], { idle: "schema" }],
    ["a broken turn of a later tick", [{ type: "turn", tick: 9, dash: 1 }], { idle: "schema" }],
    ["a turn without tick", [{ type: "turn", move: "s" }], { idle: "schema" }],
    ["a tick as text", [{ type: "turn", tick: "1" }], { idle: "schema" }],
    ["a negative tick", [{ type: "turn", tick: -1 }], { idle: "schema" }],
    ["a broken tick", ['{"type":"turn","tick":1e400}'], { idle: "schema" }],
    ["half a tick", ['{"type":"turn","tick":1.5}'], { idle: "schema" }],
    ["an unknown direction", [{ type: "turn", tick: 1, move: "up" }], { idle: "schema" }],
    ["an attack as text", [{ type: "turn", tick: 1, attack: "bolt" }], { idle: "schema" }],
    ["an attack without name", [{ type: "turn", tick: 1, attack: {} }], { idle: "schema" }],
    ["a shout that is no text", [{ type: "turn", tick: 1, shout: 5 }], { idle: "schema" }],
    ["a message of unknown type", [{ type: "ping" }], { idle: "schema" }],
    ["a message without type", [{}], { idle: "schema" }],
    ["no object", ["null"], { idle: "schema" }],
    ["a list", ["[]"], { idle: "schema" }],
    ["a text", ['""'], { idle: "schema" }],
    ["a binary frame", [null], { idle: "schema" }],
    ["half a frame", ['{"type":"turn","tick":1'], { idle: "malformed_json" }],
    ["nothing in a frame", [""], { idle: "malformed_json" }],
    ["no ready", [READY], { move: "n" }],
    ["no queue", [{ type: "queue", version: "v1" }], { move: "n" }],
    ["no leave", [{ type: "leave" }], { move: "n" }],
    ["all parts that are null as absent", [{ ...moved, attack: null, shout: null }], { move: "n" }],
  ];
  for (const [name, frames, recorded] of deciding)
    test(`is decided by ${name}`, () => {
      const script = playing();
      playTo(script, 1);
      for (const frame of frames) script.say(0, frame);
      script.say(0, moved);
      answer(script, 1);
      assert.equal(script.match.tick, 2);
      assert.deepEqual(ticksOf(script.match)[1]!.turns, [recorded, {}]);
    });

  test("never has two moves of one bot", () => {
    const script = playing();
    script.say(0, { type: "turn", tick: 0, move: "s" });
    script.say(0, { type: "turn", tick: 0, move: "n" });
    answer(script, 1);
    script.say(0, { type: "turn", tick: 0, move: "n" });
    answer(script, 0);
    answer(script, 1);
    const turns = ticksOf(script.match).map((tick) => tick.turns[0]);
    assert.deepEqual(turns, [{ move: "s" }, {}]);
  });

  test("a frame at the deadline is too late, one before it is not", () => {
    for (const [ms, recorded] of [
      [999.999, {}],
      [1000, { idle: "timeout" }],
    ] as const) {
      // B's deadline is A's too; not waiting for it stands for a stalled timer.
      const script = playing();
      const late = script.now() + ms * 1000;
      const { match } = script;
      answerAt(script, 0, late);
      script.wait(1000);
      assert.deepEqual(ticksOf(match)[0]!.turns[0], recorded);
    }
  });

  test("only says already_queued to a bot that queues", () => {
    const script = playing();
    script.say(0, { type: "queue", version: "v1" });
    const codes = toldTo(script, 0, "error").map(({ code }) => code);
    assert.deepEqual(codes, ["already_queued"]);
    assert.ok(isOpen(script.match.seats[0]!));
  });

  for (const [frame, reason] of [
    [undefined, "timeout"],
    ["{", "malformed_json"],
    [{ type: "ping" }, "schema"],
  ] as const)
    test(`that failed by ${reason} is the first event of the next one, for its bot alone`, () => {
      const script = playing();
      answer(script, 1, { move: "n" });
      if (frame === undefined) script.wait(1000);
      else script.say(0, frame);
      const events = [0, 1].map((seat) => lastSeen(script, seat).events as object[]);
      const { message, ...rejected } = events[0]![0] as { message: string };
      assert.deepEqual(rejected, { type: "rejected", part: "turn", reason });
      assert.notEqual(message, "");
      assert.ok(events[1]!.every((event) => !("reason" in event && event.reason === reason)));
      assert.deepEqual(toldTo(script, 0, "error"), []);
      playTo(script, 2);
      const next = lastSeen(script, 0).events as { reason?: string }[];
      assert.ok(next.every((event) => event.reason !== reason));
    });
});

/** As if the frame were handled at that moment (µs), before anything that fell due until then. */
function answerAt(script: MatchScript, seat: number, at: number): void {
  const { match } = script;
  const message = { type: "turn" as const, tick: match.tick, turn: {} };
  advance(match, { type: "message", seat, at, message });
}

suite("a match that is over", () => {
  test("does nothing more, but lets no bot queue before it is told the end", () => {
    const script = playing();
    script.remove(1);
    const before = script.told.length;
    answer(script, 0);
    script.say(0, "{");
    script.say(0, READY);
    script.drop(1);
    script.wait(60_000);
    assert.equal(script.told.length, before);
    script.say(0, { type: "queue", version: "v1" });
    assert.equal(toldTo(script, 0).at(-1)?.code, "already_queued");
    script.attach(1);
    assert.equal(toldTo(script, 1).at(-1)?.type, "hello");
    assert.equal(script.overs(), 1);
    verifiedReplay(script);
  });
});
