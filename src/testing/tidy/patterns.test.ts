// Regular expressions process untrusted input, so a slow pattern would let a client stall the
// server.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";

import { BOT_NAME_PATTERN } from "#core/accounts/name-rules.ts";

const SRC = new URL("../../", import.meta.url);
/**
 * Rooms whose patterns may process a request, a frame or a replay. Patterns for documents only
 * process Bout's own text.
 */
const CHECKED_ROOMS = [
  "core/accounts",
  "core/engine",
  "core/ladder",
  "core/protocol",
  "core/replay",
  "core/api",
  "data",
  "live",
  "server",
  "web/api",
  "web/auth",
  "web/http",
  "adapters/identity",
  "adapters/oauth",
  "adapters/mail",
  "site/mail",
];
const LITERAL =
  /(?<=[=(,:?!&|]\s*|return )\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;

const INPUT_LENGTH = 64 * 1024;
/**
 * Text that is repeated for each pattern. A pattern with nested repetition tries every way to split
 * it.
 */
const REPEATED_PARTS = [
  "a",
  " ",
  "0",
  "/",
  "-",
  ".",
  ",",
  "%2f",
  "(",
  "\n",
  "=",
  "`",
  "[",
  "a.",
  "::",
  "\t ",
];
const SUFFIXES = ["", "!", "\u0000", "\n"];
/** Linear patterns take far less time than this. Superlinear patterns exceed it. */
const HANG_MS = 60_000;

type FoundPattern = { where: string; pattern: RegExp };

function patternsOf(room: string): FoundPattern[] {
  const files = readdirSync(new URL(room, SRC)).filter((file) => /(?<!\.test)\.ts$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(new URL(`${room}/${file}`, SRC), "utf8");
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    return [...code.matchAll(LITERAL)].map(([, source, flags]) => {
      return { where: `${room}/${file}: ${source}`, pattern: new RegExp(source!, flags) };
    });
  });
}

const foundPatterns = [
  ...CHECKED_ROOMS.flatMap(patternsOf),
  { where: "bot names", pattern: new RegExp(BOT_NAME_PATTERN) },
];

it("T59 finds the patterns in the source", () => {
  assert.ok(foundPatterns.length >= 20, `only ${foundPatterns.length} patterns`);
  const knownPatterns = ["Bearer", "https?", "0-9a-f"];
  for (const part of knownPatterns)
    assert.ok(foundPatterns.some(({ pattern }) => pattern.source.includes(part)));
});

it("T59 no pattern is slow on long text", { timeout: HANG_MS }, () => {
  for (const { pattern } of foundPatterns)
    for (const repeated of REPEATED_PARTS)
      for (const end of SUFFIXES) {
        const text = repeated.repeat(INPUT_LENGTH / repeated.length) + end;
        for (const start of ["", "Bearer ", "/docs/", "```js x.mjs\n", "https://"])
          (start + text).search(pattern);
      }
});
