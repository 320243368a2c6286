import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";

import { Type } from "typebox";
import { Check } from "typebox/schema";

import { MAP_NAMES, gridOf, mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Replay } from "#core/engine/types.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";
import { printReplay } from "#core/replay/print-replay.ts";
import { ReplayHeaderSchema, ReplayResultSchema } from "#core/replay/schema-replay.ts";
import { rulesHash } from "#server/composition/versions.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { referencePlayer } from "#testing/fixtures/reference-play.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

const REPLAY = textOf("cage", 9);
const ZIPPED = gzipSync(REPLAY);

const SUMMARY = `match      match-9 (ranked, ladder public, 2026-01-01T00:00:00.000Z)
fight      bot-A@1 against bot-B@1 on cage, seed 9
versions   engine 0.23.0, rules 0.22.0, protocol 0.6
result     B bot-B wins after 93 ticks (last_standing: knockout)
replay     ok: all 93 ticks play again as recorded

                 A bot-A                                  B bot-B
hp at the end    0                                        24
damage dealt     92                                       72
damage taken     120                                      96
healed           0                                        0
moves, dashes    30, 6                                    30, 7
slams, stunned   1, 2                                     1, 2
pickups h, p     0, 0                                     0, 0
refused turns    46 blocked, 8 not_visible, 24 not_ready  24 not_ready, 2 not_visible, 49 blocked
failed turns     0                                        0
reply p95, max   -                                        -
strike           1 of 4 hit, 8 damage                     1 of 4 hit, 8 damage
bolt             1 of 1 hit, 7 damage                     1 of 5 hit, 7 damage
hook             2 of 3 hit, 6 damage                     0 of 2 hit, 0 damage
repulse          3 of 5 hit, 9 damage                     1 of 3 hit, 3 damage
blast            1 of 1 hit, 12 damage                    1 of 1 hit, 12 damage
scorch           2 of 2 hit, 40 damage                    1 of 2 hit, 28 damage
`;

const TICK_45 = `tick 45  zone radius 6 (shrinks in 34)
    0 1 2 3 4 5 6 7 8 9 0 1 2
 0  # # # # # # # # # # # # #
 1  # . . . . . # . . . . . #
 2  # . . . . . H . . . . . #
 3  # . . # . . . . . # . . #
 4  # . . . . o . o . . . . #
 5  # . . A . . B . . . . . #
 6  # # + . . . . . . . + # #
 7  # . . . . . . . . . . . #
 8  # . . . . o . o . . . . #
 9  # . . # . . . . . # . . #
10  # . . . . . P . . . . . #
11  # . . . . . # . . . . . #
12  # # # # # # # # # # # # #
A bot-A@1              80 hp  waits for strike 1, bolt 1, hook 15, repulse 13, blast 1, scorch 4  at 3,5
B bot-B@1             106 hp  waits for dash 2, scorch 3  at 6,5
  A: move e, repulse
  B: move sw
  - A uses repulse from 2,5
  - B is hit by the repulse of A: -3
  - B is thrown 3 tiles e
  - the move of B is refused (blocked: something is in the way)
`;

function textOf(map: string, seed: number): string {
  const grid = gridOf(map)!;
  const replay = recordMatch(grid, seed, referencePlayer("fight", seed));
  replay.header.versions.rules_hash = rulesHash();
  return printReplay(replay, mapView(grid), RULES);
}

before(() => {
  writeFileSync(path("good.jsonl"), REPLAY);
  writeFileSync(path("good.jsonl.gz"), ZIPPED);
  writeFileSync(path("cut.jsonl"), REPLAY.slice(0, 9000));
  writeFileSync(path("cut.jsonl.gz"), ZIPPED.subarray(0, ZIPPED.length / 2));
  writeFileSync(path("flipped.jsonl.gz"), ZIPPED.with(ZIPPED.length / 2, 0));
  writeFileSync(path("lied.jsonl"), REPLAY.replace('"winner":"B"', '"winner":"A"'));
  writeFileSync(path("moved.jsonl"), REPLAY.replace('"move":"e"', '"move":"w"'));
  writeFileSync(path("foreign.json"), `${JSON.stringify({ hello: "world" }, null, 2)}\n`);
  writeFileSync(path("foreign.png"), Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 255, 254]));
  writeFileSync(path("empty"), "");
  writeFileSync(path("bomb.gz"), gzipSync(Buffer.alloc(20_000_000)));
});

describe("bout replay", () => {
  it("verifies a file and sums it up, gzipped or not", async () => {
    for (const name of ["good.jsonl", "good.jsonl.gz"])
      assert.deepEqual(await runBout(["replay", path(name)]), { code: 0, out: SUMMARY, err: "" });
  });

  it("shows one tick", async () => {
    const shown = await runBout(["replay", path("good.jsonl"), "--tick", "45"]);
    assert.deepEqual(shown, { code: 0, out: TICK_45, err: "" });
  });

  it("prints the whole fight: each tick, then the sum", async () => {
    const { code, out } = await runBout(["replay", path("good.jsonl"), "--print"]);
    assert.equal(code, 0);
    assert.equal(out.match(/^tick \d+ /gm)?.length, 93);
    assert.ok(out.includes(TICK_45));
    assert.ok(out.endsWith(SUMMARY));
    assert.match(out, /- A falls\n\n/);
  });

  it("verifies several files, one line each; the worst one decides the exit code", async () => {
    const files = ["good.jsonl", "lied.jsonl", "good.jsonl.gz"].map(path);
    const { code, out } = await runBout(["replay", ...files]);
    assert.equal(code, 1);
    const verdicts = out.split("\n").map((line) => line.replace(/^.*?: (ok|MISMATCH).*$/, "$1"));
    assert.deepEqual(verdicts, ["ok", "MISMATCH", "ok", ""]);
    assert.equal((await runBout(["replay", path("lied.jsonl"), path("cut.jsonl")])).code, 2);
  });

  it("says in one line why it cannot read a file", async () => {
    const problems: [string, RegExp][] = [
      ["cut.jsonl", /the file is cut/],
      ["cut.jsonl.gz", /the gzip file is cut/],
      ["flipped.jsonl.gz", /the gzip file is damaged/],
      ["foreign.json", /: this is no replay/],
      ["foreign.png", /not UTF-8 text/],
      ["empty", /this is no replay/],
      ["bomb.gz", /too long for a replay/],
      ["absent", /there is no such file/],
      [".", /it is a folder/],
      ["/dev/zero", /too long for a replay/],
    ];
    const files = problems.map(([name]) => resolve(folder, name));
    const { code, out, err } = await runBout(["replay", ...files]);
    assert.deepEqual([code, out], [2, ""]);
    const lines = err.trimEnd().split("\n");
    assert.equal(lines.length, problems.length);
    for (const [index, [, problem]] of problems.entries()) {
      assert.match(lines[index]!, problem);
      assert.match(lines[index]!, /^bout replay: .*\.$/);
    }
  });

  it("names the first difference", async () => {
    const lied = await runBout(["replay", path("lied.jsonl")]);
    assert.equal(lied.code, 1);
    assert.match(lied.out, /MISMATCH: winner is A in the file, but B when played/);
    const moved = await runBout(["replay", path("moved.jsonl"), "--json"]);
    assert.equal(moved.code, 1);
    const { ok, mismatch, stats } = JSON.parse(moved.out);
    assert.deepEqual([ok, mismatch.field, stats], [false, "hash", null]);
    assert.match(mismatch.simulated, /^[0-9a-f]{8}$/);
  });

  it("gives verification and statistics as JSON", async () => {
    const files = [path("good.jsonl.gz"), path("cut.jsonl")];
    const { code, out, err } = await runBout(["replay", ...files, "--json"]);
    assert.deepEqual([code, err], [2, ""]);
    const [good, cut] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    assert.ok(Check(ReportSchema, good));
    assert.deepEqual(cut, {
      file: path("cut.jsonl"),
      ok: false,
      error: "the file is cut: its last line has no end",
    });
  });

  it("verifies matches on all maps", async () => {
    const files = MAP_NAMES.map((map, seed) => {
      const file = path(`${map}.jsonl.gz`);
      writeFileSync(file, gzipSync(textOf(map, seed)));
      return file;
    });
    assert.equal((await runBout(["replay", ...files])).code, 0);
  });

  const wrong: [string[], RegExp][] = [
    [[], /missing required argument 'FILE'/],
    [["x", "--frobnicate"], /unknown option '--frobnicate'/],
    [["x", "--tick", "many"], /whole number from 0 to 299/],
    [["x", "--print", "--json"], /exclude each other/],
    [["x", "--step"], /needs a terminal/],
    [[path("good.jsonl"), "--tick", "93"], /there is no tick 93: the last one to be played is 92/],
  ];
  for (const [args, problem] of wrong)
    it(`refuses ${args.slice(-2).join(" ") || "no file"} in one line`, async () => {
      const { code, out, err } = await runBout(["replay", ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, problem);
      assert.match(err, /^bout replay: .*\n$/);
    });

  it("has help", async () => {
    const { code, out } = await runBout(["replay", "--help"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: bout replay FILE\.\.\./);
  });
});

const ReportSchema = Type.Object({
  file: Type.String(),
  ok: Type.Literal(true),
  mismatch: Type.Null(),
  note: Type.Null(),
  header: Type.Object({
    ...Type.Omit(ReplayHeaderSchema, ["type", "replay_version", "map", "rules"]).properties,
    map: Type.String(),
  }),
  result: Type.Omit(ReplayResultSchema, ["type"]),
  stats: MatchStatsSchema,
});

/**
 * Starts a sequence, rings the bell, clears, starts one in C1, deletes, reverses the text
 * direction.
 */
const HOSTILE = "\u001b]0;OWNED\u0007\u001b[2J\u009b31m\u007f\u202e\r\nok";
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}]|^ok/mu;

describe("bout replay of a stranger's file (T95)", () => {
  before(() => {
    const grid = gridOf("cage")!;
    const { header, ticks, result } = recordMatch(grid, 9, (_, seat) => {
      return seat === 0 ? { attack: { name: HOSTILE } } : { move: "n" };
    });
    const { versions, fighters } = header;
    versions.rules_hash = rulesHash();
    // Genuine: every bot of a ladder can play such a turn.
    writeFileSync(path("played.jsonl"), printReplay(replayWith({}), mapView(grid), RULES));
    const forged = {
      match_id: HOSTILE,
      ladder_id: HOSTILE,
      mode: HOSTILE,
      versions: { ...versions, engine: HOSTILE, protocol: HOSTILE },
      fighters: fighters.map((fighter) => ({ ...fighter, name: HOSTILE, version: HOSTILE })),
    };
    const shouted = ticks.map((tick) => ({ ...tick, turns: [{ shout: HOSTILE }, {}] }));
    const texts = [replayWith(forged), { ...replayWith(forged), ticks: shouted }];
    for (const [index, replay] of texts.entries())
      writeFileSync(path(`forged-${index}.jsonl`), printReplay(replay, mapView(grid), RULES));
    const garbage = [HOSTILE, REPLAY.replace('"winner":"B"', JSON.stringify({ [HOSTILE]: 1 }))];
    for (const [index, text] of garbage.entries())
      writeFileSync(path(`garbage-${index}.jsonl`), text);

    function replayWith(more: Partial<Replay["header"]>): Replay {
      return { header: { ...header, ...more }, ticks, result };
    }
  });

  const names = ["played", "forged-0", "forged-1", "garbage-0", "garbage-1"];
  const files = () => names.map((name) => path(`${name}.jsonl`));
  const views = [[], ["--print"], ["--tick", "3"]];
  for (const [at, name] of names.entries())
    it(`obeys nothing of ${name}.jsonl`, async () => {
      for (const view of views) {
        const { out, err } = await runBout(["replay", files()[at]!, ...view]);
        assert.doesNotMatch(out + err, OBEYED, view.join(" "));
        if (name === "forged-0") assert.match(out + err, /\\u001b\]0;OWNED\\u0007/);
      }
    });

  for (const view of [[], ["--json"]])
    it(`obeys nothing of several files${view.map((flag) => ` with ${flag}`).join("")}`, async () => {
      const { out, err } = await runBout(["replay", ...files(), ...view]);
      assert.doesNotMatch(out + err, OBEYED);
      for (const file of files()) assert.ok((out + err).includes(file), file);
      if (view.length > 0) assert.match(out, /\\u001b\]0;OWNED\\u0007/);
    });

  it("shows what was played, escaped", async () => {
    const { code, out } = await runBout(["replay", path("played.jsonl"), "--tick", "0"]);
    assert.equal(code, 0);
    assert.match(out, /^ {2}A: \\u001b\]0;OWNED\\u0007\\u001b\[2J/m);
  });
});

describe("bout replay of an address", () => {
  const server = createServer((request, response) => {
    if (request.url === "/replays/m-1.jsonl.gz") response.end(ZIPPED);
    else response.writeHead(404).end();
  });
  let url = "";
  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it("reads the replay file, or finds it from the page of the match", async () => {
    const addresses = ["/replays/m-1.jsonl.gz", "/match/m-1", "/view/m-1"].map((at) => url + at);
    const { code, out } = await runBout(["replay", ...addresses]);
    assert.equal(code, 0);
    assert.equal(out.match(/: ok: all 93 ticks/g)?.length, 3);
  });

  it("says what the server answers, or that there is none", async () => {
    const addresses = [`${url}/match/m-2`, "http://127.0.0.1:9/match/m-1"];
    const { code, err } = await runBout(["replay", ...addresses]);
    assert.equal(code, 2);
    assert.match(err, /the ladder has no replay of it: check the id; old replays are not kept\.\n/);
    assert.match(err, /cannot be reached: .+\.\n$/);
  });
});
