import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { ATTACKS, DIRECTIONS } from "#engine/types.ts";

import { parseMessage } from "./parse.ts";
import { readUsualTurn } from "./usual-turn.ts";

const direction = fc.constantFrom(...DIRECTIONS);
const number = fc.oneof(fc.nat(9), fc.nat(40), fc.nat(999_999_999));
const attack = fc.record(
  { name: fc.constantFrom(...ATTACKS), target: fc.oneof(direction, fc.tuple(number, number)) },
  { requiredKeys: ["name"] },
);
const message = fc
  .record(
    { tick: number, move: direction, dash: direction, attack },
    { requiredKeys: ["tick"], noNullPrototype: true },
  )
  .map(({ tick, move, dash, attack: aimed }) => ({
    type: "turn",
    tick,
    ...(move === undefined ? {} : { move }),
    ...(dash === undefined ? {} : { dash }),
    ...(aimed === undefined ? {} : { attack: aimed }),
  }));

/** As Python's json.dumps prints it; no word of a turn holds a colon or a comma. */
const spaced = (text: string): string => text.replaceAll(":", ": ").replaceAll(",", ", ");
const printed = fc
  .tuple(message, fc.boolean())
  .map(([value, isSpaced]) => (isSpaced ? spaced(JSON.stringify(value)) : JSON.stringify(value)));

/** The same text read by JSON.parse alone: no usual turn ends in a space. */
const byJson = (text: string) => parseMessage(`${text} `);

test("what a bot prints in the usual way is read in place, as JSON.parse reads it", () => {
  fc.assert(
    fc.property(printed, (text) => {
      assert.notEqual(readUsualTurn(text), null, text);
      assert.deepEqual(parseMessage(text), byJson(text), text);
    }),
    { numRuns: 2000 },
  );
});

const ODDITIES = fc.oneof(
  fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", " ", "x", "\u0000", "\u00e9"),
  fc.constantFrom("0", "1", "9", ".", "-", "+", "e", "E", "n", "s", "w", "00"),
  fc.constantFrom("null", '"move"', '"n"', "tick"),
);

test("with anything put in, taken out or put for something else it is read as JSON.parse reads it", () => {
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat(4),
    text: fc.oneof(fc.constant(""), ODDITIES, fc.string({ maxLength: 3 })),
  });
  fc.assert(
    fc.property(printed, fc.array(change, { minLength: 1, maxLength: 2 }), (text, changes) => {
      let odd = text;
      for (const { at, length, text: put } of changes) {
        const place = at % (odd.length + 1);
        odd = odd.slice(0, place) + put + odd.slice(place + length);
      }
      assert.deepEqual(parseMessage(odd), byJson(odd), odd);
    }),
    { numRuns: 20_000 },
  );
});

const others = [
  '{"type":"turn","tick":01}',
  '{"type":"turn","tick":1234567890}',
  '{"type":"turn","tick":-1}',
  '{"type":"turn","tick":1.0}',
  '{"type":"turn","tick":}',
  '{"type":"turn", "tick":1}',
  '{"tick":1,"type":"turn"}',
  '{"type":"turn","tick":1,"dash":"n","move":"n"}',
  '{"type":"turn","tick":1,"move":null}',
  '{"type":"turn","tick":1,"move":"up"}',
  '{"type":"turn","tick":1,"attack":{"name":"bite"}}',
  '{"type":"turn","tick":1,"attack":{"name":"bolt","target":"up"}}',
  '{"type":"turn","tick":1,"attack":{"name":"blast","target":[1]}}',
  '{"type":"turn","tick":1,"attack":{"name":"blast","target":[1,2,3]}}',
  '{"type":"turn","tick":1,"attack":{"name":"blast","target":[1,2]},"shout":"hi"}',
  '{"type":"turn","tick":1}}',
  '{"type":"turn","tick":1}\n',
  '{"type":"leave"}',
  "",
];

test("whatever is written in another way is left to JSON.parse", () => {
  for (const text of others) assert.equal(readUsualTurn(text), null, text);
});
