import assert from "node:assert/strict";
import { test } from "node:test";

import { OnboardError } from "./onboard-error.ts";
import { readSecret } from "./prompt.ts";

async function* typedPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

for (const [what, pieces, secret] of [
  ["in one piece", ["correct horse\r"], "correct horse"],
  ["character by character", ["p", "ä", "ss", "wörd", "\n"], "pässwörd"],
  ["with erased characters", ["ab\u007F\u007F\u007Fcd\b", "e\rrest"], "ce"],
  ["with surrounding spaces", [" a \r"], " a "],
] as const)
  test(`reads a password ${what}`, async () => {
    assert.equal(await readSecret(typedPieces(...pieces)), secret);
  });

for (const [what, pieces] of [
  ["Ctrl-C", ["secret\u0003"]],
  ["Ctrl-D", ["\u0004"]],
  ["end of input", ["secret"]],
] as const)
  test(`${what} cancels the prompt`, async () => {
    await assert.rejects(readSecret(typedPieces(...pieces)), OnboardError);
  });
