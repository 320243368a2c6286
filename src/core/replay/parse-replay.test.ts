import assert from "node:assert/strict";
import { test } from "node:test";

import { allGrids, mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { RecordedTurn, Replay } from "#core/engine/types.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { parseReplay } from "./parse-replay.ts";
import { printReplay, printTick } from "./print-replay.ts";

const grid = allGrids()[0]!;

function print(replay: Replay): string {
  return printReplay(replay, mapView(grid), RULES);
}

function recordedReplay(seed: number): Replay {
  return recordMatch(grid, seed, referencePlayer("fight", seed));
}

test("parses and prints a replay without changes", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const replay = recordedReplay(seed);
    const text = print(replay);
    const read = parseReplay(text);
    assert.deepEqual(read, JSON.parse(JSON.stringify(replay)));
    assert.ok(!("error" in read));
    assert.equal(print(read), text);
  }
});

const turns: [turn: RecordedTurn, text: string][] = [
  [{}, "{}"],
  [null, "null"],
  [{ idle: "timeout" }, '{"idle":"timeout"}'],
  [
    { shout: 'é "q"', attack: { target: [1, 2], name: "blast" }, dash: "n", move: "s" },
    '{"move":"s","dash":"n","attack":{"name":"blast","target":[1,2]},"shout":"é \\"q\\""}',
  ],
  [{ attack: { name: "bolt", target: "ne" } }, '{"attack":{"name":"bolt","target":"ne"}}'],
  [{ attack: { name: '"' } }, '{"attack":{"name":"\\""}}'],
];

test("prints times as JSON does", () => {
  const unencodableTurn = [
    0,
    0.001,
    0.1,
    1,
    12.34,
    999.999,
    299_999.001,
    1e-7,
    0.0005,
    1 / 3,
    1e21,
    -1.5,
  ];
  const recordedTimes = Array.from({ length: 5000 }, (_, index) => (index * 7919 * 7919) / 1000);
  for (const time of [...unencodableTurn, ...recordedTimes]) {
    const tick = { tick: 3, turns: [null], reply_ms: [time], budget_ms: [time], hash: "00000000" };
    assert.equal(printTick(tick), JSON.stringify(tick));
  }
});

test("prints turn parts in the order of the format, without spaces", () => {
  for (const [turn, text] of turns) {
    const tick = {
      tick: 3,
      turns: [turn, {}],
      reply_ms: [null, 1.5],
      budget_ms: [9.25, 8],
      hash: "0".repeat(8),
    };
    assert.equal(
      printTick(tick),
      `{"tick":3,"turns":[${text},{}],"reply_ms":[null,1.5],"budget_ms":[9.25,8],"hash":"00000000"}`,
    );
  }
});

test("parses a match without ticks from header and result", () => {
  const { header } = recordedReplay(1);
  const result = { winner: "A", reason: "forfeit", ticks: 0, hash: "00000000" } as const;
  const replay: Replay = { header, ticks: [], result };
  assert.deepEqual(parseReplay(print(replay)), JSON.parse(JSON.stringify(replay)));
});

test("parses and prints an older replay without counts in its header unchanged", () => {
  const replay = recordedReplay(3);
  const {
    failed_ticks_to_disqualify: _,
    messages_per_tick: _unused,
    ...recordedTimes
  } = replay.header.deadlines;
  const text = print({ ...replay, header: { ...replay.header, deadlines: recordedTimes } });
  const read = parseReplay(text);
  assert.ok(!("error" in read), JSON.stringify(read));
  assert.deepEqual(read.header.deadlines, recordedTimes);
  assert.equal(print(read), text);
  const noTurns = text.replace('"reconnect_ms":', '"failed_ticks_to_disqualify":0,"reconnect_ms":');
  assert.ok("error" in parseReplay(noTurns));
});

test("rejects a damaged file and names the line", () => {
  const text = print(recordedReplay(2));
  const lines = text.split("\n");
  const nestedJson = `"more":${"[".repeat(100)}${"]".repeat(100)},"match_id"`;
  const deep = lines.with(0, lines[0]!.replace('"match_id"', nestedJson)).join("\n");
  const cases: [name: string, text: string, error: RegExp][] = [
    ["cut", text.slice(0, -20), /truncated/],
    ["truncated in its header", text.slice(0, 40), /truncated/],
    ["empty", "", /^this is no replay$/],
    ["a web page", "<!doctype html>\n<p>a ladder</p>", /^this is no replay$/],
    ["a match", '{"id":"m"}', /^this is no replay$/],
    ["no result", `${lines.slice(0, -2).join("\n")}\n`, /last line is not a result/],
    ["no header", lines.slice(1).join("\n"), /^this is no replay$/],
    ["half a header", '{"type":"replay","seed":1}\n{}\n', /line 1 is not a replay header/],
    ["a missing tick", lines.toSpliced(5, 1).join("\n"), /line 6 is not tick 4/],
    ["no JSON", lines.toSpliced(3, 1, "{oops").join("\n"), /line 4 is not JSON/],
    ["nested lists", deep, /^line 1 is not JSON$/],
    ["another kind", '{"type":"news"}\n{}\n', /^this is no replay$/],
    ["too long", " ".repeat(5_000_000), /too long/],
  ];
  for (const [name, damaged, error] of cases) {
    const read = parseReplay(damaged);
    assert.ok("error" in read, name);
    assert.match(read.error, error, name);
  }
});
