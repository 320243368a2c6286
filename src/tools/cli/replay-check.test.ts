import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gridOf, mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Replay } from "#core/engine/types.ts";
import { printReplay } from "#core/replay/print-replay.ts";
import { rulesHash } from "#server/composition/versions.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { referencePlayer } from "#testing/fixtures/reference-play.ts";

import { checkReplay, versionNote } from "./replay-check.ts";

const grid = gridOf("cage")!;

function recorded(change: (replay: Replay) => void = () => {}): string {
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

const GOOD = recorded();
const LINES = GOOD.split("\n");

describe("checking a replay", () => {
  it("agrees with the record, and counts its statistics again", () => {
    const checked = checkReplay(GOOD);
    assert.ok(!("error" in checked));
    assert.equal(checked.mismatch, null);
    assert.equal(checked.stats?.ticks, checked.replay.ticks.length);
    assert.equal(versionNote(checked.replay.header), null);
  });

  const changed: [string, (replay: Replay) => void, string][] = [
    ["another seed", ({ header }) => (header.seed += 1), "0 hash"],
    ["another move", ({ ticks }) => (ticks[45]!.turns[0] = { move: "w" }), "45 hash"],
    ["a turn of a fallen one", ({ ticks }) => (ticks[90]!.turns[1] = null), "90 hash"],
    ["another hash", ({ ticks }) => (ticks[12]!.hash = "00000000"), "12 hash"],
    ["another winner", ({ result }) => (result.winner = "A"), "- winner"],
    ["another reason", ({ result }) => (result.reason = "timeout_hp"), "- reason"],
    ["another trace", ({ result }) => (result.hash = "00000000"), "- trace"],
    ["fewer ticks", ({ ticks }) => ticks.pop(), "- ticks"],
    ["time from nowhere", ({ ticks }) => (ticks[5]!.budget_ms[0] = 299_000.5), "6 budget_ms"],
    ["a reply that cost nothing", ({ ticks }) => (ticks[5]!.reply_ms[1] = 12), "5 budget_ms"],
    ["seats that changed places", ({ header }) => header.fighters.reverse(), "- fighters"],
    [
      "another hash of the rules",
      ({ header }) => (header.versions.rules_hash = "0"),
      "- rules_hash",
    ],
  ];
  for (const [name, change, verdict] of changed)
    it(`notices ${name}`, () => assert.equal(verdictOf(recorded(change)), verdict));

  it("accepts budgets that pay for replies, to the microsecond", () => {
    const text = recorded(({ ticks }) => {
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

  it("notices other rules and another map under the same version", () => {
    assert.equal(verdictOf(GOOD.replace('"hp":120', '"hp":121')), "- rules");
    assert.equal(verdictOf(GOOD.replace("#1....#", "#.1...#")), "- map");
    assert.equal(verdictOf(GOOD.replace('"name":"cage"', '"name":"cave"')), "- map");
  });

  it("says when another engine recorded it", () => {
    const checked = checkReplay(recorded(({ header }) => (header.versions.rules = "0.1.0")));
    assert.ok(!("error" in checked));
    assert.match(versionNote(checked.replay.header) ?? "", /recorded by .* rules 0\.1\.0; this is/);
  });

  it("never accepts a flipped bit of a hash, a tick number or the result", () => {
    for (const [number, line] of LINES.slice(1, -1).entries())
      for (const at of guarded(line)) {
        const lines = LINES.with(number + 1, flipped(line, at));
        assert.notEqual(verdictOf(lines.join("\n")), "ok", `line ${number + 2}, character ${at}`);
      }
  });

  it("never fails otherwise, whatever bit is flipped", () => {
    for (let at = 0; at < GOOD.length; at += 61) verdictOf(flipped(GOOD, at));
  });

  it("never accepts a truncated file", () => {
    for (let end = 0; end < GOOD.length; end += 211)
      assert.match(
        verdictOf(GOOD.slice(0, end)),
        /^the file is cut|^this is no replay|^the last line is no result/,
      );
  });

  it("notices a missing line", () => {
    assert.equal(verdictOf(LINES.toSpliced(20, 1).join("\n")), "line 21 is not tick 19");
    assert.equal(verdictOf(LINES.toSpliced(-2, 1).join("\n")), "the last line is no result");
  });
});

/** Some places in a line where any other character is wrong. */
function guarded(line: string): number[] {
  const hash = line.indexOf('"hash":"') + 8;
  const number = Math.max(line.indexOf('{"tick":') + 8, line.indexOf('"ticks":') + 8);
  return [hash, hash + 7, number, 0, line.length - 1];
}

function flipped(text: string, at: number): string {
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}
