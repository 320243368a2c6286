import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { Check } from "typebox/schema";

import { EndSchema, HelloSchema, ObservationSchema } from "#core/protocol/schema-message.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

const folder = temporaryTestFolder();
const path = (name: string) => join(folder, name);
const GAME = ["--map", "cage", "--seed", "5", "--against", path("walker.ts")];
const play = (input: string, ...flags: string[]) => runBout(["play", ...GAME, ...flags], input);

before(() => {
  writeFileSync(
    path("walker.ts"),
    "export const decide = ({ tick, moves }) => ({ move: moves[tick % moves.length] });",
  );
});

const FIRST_VIEW = `tick 0 of 300  zone radius 6 (shrinks in 80)
    0 1 2 3 4 5 6 7 8 9 0 1 2
 0  # # # # # # # # # # # # #
 1  # . . . . . # . . . . . #
 2  # . . . . . + . . . . . #
 3  # . . # . . . . . # . . #
 4  # . . . . o . o . . . . #
 5  # . . . . . . . . . . . #
 6  # # + . . . . . . . + # #
 7  # . . . . . . . . . . . #
 8  # . . . . o . o . . . . #
 9  # . . # . . . . . # . . #
10  # . . . . . + . . . . . #
11  # . . . . . # . . . . A #
12  # # # # # # # # # # # # #
A you                 120 hp
B walker              120 hp  out of sight
`;

describe("bout play with piped input", () => {
  it("shows the match as a bot sees it, and plays one turn per line", async () => {
    const turns = ['{"dash":"w","attack":{"name":"bolt","target":"n"}}', "", '{"move":"s"}'];
    const { code, out, err } = await play(turns.map((turn) => `${turn}\n`).join(""));
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.includes(FIRST_VIEW));
    assert.match(out, /^tick 1 of .*(?:\n.*)+?- A uses bolt n from 8,11$/m);
    assert.match(
      out,
      /- your move is refused \(blocked: A wall, a low wall or a corner is in the way\)/,
    );
    assert.match(out, /You lose after 3 ticks \(forfeit: .*\), 120 hp to 120\.\n$/);
  });

  it("rejects an invalid line as the ladder does", async () => {
    const { out } = await play('nonsense\n{"move":"up"}\n');
    assert.match(out, /your turn is refused \(malformed_json: The frame is not JSON\)$/m);
    assert.match(out, /your turn is refused \(schema: 'move' is one of n, ne, .*, nw\)$/m);
  });

  it("plays to the end and saves a replay that verifies", async () => {
    const file = path("game.jsonl.gz");
    const { code, out } = await play("\n".repeat(300), "--seat", "B", "--save", file);
    assert.equal(code, 0);
    assert.match(out, /You (win|lose) after \d+ ticks \(last_standing: knockout\)/);
    assert.ok(out.endsWith(`Replay saved in ${file}. To view it, run: bout replay ${file}\n`));
    const replay = parseReplay(gunzipSync(readFileSync(file)).toString());
    assert.ok(!("error" in replay));
    assert.deepEqual([replay.header.mode, replay.header.fighters[1]!.name], ["local", "you"]);
    assert.equal((await runBout(["replay", file])).code, 0);
  });

  it("plays the same match for the same seed and turns", async () => {
    const input = '{"move":"n"}\n'.repeat(20);
    assert.equal((await play(input)).out, (await play(input)).out);
  });

  it("prints hello, observations and end as JSON with --json", async () => {
    const { code, out, err } = await play('{"move":"n"}\n{"move":"n"}\n', "--json");
    assert.deepEqual([code, err], [0, ""]);
    const messages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    assert.ok(Check(HelloSchema, messages[0]));
    assert.ok(messages.slice(1, -1).every((message) => Check(ObservationSchema, message)));
    assert.equal(messages.length, 5);
    const endMessage = messages.at(-1);
    assert.ok(Check(EndSchema, endMessage));
    assert.deepEqual(
      [endMessage.winner, endMessage.reason, endMessage.stats?.ticks],
      ["B", "forfeit", 2],
    );
  });

  const invalidRun: [string[], number, RegExp][] = [
    [["--against", "nobody"], 2, /there is no bot 'nobody'/],
    [["--seat", "C"], 2, /one of A, B/],
    [["extra"], 2, /too many arguments/],
    [["--save", path("no/such/folder")], 1, /no such file or directory/],
  ];
  for (const [args, exit, problem] of invalidRun)
    it(`rejects ${args.join(" ").replace(folder, "")}`, async () => {
      const { code, err } = await runBout(["play", ...args], "");
      assert.equal(code, exit);
      assert.match(err, problem);
      assert.match(err, /^bout play: .*\n$/);
    });

  it("prints help", async () => {
    const { code, out } = await runBout(["play", "--help"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: bout play/);
  });
});
