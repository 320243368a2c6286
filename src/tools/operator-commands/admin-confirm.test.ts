import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { it } from "node:test";

import { confirmAction } from "./admin-confirm.ts";

const WARNING = { effect: "Bans a bot permanently", target: "Rex\u001b[2J" };

/** Simulates a terminal with these keys typed; null for no terminal. */
async function typed(keys: string | null) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const outcome = confirmAction(WARNING, input, output).then(
    () => "done",
    (error: unknown) => (error as Error).message,
  );
  if (keys === null) input.end();
  else input.write(keys);
  const errorMessage = await outcome;
  output.end();
  return { told: errorMessage, shown: await text(output) };
}

it("continues once the name is typed, and escapes control characters in the name", async () => {
  const { told: errorMessage, shown: outputText } = await typed(
    `${WARNING.target.replace("\u001b[2J", "")}\n`,
  );
  assert.equal(errorMessage, "nothing was changed.", "an incomplete name");
  assert.match(outputText, /^Bans a bot permanently: Rex\\u001b\[2J\.\n/);
  const plainText = { ...WARNING, target: "Rex" };
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const confirmation = confirmAction(plainText, input, new PassThrough());
  input.write(" Rex \n");
  await confirmation;
});

for (const [effect, keys] of [
  ["another name", "rex\n"],
  ["nothing", "\n"],
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
  ["end of input", null],
] as const)
  it(`does nothing after ${effect}`, async () => {
    assert.equal((await typed(keys)).told, "nothing was changed.");
  });

it("doesn't prompt without a terminal", async () => {
  await assert.rejects(confirmAction(WARNING, new PassThrough(), new PassThrough()), {
    message: /^Bans a bot permanently: Rex.* To confirm, add --yes\.$/s,
    exitCode: 2,
  });
});
