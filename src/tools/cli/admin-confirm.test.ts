import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { it } from "node:test";

import { confirm } from "./admin-confirm.ts";

const WARNING = { what: "Bans a bot for good", whom: "Rex\u001b[2J" };

/** Somebody at a terminal who types this; nobody at all for null. */
async function typed(keys: string | null) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const outcome = confirm(WARNING, input, output).then(
    () => "done",
    (error: unknown) => (error as Error).message,
  );
  if (keys === null) input.end();
  else input.write(keys);
  const told = await outcome;
  output.end();
  return { told, shown: await text(output) };
}

it("goes on when the name was typed, and shows no name that a terminal obeys", async () => {
  const { told, shown } = await typed(`${WARNING.whom.replace("\u001b[2J", "")}\n`);
  assert.equal(told, "nothing was done.", "it is not the whole name");
  assert.match(shown, /^Bans a bot for good: Rex\\u001b\[2J\.\n/);
  const plain = { ...WARNING, whom: "Rex" };
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const going = confirm(plain, input, new PassThrough());
  input.write(" Rex \n");
  await going;
});

for (const [what, keys] of [
  ["another name", "rex\n"],
  ["nothing", "\n"],
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
  ["the end of the input", null],
] as const)
  it(`does nothing after ${what}`, async () => {
    assert.equal((await typed(keys)).told, "nothing was done.");
  });

it("asks nobody where there is no terminal", async () => {
  await assert.rejects(confirm(WARNING, new PassThrough(), new PassThrough()), {
    message: /^Bans a bot for good: Rex.* Say --yes if you mean it\.$/s,
    exitCode: 2,
  });
});
