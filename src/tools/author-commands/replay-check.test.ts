import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gridOf, mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Replay } from "#core/engine/types.ts";
import { printReplay } from "#core/replay/print-replay.ts";
import { rulesHash } from "#server/composition/versions.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { checkReplay, describeVersionMismatch } from "./replay-check.ts";

const grid = gridOf("cage")!;

function recordReplay(change: (replay: Replay) => void = () => {}): string {
  const replay = recordMatch(grid, 9, referencePlayer("fight", 9));
  replay.header.versions.rules_hash = rulesHash();
  change(replay);
  return printReplay(replay, mapView(grid), RULES);
}

function verdictOf(text: string): string {
  const checked = checkReplay(text);
  if ("error" in checked) return checked.error;
  const { mismatch } = checked;
  return mismatch === null ? "ok" : `${mismatch.tick ?? "-"} ${mismatch.field}`;
}

const VALID_REPLAY = recordReplay();
const LINES = VALID_REPLAY.split("\n");

describe("checkReplay", () => {
  it("accepts a genuine replay and recomputes its statistics", () => {
    const checked = checkReplay(VALID_REPLAY);
    assert.ok(!("error" in checked));
    assert.equal(checked.mismatch, null);
    assert.equal(checked.stats?.ticks, checked.replay.ticks.length);
    assert.equal(describeVersionMismatch(checked.replay.header), null);
  });

  const changedText: [string, (replay: Replay) => void, string][] = [
    ["a changed seed", ({ header }) => (header.seed += 1), "0 hash"],
    ["a changed move", ({ ticks }) => (ticks[45]!.turns[0] = { move: "w" }), "45 hash"],
    ["a turn of a fallen fighter", ({ ticks }) => (ticks[90]!.turns[1] = null), "90 hash"],
    ["a changed hash", ({ ticks }) => (ticks[12]!.hash = "00000000"), "12 hash"],
    ["a changed winner", ({ result }) => (result.winner = "A"), "- winner"],
    ["a changed reason", ({ result }) => (result.reason = "timeout_hp"), "- reason"],
    ["a changed trace", ({ result }) => (result.hash = "00000000"), "- trace"],
    ["fewer ticks", ({ ticks }) => ticks.pop(), "- ticks"],
    ["added time budget", ({ ticks }) => (ticks[5]!.budget_ms[0] = 299_000.5), "6 budget_ms"],
    ["a reply that cost no time", ({ ticks }) => (ticks[5]!.reply_ms[1] = 12), "5 budget_ms"],
    ["swapped seats", ({ header }) => header.fighters.reverse(), "- fighters"],
    ["a changed rules hash", ({ header }) => (header.versions.rules_hash = "0"), "- rules_hash"],
  ];
  for (const [name, change, verdict] of changedText)
    it(`detects ${name}`, () => assert.equal(verdictOf(recordReplay(change)), verdict));

  it("accepts budgets that match the reply times to the microsecond", () => {
    const text = recordReplay(({ ticks }) => {
      let budget = 300_000_000;
      for (const [index, tick] of ticks.entries()) {
        const cost = (index * 997) % 50_000;
        budget -= cost;
        tick.reply_ms[0] = cost / 1000;
        tick.budget_ms[0] = budget / 1000;
      }
    });
    assert.equal(verdictOf(text), "ok");
  });

  it("detects changed rules or a changed map with the same version", () => {
    assert.equal(verdictOf(VALID_REPLAY.replace('"hp":120', '"hp":121')), "- rules");
    assert.equal(verdictOf(VALID_REPLAY.replace("#1....#", "#.1...#")), "- map");
    assert.equal(verdictOf(VALID_REPLAY.replace('"name":"cage"', '"name":"cave"')), "- map");
  });

  it("reports that another engine version recorded the replay", () => {
    const checked = checkReplay(recordReplay(({ header }) => (header.versions.rules = "0.1.0")));
    assert.ok(!("error" in checked));
    assert.match(
      describeVersionMismatch(checked.replay.header) ?? "",
      /recorded by .* rules 0\.1\.0; this is/,
    );
  });

  it("rejects any flipped bit in a hash, a tick number or the result", () => {
    for (const [number, line] of LINES.slice(1, -1).entries())
      for (const at of checkedPositions(line)) {
        const lines = LINES.with(number + 1, flipByte(line, at));
        assert.notEqual(verdictOf(lines.join("\n")), "ok", `line ${number + 2}, character ${at}`);
      }
  });

  it("reports any other flipped bit without crashing", () => {
    for (let at = 0; at < VALID_REPLAY.length; at += 61) verdictOf(flipByte(VALID_REPLAY, at));
  });

  it("rejects a truncated file", () => {
    for (let end = 0; end < VALID_REPLAY.length; end += 211)
      assert.match(
        verdictOf(VALID_REPLAY.slice(0, end)),
        /^the file is truncated|^this is no replay|^the last line is not a result/,
      );
  });

  it("detects a missing line", () => {
    assert.equal(verdictOf(LINES.toSpliced(20, 1).join("\n")), "line 21 is not tick 19");
    assert.equal(verdictOf(LINES.toSpliced(-2, 1).join("\n")), "the last line is not a result");
  });
});

/** Returns the positions in a line where any change must be detected. */
function checkedPositions(line: string): number[] {
  const hash = line.indexOf('"hash":"') + 8;
  const number = Math.max(line.indexOf('{"tick":') + 8, line.indexOf('"ticks":') + 8);
  return [hash, hash + 7, number, 0, line.length - 1];
}

function flipByte(text: string, at: number): string {
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}
