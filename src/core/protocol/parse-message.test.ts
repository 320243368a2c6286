import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";
import { Check } from "typebox/schema";

import { CLIENT_MESSAGES } from "#core/api/socket-schemas.ts";
import { ANY_CHARACTER } from "#testing/fixtures/any-character.ts";

import { parseClientMessage } from "./parse-message.ts";
import type { ClientMessage } from "./parse-message.ts";

const VALID_MESSAGES: [text: string, message: ClientMessage][] = [
  ['{"type":"queue","version":"v1"}', { type: "queue", version: "v1", ladderId: null }],
  [
    '{"type":"queue","version":"v1","ladder_id":null}',
    { type: "queue", version: "v1", ladderId: null },
  ],
  [
    '{"type":"queue","version":"v1","ladder_id":"cup"}',
    { type: "queue", version: "v1", ladderId: "cup" },
  ],
  ['{"type":"leave","why":"tired"}', { type: "leave" }],
  ['{"type":"ready"}', { type: "ready", matchId: null }],
  ['{"type":"ready","match_id":"m1"}', { type: "ready", matchId: "m1" }],
  ['{"type":"ready","match_id":7}', { type: "ready", matchId: "" }],
  ['{"type":"turn","tick":0}', { type: "turn", tick: 0, turn: {} }],
  [
    '{"type":"turn","tick":97,"move":"se","attack":{"name":"bolt","target":"e"},"shout":"hi"}',
    {
      type: "turn",
      tick: 97,
      turn: { move: "se", attack: { name: "bolt", target: "e" }, shout: "hi" },
    },
  ],
  [
    '{"type":"turn","tick":1,"move":null,"dash":null,"attack":null,"shout":null}',
    { type: "turn", tick: 1, turn: {} },
  ],
  [
    '{"type":"turn","tick":1,"move":"n","move":"s"}',
    { type: "turn", tick: 1, turn: { move: "s" } },
  ],
  ['{"type":"turn","tick":3.0}', { type: "turn", tick: 3, turn: {} }],
  ['{"type":"turn","tick":1,"__proto__":{"move":"n"}}', { type: "turn", tick: 1, turn: {} }],
];

test("parses valid messages", () => {
  for (const [text, message] of VALID_MESSAGES)
    assert.deepEqual(parseClientMessage(text), message, text);
});

test("leaves an invalid target to the engine, which refuses the attack", () => {
  for (const target of ["up", [1], [1, 2, 3], [1.5, 2], ["1", 2], 7, {}, null, [1, null]]) {
    const text = JSON.stringify({ type: "turn", tick: 1, attack: { name: "blast", target } });
    const expected = { type: "turn", tick: 1, turn: { attack: { name: "blast" } } };
    assert.deepEqual(parseClientMessage(text), expected, text);
  }
});

const INVALID_TURNS: [string, RegExp][] = [
  ['{"type":"turn","tick":1,"move":"up"}', /'move' is one of n, ne/],
  ['{"type":"turn","tick":1,"move":["n"]}', /'move'/],
  ['{"type":"turn","tick":1,"move":"n\u6e65"}', /'move'/],
  ['{"type":"turn","tick":1,"dash":"\u6e65"}', /'dash'/],
  ['{"type":"turn","tick":1,"dash":5}', /'dash'/],
  ['{"type":"turn","tick":1,"attack":"bolt"}', /'attack' is an object/],
  ['{"type":"turn","tick":1,"attack":[]}', /'attack' is an object/],
  ['{"type":"turn","tick":1,"attack":{}}', /'attack.name'/],
  ['{"type":"turn","tick":1,"shout":{}}', /'shout'/],
];

test("keeps the tick of an invalid turn", () => {
  for (const [text, expectedTurn] of INVALID_TURNS) {
    const message = parseClientMessage(text);
    assert.ok(message.type === "bad_turn" && message.tick === 1, text);
    assert.match(message.message, expectedTurn, text);
  }
});

const MALFORMED_MESSAGES = [
  "null",
  "[]",
  '""',
  "{}",
  "1",
  "true",
  '{"type":"ping"}',
  '{"type":7}',
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
];

test("T18 recognizes a turn whose tick can't be read", () => {
  for (const tick of ['"5"', "5.5", "-1", "1e400", "null", "[1]", "{}"]) {
    const message = parseClientMessage(`{"type":"turn","tick":${tick}}`);
    assert.ok(message.type === "bad_turn" && message.tick === null, tick);
  }
  assert.equal(parseClientMessage('{"type":"turn"}').type, "bad_turn");
});

test("recognizes an invalid queue message", () => {
  for (const rest of ["", ',"version":5', ',"version":"v1","ladder_id":5'])
    assert.equal(parseClientMessage(`{"type":"queue"${rest}}`).type, "bad_queue", rest);
});

test("T18 T19 reports schema errors", () => {
  for (const text of MALFORMED_MESSAGES) {
    const message = parseClientMessage(text);
    assert.ok(message.type === "bad" && message.error.reason === "schema", text.slice(0, 80));
  }
});

test("rejects anything but JSON as malformed", () => {
  for (const text of [
    "",
    "{",
    "\u0000",
    "{'type':'turn'}",
    '{"type":"turn",}',
    "NaN",
    "[".repeat(9000),
  ]) {
    const message = parseClientMessage(text);
    assert.ok(
      message.type === "bad" && message.error.reason === "malformed_json",
      text.slice(0, 40),
    );
  }
});

test("T18 never throws", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: ANY_CHARACTER }),
    fc.double(),
    fc.constant(null),
  );
  const fields = fc.dictionary(
    fc.constantFrom("type", "tick", "move", "dash", "attack", "shout", "version", "__proto__"),
    fc.oneof(value, fc.constantFrom("turn", "queue", "ready", "leave", "n", "blast")),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fields.map((object) => JSON.stringify(object)),
      ),
      (text) => {
        assert.ok(parseClientMessage(text).type.length > 0);
      },
    ),
    { numRuns: 500 },
  );
});

test("the hand-written parser and the published schemas accept the same messages", () => {
  const part = fc.constantFrom("n", "sw", "up", null, 5, {}, [], "");
  const attack = fc.constantFrom(
    null,
    {},
    [],
    "bolt",
    { name: "bolt" },
    { name: 5 },
    { name: "x", target: [1, 2] },
  );
  const turns = fc.record(
    {
      type: fc.constant("turn"),
      tick: fc.constantFrom(0, 5, -1, 1.5, "1", null),
      move: part,
      dash: part,
      attack,
      shout: fc.constantFrom("hey", null, 5, {}),
    },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(turns, (turn) => {
      const isFine = parseClientMessage(JSON.stringify(turn)).type === "turn";
      assert.equal(isFine, Check(CLIENT_MESSAGES.turn, turn), JSON.stringify(turn));
    }),
    { numRuns: 3000 },
  );
});
