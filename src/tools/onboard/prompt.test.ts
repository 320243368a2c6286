import assert from "node:assert/strict";
import { test } from "node:test";

import { Halt } from "./halt.ts";
import { readSecret } from "./prompt.ts";

async function* typed(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

for (const [what, pieces, secret] of [
  ["in one piece", ["correct horse\r"], "correct horse"],
  ["letter by letter", ["p", "ä", "ss", "wörd", "\n"], "pässwörd"],
  ["with letters erased", ["ab\u007F\u007F\u007Fcd\b", "e\rrest"], "ce"],
  ["with space at its ends", [" a \r"], " a "],
] as const)
  test(`a password is read ${what}`, async () => {
    assert.equal(await readSecret(typed(...pieces)), secret);
  });

for (const [what, pieces] of [
  ["Ctrl-C", ["secret\u0003"]],
  ["Ctrl-D", ["\u0004"]],
  ["the end of the input", ["secret"]],
] as const)
  test(`${what} gives up`, async () => {
    await assert.rejects(readSecret(typed(...pieces)), Halt);
  });
