import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import fc from "fast-check";

import { ANY_CHARACTER } from "#testing/fixtures/any-character.ts";
import {
  sendTurn,
  describeMatchEnd,
  lastObservation,
  playUntilTick,
  playingScript,
  recordedTicks,
  messagesTo,
  finishedReplay,
} from "#testing/fixtures/match-script.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import {
  getJson,
  openTestMatches,
  sendReady,
  fetchVerifiedReplay,
} from "#testing/harness/test-match.ts";

/** JSON values of types that are invalid in a turn. */
const hostileValue = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "[]",
    "{}",
    '""',
    '"5"',
    "5.5",
    "-1",
    "-0",
    "1e400",
    "-1e400",
    "1e-400",
    "9007199254740993",
    "18446744073709551616",
    '"\\u0000"',
    '"\\ud800"',
    '"__proto__"',
    '{"__proto__":{"tick":0}}',
    '{"constructor":{"prototype":1}}',
    "[[[[[[]]]]]]",
    "[1,2,3]",
    '"n"',
    '"N"',
    '{"name":"bolt","target":"n"}',
    '{"name":"bolt","name":5}',
    "[0,0]",
    '{"name":"blast","target":[1e400,0]}',
    '{"name":"blast","target":[-1,99999999999]}',
    '{"name":"__proto__"}',
    '{"name":"toString","target":"n"}',
    `"${"é".repeat(41)}"`,
    "[".repeat(2000) + "]".repeat(2000),
    '{"a":'.repeat(1000) + "1" + "}".repeat(1000),
  ),
  fc.json({ maxDepth: 3 }),
);

const KEYS = ["type", "tick", "move", "dash", "attack", "shout", "__proto__", "constructor", ""];

/** A turn-like object with arbitrary and sometimes duplicate keys. Its tick is often valid. */
function hostileFrame(tick: number): fc.Arbitrary<string> {
  const field = fc
    .tuple(fc.constantFrom(...KEYS), hostileValue)
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  const object = fc
    .array(field, { maxLength: 6 })
    .map((fields) => `{${['"type":"turn"', `"tick":${tick}`, ...fields].join(",")}}`);
  const truncatedText = fc
    .tuple(object, fc.nat(200))
    .map(([text, length]) => text.slice(0, length));
  return fc.oneof(
    { weight: 4, arbitrary: object },
    truncatedText,
    hostileValue,
    fc.string({ unit: ANY_CHARACTER }),
  );
}

test("T18 each tick has one turn and all numbers stay finite, whatever the frames contain", () => {
  fc.assert(
    fc.property(hostileFrame(2), hostileFrame(3), (first, second) => {
      const script = playingScript();
      playUntilTick(script, 2);
      const sentFrames = [first, second];
      playUntilTick(script, 4, (seat, tick) => (seat === 0 ? sentFrames[tick - 2] : {}));
      assert.equal(describeMatchEnd(script), "playing at 4");
      assert.deepEqual(messagesTo(script, 1, "error"), []);
      script.removeBot(1);
      finishedReplay(script);
    }),
    { numRuns: 200, seed: 18 },
  );
  assert.equal(({} as { tick?: number }).tick, undefined);
});

test("T18 the last of duplicate keys counts, and unknown keys are ignored", () => {
  const script = playingScript();
  script.receive(
    0,
    '{"type":"turn","tick":9,"tick":0,"move":"up","move":"n","__proto__":{"dash":"e"}}',
  );
  sendTurn(script, 1);
  assert.deepEqual(recordedTicks(script.match)[0]!.turns[0], { move: "n" });
});

suite("T26 a shout", () => {
  const longText = "a".repeat(40);
  const cases: [name: string, shout: string, heard: string | null][] = [
    ["of forty letters", longText, longText],
    ["of forty-one letters", `${longText}a`, null],
    ["of forty emoji", "🥊".repeat(40), "🥊".repeat(40)],
    ["of forty-one emoji", "🥊".repeat(41), null],
    ["of forty letters between spaces", `  ${longText} \u00a0`, longText],
    ["from right to left", "\u202eשלום", "שלום"],
    ["without visible characters", "\u200b\u200d\ufeff", null],
    ["with invisible characters between letters", "a\u200bb\u0000c\u2028d", "abcd"],
    ["in colour", "\u001b[31mred\u001b[0m", "[31mred[0m"],
    ["with a script", "</script><script>alert(1)", "</script><script>alert(1)"],
    ["with half a surrogate pair", "a\ud83e", "a"],
    ["of two lines", "a\nb\r\n", "ab"],
    ["that is empty", "", null],
    ["that is blank", " \t\u3000", null],
    ["that is far too long", "x".repeat(10_000), null],
  ];
  for (const [name, shoutText, heard] of cases)
    test(`${name} is ${heard === null ? "refused as bad_text" : "heard"}`, () => {
      const script = playingScript();
      sendTurn(script, 0, { shout: shoutText });
      sendTurn(script, 1);
      const events = [0, 1].map((seat) => lastObservation(script, seat).events as SocketMessage[]);
      const shouts = events.map((list) => list.filter(({ type }) => type === "shout"));
      const expected = heard === null ? [] : [{ type: "shout", by: "A", text: heard }];
      assert.deepEqual(shouts, [expected, expected]);
      const refusedFields = events[0]!.map(({ reason, field }) => [reason, field]);
      if (heard === null) assert.deepEqual(refusedFields, [["bad_text", "shout"]]);
      script.removeBot(1);
      finishedReplay(script);
    });

  test("can be repeated after twenty ticks, but not sooner", () => {
    const script = playingScript();
    playUntilTick(script, 22, (seat) => (seat === 0 ? { shout: "hey" } : {}));
    const heard = messagesTo(script, 1, "observation").filter(({ events }) =>
      (events as SocketMessage[]).some(({ type }) => type === "shout"),
    );
    assert.deepEqual(
      heard.map(({ tick }) => tick),
      [1, 21],
    );
  });
});

test("T18 hostile frames over a real socket don't affect the server or the opponent", async () => {
  const ring = await openTestMatches({ after }, ["--tick-seconds", "20"]);
  const { baseUrl } = ring.ladder;
  const { bot, opponent } = await ring.startMatch("hostile");
  opponent.autoplay();
  sendReady(bot, opponent);
  const frames = fc.sample(hostileFrame(0), { numRuns: 400, seed: 81 }).values();
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
    if (message.type !== "observation") return;
    // Every other turn is valid, so that the bot never fails ten turns in a row.
    const { value = "{}" } = frames.next();
    if (message.tick % 2 === 0)
      bot.socket.send(value.replace('"tick":0', `"tick":${message.tick}`));
    bot.send({ type: "turn", tick: message.tick });
  });
  const end = await bot.waitFor("end");
  assert.notEqual(end.reason, "disqualification");
  await fetchVerifiedReplay(baseUrl, end);
  assert.equal(opponent.socket.readyState, opponent.socket.OPEN);
  await getJson(baseUrl, "/api");
});
