import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { runBout, temporaryFolder } from "#testing/bout-process.ts";

const GUIDE = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");

/** Texts of the code blocks of a kind, in the order of the guide. */
function blocks(kind: string): string[] {
  return [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === kind)
    .map(([, , text]) => text);
}

describe("the guide to the commands for authors", () => {
  const folder = temporaryFolder();
  const outputs = blocks("");
  writeFileSync(join(folder, "my-bot.ts"), blocks("ts")[0]);

  /** Runs a command of the guide in the folder of its bot. */
  async function follow(command: string): Promise<string> {
    assert.ok(GUIDE.includes(`npx bout ${command}\n`), command);
    const { out, err } = await runBout(command.split(" "), "", folder);
    assert.equal(err, "");
    return out;
  }

  it("shows what the commands print", async () => {
    const simulation = await follow("sim ./my-bot.ts greedy --games 90 --save games");
    const summary = await follow("replay games/sim-1-0008.jsonl.gz");
    const tick = await follow("replay games/sim-1-0008.jsonl.gz --tick 20");
    assert.deepEqual(outputs, [simulation, summary, tick]);
  });

  it("names every flag of the commands", async () => {
    for (const command of ["sim", "replay", "play"]) {
      const { out } = await runBout([command, "--help"]);
      const flags = out.match(/--[a-z-]+(?= )/g) ?? [];
      for (const flag of flags.filter((flag) => flag !== "--help"))
        assert.ok(GUIDE.includes(`\`${flag}`), `${command} ${flag}`);
    }
  });
});
