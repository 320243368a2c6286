import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";

import { stateHash } from "./fight.ts";
import { replayFrames, verifyReplay } from "./replay.ts";

const FOLDER = new URL("../../testing/fixtures/golden/", import.meta.url);
const GOLDEN = readdirSync(FOLDER).filter((file) => file.endsWith(".jsonl"));
const read = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");
const CAGE = read("cage.jsonl");

describe("a genuine replay", () => {
  for (const file of GOLDEN)
    it(`${file} is genuine and has the recorded statistics`, () => {
      const verification = verifyReplay(read(file));
      assert.ok(verification.ok, JSON.stringify(verification));
      const stats = read(file.replace(".jsonl", ".stats.json"));
      assert.equal(`${JSON.stringify(verification.stats)}\n`, stats);
    });
});

describe("rejects text that isn't a genuine replay", () => {
  const [line, hash = ""] = /"hash":"(\w+)"/.exec(CAGE.split("\n")[8]!) ?? [""];
  const alteredReplays: [what: string, text: string, problem: RegExp, tick?: number][] = [
    ["a text", "hello", /^this is no replay$/],
    ["a changed hash", CAGE.replace(line, line.replace(hash, "00000000")), /^hash is recorded/, 7],
    ["a changed seed", CAGE.replace('"seed":77', '"seed":78'), /^hash is recorded/, 0],
    ["a changed winner", CAGE.replace(/"winner":"(A|B)"/, '"winner":null'), /^winner is recorded/],
    ["a changed rules hash", CAGE.replace(/"rules_hash":"\w/, '"rules_hash":"x'), /rules 0/],
    ["changed rules", CAGE.replace('"hp":120', '"hp":121'), /^line 1 differs from the format/],
    ["a space", CAGE.replace('{"tick":3,', '{"tick": 3,'), /^line 5 differs from the format/],
    [
      "a changed map",
      CAGE.replace('"name":"cage"', '"name":"attic"'),
      /^its map differs from the ladder's attic/,
    ],
    ["changed fighters", CAGE.replace('"id":"A"', '"id":"B"'), /^its fighters are B,B/],
  ];
  for (const [label, text, problem, tick = null] of alteredReplays)
    it(`with ${label}`, () => {
      assert.notEqual(text, CAGE);
      const verification = verifyReplay(text);
      assert.ok(!verification.ok);
      assert.match(verification.problem, problem);
      assert.equal(verification.tick, tick);
    });
});

describe("replay frames", () => {
  it("show the fight before every tick, every fighter's turn, and the end", () => {
    const hashes = [...CAGE.matchAll(/"hash":"(\w+)"/g)].map(([, hash]) => hash);
    const frames = [...replayFrames(CAGE)].map(({ turns }) => turns.length);
    assert.deepEqual(frames, [...hashes.slice(0, -1).map(() => 2), 0]);
    const states: string[] = [];
    for (const { fight } of replayFrames(CAGE)) states.push(stateHash(fight));
    assert.deepEqual(states.slice(1), hashes.slice(0, -1));
  });

  it("are available only for replays that use the current rules", () => {
    for (const text of ["hello", CAGE.replace(/"rules_hash":"\w/, '"rules_hash":"x')])
      assert.throws(() => replayFrames(text).next(), /not a replay of these rules/);
  });
});
