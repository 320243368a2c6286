// Regular expressions meet what strangers send, so none may be slow.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";

import { BOT_NAME_PATTERN } from "#core/accounts/name.ts";

const SRC = new URL("../../", import.meta.url);
/**
 * Rooms whose patterns can meet a request, a frame or a replay; documents only read our own texts.
 */
const ROOMS = [
  "core/accounts",
  "core/engine",
  "core/ladder",
  "core/protocol",
  "core/replay",
  "core/resources",
  "data",
  "live",
  "server",
  "web/api",
  "web/auth",
  "web/http",
  "outside/identity",
  "outside/grants",
  "outside/mail",
  "site/mail",
];
const LITERAL =
  /(?<=[=(,:?!&|]\s*|return )\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;

const LENGTH = 64 * 1024;
/** What patterns repeat, so that a bad one tries every way to split it. */
const REPEATED = [
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
const ENDS = ["", "!", "\u0000", "\n"];
/** Linear patterns are far faster; a worse one does not finish within this. */
const HANG_MS = 60_000;

type Found = { where: string; pattern: RegExp };

function patternsOf(room: string): Found[] {
  const files = readdirSync(new URL(room, SRC)).filter((file) => /(?<!\.test)\.ts$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(new URL(`${room}/${file}`, SRC), "utf8");
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    return [...code.matchAll(LITERAL)].map(([, source, flags]) => {
      return { where: `${room}/${file}: ${source}`, pattern: new RegExp(source!, flags) };
    });
  });
}

const found = [
  ...ROOMS.flatMap(patternsOf),
  { where: "names of bots", pattern: new RegExp(BOT_NAME_PATTERN) },
];

it("T59 finds the patterns of the source", () => {
  assert.ok(found.length >= 20, `only ${found.length} patterns`);
  const known = ["Bearer", "https?", "0-9a-f"];
  for (const part of known) assert.ok(found.some(({ pattern }) => pattern.source.includes(part)));
});

it("T59 no pattern takes long over a long text", { timeout: HANG_MS }, () => {
  for (const { pattern } of found)
    for (const repeated of REPEATED)
      for (const end of ENDS) {
        const text = repeated.repeat(LENGTH / repeated.length) + end;
        for (const start of ["", "Bearer ", "/docs/", "```js x.mjs\n", "https://"])
          (start + text).search(pattern);
      }
});
