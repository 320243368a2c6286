import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import {
  sendTurn,
  describeMatchEnd,
  lastObservation,
  createMatchScript,
  playUntilTick,
  playingScript,
  recordedTicks,
  messagesTo,
  finishedReplay,
} from "#testing/fixtures/match-script.ts";
import type { MatchScript } from "#testing/fixtures/match-script.ts";

import { advance } from "./match.ts";
import { isOpen } from "./seat.ts";

const READY = { type: "ready" };
const VOID = "void by forfeit at 0";

suite("opening", () => {
  test("sends hello to both bots, each with its own name", () => {
    const { sentMessages: messages } = createMatchScript();
    const greetings = messages.map(({ seat, message }) => [seat, message.type, message.fighter]);
    assert.deepEqual(greetings, [
      [0, "hello", "A"],
      [1, "hello", "B"],
    ]);
    const [first, second] = firstTwo(messages.map(({ message }) => message));
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

  test("starts the first tick once both bots are ready", () => {
    const script = createMatchScript();
    script.receive(0, READY);
    assert.equal(describeMatchEnd(script), "startup at 0");
    script.advanceTime(9_999);
    script.receive(1, { type: "ready", match_id: "match-1" });
    assert.equal(describeMatchEnd(script), "playing at 0");
    const ticks = [0, 1].map((seat) => lastObservation(script, seat).tick);
    assert.deepEqual(ticks, [0, 0]);
  });

  type StartupCase = [name: string, play: (script: MatchScript) => void, end: string];
  const startups: StartupCase[] = [
    ["neither ready", () => {}, VOID],
    ["only A ready", ({ receive }) => receive(0, READY), "A by forfeit at 0"],
    ["only B ready", ({ receive }) => receive(1, READY), "B by forfeit at 0"],
    [
      "A ready twice",
      ({ receive }) => {
        receive(0, READY);
        receive(0, READY);
      },
      "A by forfeit at 0",
    ],
    [
      "ready for another match",
      ({ receive }) => receive(0, { ...READY, match_id: "match-2" }),
      VOID,
    ],
    ["ready with a numeric match_id", ({ receive }) => receive(0, { ...READY, match_id: 1 }), VOID],
    [
      "ready without match_id",
      ({ receive }) => receive(0, { ...READY, match_id: null }),
      "A by forfeit at 0",
    ],
    [
      "B ready, then disconnected",
      ({ receive, dropConnection }) => {
        receive(1, READY);
        dropConnection(1);
      },
      "B by forfeit at 0",
    ],
    [
      "ready on a replaced connection",
      ({ receive, attachConnection }) => {
        receive(0, READY);
        attachConnection(0);
      },
      VOID,
    ],
    [
      "ready again on the new connection",
      ({ receive, attachConnection, advanceTime }) => {
        receive(0, READY);
        advanceTime(9000);
        attachConnection(0);
        receive(0, READY);
      },
      "A by forfeit at 0",
    ],
    ["A removed before the start", ({ removeBot }) => removeBot(0), "B by forfeit at 0"],
  ];
  for (const [name, runScript, expectedEnd] of startups)
    test(`decides the match when start-up ends: ${name}`, () => {
      const script = createMatchScript();
      runScript(script);
      script.advanceTime(10_000 - script.now() / 1000);
      assert.equal(describeMatchEnd(script), expectedEnd);
      assert.equal(script.endReports(), 1);
      assert.deepEqual(finishedReplay(script).ticks, []);
    });

  test("waits until the start-up window ends", () => {
    const script = createMatchScript();
    script.advanceTime(9_999.999);
    assert.equal(describeMatchEnd(script), "startup at 0");
    script.advanceTime(0.001);
    assert.equal(describeMatchEnd(script), VOID);
  });

  test("gives a new connection the rest of the start-up window", () => {
    const script = createMatchScript();
    script.receive(1, READY);
    script.advanceTime(9_000);
    script.dropConnection(0);
    script.attachConnection(0);
    assert.deepEqual(typesOf(script, 0), ["hello", "hello"]);
    script.advanceTime(1000);
    assert.equal(describeMatchEnd(script), "B by forfeit at 0");
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
    test(`responds to ${JSON.stringify(frame)} during start-up with [${codes}]`, () => {
      const script = createMatchScript();
      script.receive(0, frame);
      const answers = messagesTo(script, 0, "error").map(({ code }) => code);
      assert.deepEqual(answers, codes);
      assert.deepEqual(typesOf(script, 1), ["hello"]);
      script.receive(0, READY);
      script.receive(1, READY);
      assert.equal(describeMatchEnd(script), "playing at 0");
    });
});

function typesOf(script: MatchScript, seat: number): string[] {
  return messagesTo(script, seat).map(({ type }) => type);
}

suite("a tick", () => {
  test("is not decided by queue, with or without a version", () => {
    const script = playingScript();
    script.receive(0, { type: "queue" });
    script.receive(0, { type: "turn", tick: 0, move: "n" });
    script.receive(1, { type: "turn", tick: 0 });
    assert.deepEqual(
      messagesTo(script, 0, "error").map(({ code }) => code),
      ["already_queued"],
    );
    assert.deepEqual(recordedTicks(script.match)[0]!.turns, [{ move: "n" }, {}]);
  });

  test("is sent to A first in even ticks and to B first in odd ticks", () => {
    const script = playingScript();
    playUntilTick(script, 4);
    const order = script.sentMessages
      .filter(({ message }) => message.type === "observation")
      .map(({ seat, message }) => `${message.tick as number}${"AB"[seat]}`);
    assert.deepEqual(order, ["0A", "0B", "1B", "1A", "2A", "2B", "3B", "3A", "4A", "4B"]);
  });

  test("closes when both bots have decided", () => {
    const script = playingScript();
    script.advanceTime(40);
    sendTurn(script, 0);
    assert.equal(script.match.tick, 0);
    sendTurn(script, 1);
    assert.equal(script.match.tick, 1);
    assert.equal(script.now(), 40_000);
  });

  test("closes at the deadline if a bot hasn't responded", () => {
    const script = playingScript();
    sendTurn(script, 0);
    script.advanceTime(999.999);
    assert.equal(script.match.tick, 0);
    script.advanceTime(0.001);
    assert.equal(script.match.tick, 1);
  });

  // Frames that A sends in tick 1 before its turn, and the turn recorded as a result.
  type DecidingCase = [name: string, frames: (object | string | null)[], recorded: object];
  const moveTurn = { type: "turn", tick: 1, move: "n" };
  const decidingCases: DecidingCase[] = [
    ["a turn", [], { move: "n" }],
    ["the first of two turns", [{ type: "turn", tick: 1, move: "s" }], { move: "s" }],
    ["the turn after one for an older tick", [{ type: "turn", tick: 0, move: "s" }], { move: "n" }],
    [
      "the turn after an invalid one for an older tick",
      [{ type: "turn", tick: 0, move: 5 }],
      { move: "n" },
    ],
    ["a turn for a later tick", [{ type: "turn", tick: 2 }], { idle: "schema" }],
    ["an invalid turn for a later tick", [{ type: "turn", tick: 9, dash: 1 }], { idle: "schema" }],
    ["a turn without tick", [{ type: "turn", move: "s" }], { idle: "schema" }],
    ["a tick as text", [{ type: "turn", tick: "1" }], { idle: "schema" }],
    ["a negative tick", [{ type: "turn", tick: -1 }], { idle: "schema" }],
    ["an infinite tick", ['{"type":"turn","tick":1e400}'], { idle: "schema" }],
    ["a fractional tick", ['{"type":"turn","tick":1.5}'], { idle: "schema" }],
    ["an unknown direction", [{ type: "turn", tick: 1, move: "up" }], { idle: "schema" }],
    ["an attack as text", [{ type: "turn", tick: 1, attack: "bolt" }], { idle: "schema" }],
    ["an attack without name", [{ type: "turn", tick: 1, attack: {} }], { idle: "schema" }],
    ["a shout that isn't text", [{ type: "turn", tick: 1, shout: 5 }], { idle: "schema" }],
    ["a message of unknown type", [{ type: "ping" }], { idle: "schema" }],
    ["a message without type", [{}], { idle: "schema" }],
    ["a value that isn't an object", ["null"], { idle: "schema" }],
    ["a list", ["[]"], { idle: "schema" }],
    ["a text", ['""'], { idle: "schema" }],
    ["a binary frame", [null], { idle: "schema" }],
    ["truncated JSON", ['{"type":"turn","tick":1'], { idle: "malformed_json" }],
    ["an empty frame", [""], { idle: "malformed_json" }],
    ["the turn after a ready", [READY], { move: "n" }],
    ["the turn after a queue", [{ type: "queue", version: "v1" }], { move: "n" }],
    ["the turn after a leave", [{ type: "leave" }], { move: "n" }],
    ["null parts, treated as absent", [{ ...moveTurn, attack: null, shout: null }], { move: "n" }],
  ];
  for (const [name, frames, expectedTurn] of decidingCases)
    test(`is decided by ${name}`, () => {
      const script = playingScript();
      playUntilTick(script, 1);
      for (const frame of frames) script.receive(0, frame);
      script.receive(0, moveTurn);
      sendTurn(script, 1);
      assert.equal(script.match.tick, 2);
      assert.deepEqual(recordedTicks(script.match)[1]!.turns, [expectedTurn, {}]);
    });

  test("never combines moves from two turns of a bot", () => {
    const script = playingScript();
    script.receive(0, { type: "turn", tick: 0, move: "s" });
    script.receive(0, { type: "turn", tick: 0, move: "n" });
    sendTurn(script, 1);
    script.receive(0, { type: "turn", tick: 0, move: "n" });
    sendTurn(script, 0);
    sendTurn(script, 1);
    const turns = recordedTicks(script.match).map((tick) => tick.turns[0]);
    assert.deepEqual(turns, [{ move: "s" }, {}]);
  });

  test("accepts a frame just before the deadline and rejects one at the deadline", () => {
    for (const [ms, expectedTurn] of [
      [999.999, {}],
      [1000, { idle: "timeout" }],
    ] as const) {
      // Both bots have the same deadline. Skipping B's deadline simulates a stalled timer.
      const script = playingScript();
      const arrivedAt = script.now() + ms * 1000;
      const { match } = script;
      answerAt(script, 0, arrivedAt);
      script.advanceTime(1000);
      assert.deepEqual(recordedTicks(match)[0]!.turns[0], expectedTurn);
    }
  });

  test("responds to queue only with already_queued", () => {
    const script = playingScript();
    script.receive(0, { type: "queue", version: "v1" });
    const codes = messagesTo(script, 0, "error").map(({ code }) => code);
    assert.deepEqual(codes, ["already_queued"]);
    assert.ok(isOpen(script.match.seats[0]!));
  });

  for (const [frame, reason] of [
    [undefined, "timeout"],
    ["{", "malformed_json"],
    [{ type: "ping" }, "schema"],
  ] as const)
    test(`that failed with ${reason} becomes the first event of the next tick for that bot only`, () => {
      const script = playingScript();
      sendTurn(script, 1, { move: "n" });
      if (frame === undefined) script.advanceTime(1000);
      else script.receive(0, frame);
      const events = [0, 1].map((seat) => lastObservation(script, seat).events as object[]);
      const { message, ...rejected } = events[0]![0] as { message: string };
      assert.deepEqual(rejected, { type: "rejected", part: "turn", reason });
      assert.notEqual(message, "");
      assert.ok(events[1]!.every((event) => !("reason" in event && event.reason === reason)));
      assert.deepEqual(messagesTo(script, 0, "error"), []);
      playUntilTick(script, 2);
      const next = lastObservation(script, 0).events as { reason?: string }[];
      assert.ok(next.every((event) => event.reason !== reason));
    });
});

/** Delivers a turn at time `at` in µs before handling anything due by then. */
function answerAt(script: MatchScript, seat: number, at: number): void {
  const { match } = script;
  const message = { type: "turn" as const, tick: match.tick, turn: {} };
  advance(match, { type: "message", seat, at, message });
}

suite("a finished match", () => {
  test("ignores further input and refuses queue until the end message is sent", () => {
    const script = playingScript();
    script.removeBot(1);
    const before = script.sentMessages.length;
    sendTurn(script, 0);
    script.receive(0, "{");
    script.receive(0, READY);
    script.dropConnection(1);
    script.advanceTime(60_000);
    assert.equal(script.sentMessages.length, before);
    script.receive(0, { type: "queue", version: "v1" });
    assert.equal(messagesTo(script, 0).at(-1)?.code, "already_queued");
    script.attachConnection(1);
    assert.equal(messagesTo(script, 1).at(-1)?.type, "hello");
    assert.equal(script.endReports(), 1);
    finishedReplay(script);
  });
});
