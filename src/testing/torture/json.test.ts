import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import fc from "fast-check";

import { ANY_CHARACTER } from "#testing/fixtures/any-character.ts";
import {
  answer,
  ending,
  lastSeen,
  playTo,
  playing,
  ticksOf,
  toldTo,
  verifiedReplay,
} from "#testing/fixtures/match-script.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { getJson, openRing, ready, replayOf } from "#testing/harness/duel.ts";

/** Values of types that a turn does not expect, as JSON text. */
const hostile = fc.oneof(
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

/** A turn-like object with any keys, some of them duplicated, whose tick is often right. */
function hostileFrame(tick: number): fc.Arbitrary<string> {
  const field = fc
    .tuple(fc.constantFrom(...KEYS), hostile)
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  const object = fc
    .array(field, { maxLength: 6 })
    .map((fields) => `{${['"type":"turn"', `"tick":${tick}`, ...fields].join(",")}}`);
  const cut = fc.tuple(object, fc.nat(200)).map(([text, length]) => text.slice(0, length));
  return fc.oneof(
    { weight: 4, arbitrary: object },
    cut,
    hostile,
    fc.string({ unit: ANY_CHARACTER }),
  );
}

test("T18 whatever a frame holds, a tick has one turn, and no number breaks", () => {
  fc.assert(
    fc.property(hostileFrame(2), hostileFrame(3), (first, second) => {
      const script = playing();
      playTo(script, 2);
      const said = [first, second];
      playTo(script, 4, (seat, tick) => (seat === 0 ? said[tick - 2] : {}));
      assert.equal(ending(script), "playing at 4");
      assert.deepEqual(toldTo(script, 1, "error"), []);
      script.remove(1);
      verifiedReplay(script);
    }),
    { numRuns: 200, seed: 18 },
  );
  assert.equal(({} as { tick?: number }).tick, undefined);
});

test("T18 the last of duplicate keys counts, and unknown keys are ignored", () => {
  const script = playing();
  script.say(
    0,
    '{"type":"turn","tick":9,"tick":0,"move":"up","move":"n","__proto__":{"dash":"e"}}',
  );
  answer(script, 1);
  assert.deepEqual(ticksOf(script.match)[0]!.turns[0], { move: "n" });
});

suite("T26 a shout", () => {
  const forty = "a".repeat(40);
  const cases: [name: string, shout: string, heard: string | null][] = [
    ["of forty letters", forty, forty],
    ["of forty-one letters", `${forty}a`, null],
    ["of forty emoji", "🥊".repeat(40), "🥊".repeat(40)],
    ["of forty-one emoji", "🥊".repeat(41), null],
    ["of forty letters between spaces", `  ${forty} \u00a0`, forty],
    ["from right to left", "\u202eשלום", "שלום"],
    ["of nothing to be seen", "\u200b\u200d\ufeff", null],
    ["with nothing between letters", "a\u200bb\u0000c\u2028d", "abcd"],
    ["in colour", "\u001b[31mred\u001b[0m", "[31mred[0m"],
    ["that is a script", "</script><script>alert(1)", "</script><script>alert(1)"],
    ["of half a character", "a\ud83e", "a"],
    ["of two lines", "a\nb\r\n", "ab"],
    ["that is empty", "", null],
    ["that is blank", " \t\u3000", null],
    ["that is far too long", "x".repeat(10_000), null],
  ];
  for (const [name, shout, heard] of cases)
    test(`${name} is ${heard === null ? "refused as bad_text" : "heard"}`, () => {
      const script = playing();
      answer(script, 0, { shout });
      answer(script, 1);
      const events = [0, 1].map((seat) => lastSeen(script, seat).events as Heard[]);
      const shouts = events.map((list) => list.filter(({ type }) => type === "shout"));
      const expected = heard === null ? [] : [{ type: "shout", by: "A", text: heard }];
      assert.deepEqual(shouts, [expected, expected]);
      const refused = events[0]!.map(({ reason, field }) => [reason, field]);
      if (heard === null) assert.deepEqual(refused, [["bad_text", "shout"]]);
      script.remove(1);
      verifiedReplay(script);
    });

  test("is heard again after twenty ticks, not before", () => {
    const script = playing();
    playTo(script, 22, (seat) => (seat === 0 ? { shout: "hey" } : {}));
    const heard = toldTo(script, 1, "observation").filter(({ events }) =>
      (events as Heard[]).some(({ type }) => type === "shout"),
    );
    assert.deepEqual(
      heard.map(({ tick }) => tick),
      [1, 21],
    );
  });
});

test("T18 hostile frames over a real socket leave the server and the opponent unharmed", async () => {
  const ring = await openRing({ after }, ["--tick-seconds", "20"]);
  const { baseUrl } = ring.ladder;
  const { bot, opponent } = await ring.enter("hostile");
  opponent.autoplay();
  ready(bot, opponent);
  const frames = fc.sample(hostileFrame(0), { numRuns: 400, seed: 81 }).values();
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
    if (message.type !== "observation") return;
    // Every other tick is sound, so that ten failures in a row never come.
    const { value = "{}" } = frames.next();
    if (message.tick % 2 === 0)
      bot.socket.send(value.replace('"tick":0', `"tick":${message.tick}`));
    bot.say({ type: "turn", tick: message.tick });
  });
  const end = await bot.next("end");
  assert.notEqual(end.reason, "disqualification");
  await replayOf(baseUrl, end);
  assert.equal(opponent.socket.readyState, opponent.socket.OPEN);
  await getJson(baseUrl, "/api");
});
