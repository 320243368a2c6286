// Every documented bot can be imported without opening a socket, and both simulators accept it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { SIMULATOR_MODULE } from "#core/api/download.ts";
import { blockWithInfo, readDocPage } from "#testing/fixtures/doc-page.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = temporaryTestFolder();

const BOTS: [file: string, text: () => string | Promise<string>, exports: string[]][] = [
  ["bot.mjs", () => blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"), ["decide", "play"]],
  ["walker.mjs", () => blockWithInfo(readDocPage("simulator"), "walker.mjs"), ["decide"]],
  [
    "lookahead.mjs",
    () => blockWithInfo(readDocPage("simulator-state"), "lookahead.mjs"),
    ["choices", "createBot", "standing", "usual"],
  ],
  ["ahead.mjs", () => blockWithInfo(readDocPage("agents-scripts"), "ahead.mjs"), ["createBot"]],
  [
    "starter.ts",
    () => readFile(join(ROOT, "src/tools/starters/starter.ts"), "utf8"),
    ["TEMPERS", "createBot", "judge", "pauseBefore", "play"],
  ],
];

/** Exits on its own only if the bot's file leaves nothing open. */
const IMPORTING = (file: string) => `
  import * as bot from "./${file}";
  import { playSeries } from "./${SIMULATOR_MODULE.name}";
  const { games } = playSeries({ bots: [bot, "idle"], games: 1 });
  console.log(JSON.stringify([Object.keys(bot), games]));`;

describe("the bots in the guides", () => {
  before(async () => {
    await copyFile(
      join(ROOT, "dist/simulator", SIMULATOR_MODULE.name),
      join(folder, SIMULATOR_MODULE.name),
    );
    for (const [file, text] of BOTS) await writeFile(join(folder, file), await text());
    // Stub for the starter's only package. It doesn't access the network.
    const ws = join(folder, "node_modules", "ws");
    await run("mkdir", ["-p", ws]);
    await writeFile(join(ws, "package.json"), '{"type":"module","exports":"./index.js"}');
    await writeFile(join(ws, "index.js"), "export class WebSocket {}");
  });

  for (const [file, , exports] of BOTS)
    it(`${file} can be imported without a connection, and plays`, async () => {
      await writeFile(join(folder, `run-${file}.mjs`), IMPORTING(file));
      const { stdout } = await run(process.execPath, [`run-${file}.mjs`], { cwd: folder });
      assert.deepEqual(JSON.parse(stdout), [exports, 1]);
      const call = ["sim", `./${file}`, "random", "--games", "1", "--map", "cage"];
      const { code, err } = await runBout(call, "", folder);
      assert.deepEqual([code, err], [0, ""]);
    });

  it("lookahead.mjs wins more than 60 of 100 games against brawler", () => {
    // The example on this page plays the same matches. guide.test.ts compares its output with the
    // page.
    const [, wins, games] = /^(\d+) of (\d+)$/m.exec(readDocPage("simulator-state").text)!;
    assert.ok(Number(games) >= 36);
    assert.ok(Number(wins) / Number(games) > 0.6, `${wins} of ${games}`);
    assert.match(readDocPage("simulator-state").text, /bots: \[lookahead, "brawler"\], games: 36 /);
  });
});
