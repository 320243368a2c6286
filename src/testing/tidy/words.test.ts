import assert from "node:assert/strict";
import { test } from "node:test";

import { readPages, readSources } from "./sources.ts";
import { stumbles } from "./words.ts";

test("comments and pages are in plain English", () => {
  const pages = readPages();
  assert.ok(pages.length > 20, `only ${pages.length} pages were read`);
  // This file plants them.
  const sources = readSources().filter(({ path }) => !path.endsWith("tidy/words.test.ts"));
  assert.deepEqual([...sources, ...pages].flatMap(stumbles), []);
});

const PLANTED: readonly [text: string, found: string][] = [
  ["Waits so many seconds.", "so many"],
  ["The key beside its value.", "beside"],
  ["Three maps, of which the seed takes one.", "of which"],
  ["The text is to be escaped.", "is to be"],
  ["All rows are to be read again.", "are to be"],
  ["Whoever asks gets the same answer.", "Whoever"],
  ["Passes on to whomever it concerns.", "whomever"],
  ["What is not there is a 404.", "What is not there"],
  ["Refuses what is no number.", "what is no"],
  ["Throws for a map that is none.", "that is none"],
  ["This branch was the dearest.", "dearest"],
  ["A change, be it small, counts.", ", be it"],
  ["Computes everything anew.", "anew"],
  ["Null for want of a match.", "for want of"],
  ["This is no matter of the tick.", "is no matter of"],
  ["Each end is held against the store.", "held against"],
];

for (const [text, found] of PLANTED)
  test(`is found when planted: ${found}`, () => {
    const [line = "", ...more] = stumbles({ path: "docs/page.md", text });
    assert.ok(line.startsWith(`docs/page.md: "${found}": `), line);
    assert.deepEqual(more, []);
  });

test("good English with the same words passes", () => {
  const text = [
    "There are so many bots that a wave takes longer. Nobody has so many games as the champion.",
    "Do not stand beside a wall. The tile beside you is free.",
    "Two replays, both of which verify, and tiles, most of which are floor.",
    "The champion is hard to beat. It wins, whoever the opponent is.",
    "What is missing is a 404. Of all of them there is none of this name.",
  ].join(" ");
  assert.deepEqual(stumbles({ path: "docs/page.md", text }), []);
});

test("a phrase is found in every form of comment, across lines too", () => {
  const comments = [
    "/** Computed anew. */",
    "/**\n * Three maps, of\n * which one is taken.\n */",
    "// This is to\n// be done.",
    "const x = 1; // beside y",
    "{/* whoever asks */}",
  ];
  for (const text of comments)
    assert.equal(stumbles({ path: "src/core/engine/x.ts", text }).length, 1, text);
});

test("code is left alone", () => {
  const quiet: [path: string, text: string][] = [
    ["src/core/engine/x.ts", 'const anew = "beside // it, whoever asks";'],
    ["docs/page.md", "Set `anew`.\n\n```ts\n// Whoever asks\n```\n"],
  ];
  for (const [path, text] of quiet) assert.deepEqual(stumbles({ path, text }), [], text);
});
