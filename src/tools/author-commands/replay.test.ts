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
import { referencePlayer } from "#testing/fixtures/reference-player.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

const folder = temporaryTestFolder();
const path = (name: string) => join(folder, name);

const REPLAY = createReplayText("cage", 9);
const GZIPPED_REPLAY = gzipSync(REPLAY);

const SUMMARY = `match      match-9 (ranked, ladder public, 2026-01-01T00:00:00.000Z)
fight      bot-A@1 against bot-B@1 on cage, seed 9
versions   engine 0.23.0, rules 0.22.0, protocol 0.6
result     B bot-B wins after 93 ticks (last_standing: knockout)
replay     ok: all 93 ticks match the simulation

                 A bot-A                                  B bot-B
final HP         0                                        24
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
A bot-A@1              80 hp  cooldowns: strike 1, bolt 1, hook 15, repulse 13, blast 1, scorch 4  at 3,5
B bot-B@1             106 hp  cooldowns: dash 2, scorch 3  at 6,5
  A: move e, repulse
  B: move sw
  - A uses repulse from 2,5
  - B is hit by A's repulse: -3
  - B is thrown 3 tiles e
  - B's move is refused (blocked: something is in the way)
`;

function createReplayText(map: string, seed: number): string {
  const grid = gridOf(map)!;
  const replay = recordMatch(grid, seed, referencePlayer("fight", seed));
  replay.header.versions.rules_hash = rulesHash();
  return printReplay(replay, mapView(grid), RULES);
}

before(() => {
  writeFileSync(path("good.jsonl"), REPLAY);
  writeFileSync(path("good.jsonl.gz"), GZIPPED_REPLAY);
  writeFileSync(path("cut.jsonl"), REPLAY.slice(0, 9000));
  writeFileSync(path("cut.jsonl.gz"), GZIPPED_REPLAY.subarray(0, GZIPPED_REPLAY.length / 2));
  writeFileSync(path("flipped.jsonl.gz"), GZIPPED_REPLAY.with(GZIPPED_REPLAY.length / 2, 0));
  writeFileSync(path("lied.jsonl"), REPLAY.replace('"winner":"B"', '"winner":"A"'));
  writeFileSync(path("moved.jsonl"), REPLAY.replace('"move":"e"', '"move":"w"'));
  writeFileSync(path("foreign.json"), `${JSON.stringify({ hello: "world" }, null, 2)}\n`);
  writeFileSync(path("foreign.png"), Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 255, 254]));
  writeFileSync(path("empty"), "");
  writeFileSync(path("bomb.gz"), gzipSync(Buffer.alloc(20_000_000)));
});

describe("bout replay", () => {
  it("verifies and summarises a file, gzipped or plain", async () => {
    for (const name of ["good.jsonl", "good.jsonl.gz"])
      assert.deepEqual(await runBout(["replay", path(name)]), { code: 0, out: SUMMARY, err: "" });
  });

  it("shows one tick", async () => {
    const shownText = await runBout(["replay", path("good.jsonl"), "--tick", "45"]);
    assert.deepEqual(shownText, { code: 0, out: TICK_45, err: "" });
  });

  it("prints all ticks, then the summary", async () => {
    const { code, out } = await runBout(["replay", path("good.jsonl"), "--print"]);
    assert.equal(code, 0);
    assert.equal(out.match(/^tick \d+ /gm)?.length, 93);
    assert.ok(out.includes(TICK_45));
    assert.ok(out.endsWith(SUMMARY));
    assert.match(out, /- A falls\n\n/);
  });

  it("verifies several files, one line each, and exits with the code of the worst result", async () => {
    const files = ["good.jsonl", "lied.jsonl", "good.jsonl.gz"].map(path);
    const { code, out } = await runBout(["replay", ...files]);
    assert.equal(code, 1);
    const verdicts = out.split("\n").map((line) => line.replace(/^.*?: (ok|MISMATCH).*$/, "$1"));
    assert.deepEqual(verdicts, ["ok", "MISMATCH", "ok", ""]);
    assert.equal((await runBout(["replay", path("lied.jsonl"), path("cut.jsonl")])).code, 2);
  });

  it("reports on one line why a file can't be read", async () => {
    const problems: [string, RegExp][] = [
      ["cut.jsonl", /the file is truncated/],
      ["cut.jsonl.gz", /the gzip file is truncated/],
      ["flipped.jsonl.gz", /the gzip file is damaged/],
      ["foreign.json", /: this is no replay/],
      ["foreign.png", /not UTF-8 text/],
      ["empty", /this is no replay/],
      ["bomb.gz", /too large for a replay/],
      ["absent", /no such file/],
      [".", /is a folder/],
      ["/dev/zero", /too large for a replay/],
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

  it("reports the first mismatch", async () => {
    const tamperedRun = await runBout(["replay", path("lied.jsonl")]);
    assert.equal(tamperedRun.code, 1);
    assert.match(tamperedRun.out, /MISMATCH: winner is A in the file, but B in the simulation/);
    const changedMove = await runBout(["replay", path("moved.jsonl"), "--json"]);
    assert.equal(changedMove.code, 1);
    const { ok, mismatch, stats } = JSON.parse(changedMove.out);
    assert.deepEqual([ok, mismatch.field, stats], [false, "hash", null]);
    assert.match(mismatch.simulated, /^[0-9a-f]{8}$/);
  });

  it("prints verification and statistics as JSON", async () => {
    const files = [path("good.jsonl.gz"), path("cut.jsonl")];
    const { code, out, err } = await runBout(["replay", ...files, "--json"]);
    assert.deepEqual([code, err], [2, ""]);
    const [validRun, truncatedFile] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    assert.ok(Check(ReportSchema, validRun));
    assert.deepEqual(truncatedFile, {
      file: path("cut.jsonl"),
      ok: false,
      error: "the file is truncated: its last line is incomplete",
    });
  });

  it("verifies matches on every map", async () => {
    const files = MAP_NAMES.map((map, seed) => {
      const file = path(`${map}.jsonl.gz`);
      writeFileSync(file, gzipSync(createReplayText(map, seed)));
      return file;
    });
    assert.equal((await runBout(["replay", ...files])).code, 0);
  });

  const invalidRun: [string[], RegExp][] = [
    [[], /missing required argument 'FILE'/],
    [["x", "--frobnicate"], /unknown option '--frobnicate'/],
    [["x", "--tick", "many"], /whole number from 0 to 299/],
    [["x", "--print", "--json"], /can't be combined/],
    [["x", "--step"], /requires a terminal/],
    [[path("good.jsonl"), "--tick", "93"], /there is no tick 93; the last tick is 92/],
  ];
  for (const [args, problem] of invalidRun)
    it(`rejects ${args.slice(-2).join(" ") || "no file"} on one line`, async () => {
      const { code, out, err } = await runBout(["replay", ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, problem);
      assert.match(err, /^bout replay: .*\n$/);
    });

  it("prints help", async () => {
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
 * Starts an escape sequence, rings the bell, clears the screen, starts a C1 sequence, deletes a
 * character, and reverses the text direction.
 */
const HOSTILE = "\u001b]0;OWNED\u0007\u001b[2J\u009b31m\u007f\u202e\r\nok";
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}]|^ok/mu;

describe("bout replay on an untrusted file (T95)", () => {
  before(() => {
    const grid = gridOf("cage")!;
    const { header, ticks, result } = recordMatch(grid, 9, (_, seat) => {
      return seat === 0 ? { attack: { name: HOSTILE } } : { move: "n" };
    });
    const { versions, fighters } = header;
    versions.rules_hash = rulesHash();
    // The replay is genuine: any bot on a ladder can play such a turn.
    writeFileSync(path("played.jsonl"), printReplay(replayWith({}), mapView(grid), RULES));
    const forgedFighters = {
      match_id: HOSTILE,
      ladder_id: HOSTILE,
      mode: HOSTILE,
      versions: { ...versions, engine: HOSTILE, protocol: HOSTILE },
      fighters: fighters.map((fighter) => ({ ...fighter, name: HOSTILE, version: HOSTILE })),
    };
    const shoutedTick = ticks.map((tick) => ({ ...tick, turns: [{ shout: HOSTILE }, {}] }));
    const texts = [
      replayWith(forgedFighters),
      { ...replayWith(forgedFighters), ticks: shoutedTick },
    ];
    for (const [index, replay] of texts.entries())
      writeFileSync(path(`forged-${index}.jsonl`), printReplay(replay, mapView(grid), RULES));
    const garbageFile = [HOSTILE, REPLAY.replace('"winner":"B"', JSON.stringify({ [HOSTILE]: 1 }))];
    for (const [index, text] of garbageFile.entries())
      writeFileSync(path(`garbage-${index}.jsonl`), text);

    function replayWith(moreNames: Partial<Replay["header"]>): Replay {
      return { header: { ...header, ...moreNames }, ticks, result };
    }
  });

  const names = ["played", "forged-0", "forged-1", "garbage-0", "garbage-1"];
  const files = () => names.map((name) => path(`${name}.jsonl`));
  const views = [[], ["--print"], ["--tick", "3"]];
  for (const [at, name] of names.entries())
    it(`escapes control characters in ${name}.jsonl`, async () => {
      for (const view of views) {
        const { out, err } = await runBout(["replay", files()[at]!, ...view]);
        assert.doesNotMatch(out + err, OBEYED, view.join(" "));
        if (name === "forged-0") assert.match(out + err, /\\u001b\]0;OWNED\\u0007/);
      }
    });

  for (const view of [[], ["--json"]])
    it(`escapes control characters in several files${view.map((flag) => ` with ${flag}`).join("")}`, async () => {
      const { out, err } = await runBout(["replay", ...files(), ...view]);
      assert.doesNotMatch(out + err, OBEYED);
      for (const file of files()) assert.ok((out + err).includes(file), file);
      if (view.length > 0) assert.match(out, /\\u001b\]0;OWNED\\u0007/);
    });

  it("shows shouts, escaped", async () => {
    const { code, out } = await runBout(["replay", path("played.jsonl"), "--tick", "0"]);
    assert.equal(code, 0);
    assert.match(out, /^ {2}A: \\u001b\]0;OWNED\\u0007\\u001b\[2J/m);
  });
});

describe("bout replay with a URL", () => {
  const server = createServer((request, response) => {
    if (request.url === "/replays/m-1.jsonl.gz") response.end(GZIPPED_REPLAY);
    else response.writeHead(404).end();
  });
  let url = "";
  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it("reads the replay at a replay URL or match page URL", async () => {
    const addresses = ["/replays/m-1.jsonl.gz", "/match/m-1", "/view/m-1"].map((at) => url + at);
    const { code, out } = await runBout(["replay", ...addresses]);
    assert.equal(code, 0);
    assert.equal(out.match(/: ok: all 93 ticks/g)?.length, 3);
  });

  it("reports the server's status, or that the server can't be reached", async () => {
    const addresses = [`${url}/match/m-2`, "http://127.0.0.1:9/match/m-1"];
    const { code, err } = await runBout(["replay", ...addresses]);
    assert.equal(code, 2);
    assert.match(
      err,
      /the ladder has no replay of this match\. Check the id; old replays are deleted\.\n/,
    );
    assert.match(err, /can't be reached: .+\.\n$/);
  });
});
