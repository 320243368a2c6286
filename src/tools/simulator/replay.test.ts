import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";

import { stateHash } from "./fight.ts";
import { replayFrames, verifyReplay } from "./replay.ts";

const FOLDER = new URL("../../testing/fixtures/golden/", import.meta.url);
const GOLDEN = readdirSync(FOLDER).filter((file) => file.endsWith(".jsonl"));
const read = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");
const CAGE = read("cage.jsonl");

describe("a true replay", () => {
  for (const file of GOLDEN)
    it(`is ${file}, with its statistics`, () => {
      const verified = verifyReplay(read(file));
      assert.ok(verified.ok, JSON.stringify(verified));
      const stats = read(file.replace(".jsonl", ".stats.json"));
      assert.equal(`${JSON.stringify(verified.stats)}\n`, stats);
    });
});

describe("a text that is not a true replay", () => {
  const [line, hash = ""] = /"hash":"(\w+)"/.exec(CAGE.split("\n")[8]!) ?? [""];
  const wrongs: [what: string, text: string, problem: RegExp, tick?: number][] = [
    ["a text", "hello", /^this is no replay$/],
    ["another hash", CAGE.replace(line, line.replace(hash, "00000000")), /^hash is recorded/, 7],
    ["another seed", CAGE.replace('"seed":77', '"seed":78'), /^hash is recorded/, 0],
    ["another winner", CAGE.replace(/"winner":"(A|B)"/, '"winner":null'), /^winner is recorded/],
    ["rules of another hash", CAGE.replace(/"rules_hash":"\w/, '"rules_hash":"x'), /rules 0/],
    ["other numbers", CAGE.replace('"hp":120', '"hp":121'), /^line 1 is not what the ladder/],
    ["a space", CAGE.replace('{"tick":3,', '{"tick": 3,'), /^line 5 is not what the ladder/],
    ["another map", CAGE.replace('"name":"cage"', '"name":"attic"'), /^its map is another attic/],
    ["other fighters", CAGE.replace('"id":"A"', '"id":"B"'), /^its fighters are B,B/],
  ];
  for (const [what, text, problem, tick = null] of wrongs)
    it(`is one with ${what}`, () => {
      assert.notEqual(text, CAGE);
      const verified = verifyReplay(text);
      assert.ok(!verified.ok);
      assert.match(verified.problem, problem);
      assert.equal(verified.tick, tick);
    });
});

describe("the frames of a replay", () => {
  it("are its fight before every tick with what everybody did, and its end", () => {
    const hashes = [...CAGE.matchAll(/"hash":"(\w+)"/g)].map(([, hash]) => hash);
    const frames = [...replayFrames(CAGE)].map(({ turns }) => turns.length);
    assert.deepEqual(frames, [...hashes.slice(0, -1).map(() => 2), 0]);
    const states: string[] = [];
    for (const { fight } of replayFrames(CAGE)) states.push(stateHash(fight));
    assert.deepEqual(states.slice(1), hashes.slice(0, -1));
  });

  it("are refused for anything but a replay of these rules", () => {
    for (const text of ["hello", CAGE.replace(/"rules_hash":"\w/, '"rules_hash":"x')])
      assert.throws(() => replayFrames(text).next(), /no replay to play/);
  });
});
