import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { archivedLadder, writeArchive } from "#testing/fixtures/archived-ladder.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { createFakePublicLadder, serveFakeLadder } from "#testing/harness/public-ladder.ts";
import type { FakePublicLadder } from "#testing/harness/public-ladder.ts";

const GUIDE_URL = "http://localhost:7777";
const pageOf = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");
const GUIDE = ["cli", "cli-sim", "cli-replay", "cli-verify"].map(pageOf).join("\n");

function blocks(kind: string): string[] {
  return [...GUIDE.matchAll(/^```([\w ]*)\n(.*?)^```$/gms)]
    .filter(([, matches]) => matches === kind)
    .map(([, , text]) => text!);
}

describe("the command line guide", () => {
  const folder = temporaryTestFolder();
  const outputs = blocks("text output");
  writeFileSync(join(folder, "my-bot.ts"), blocks("ts")[0]!);

  async function follow(command: string, url = GUIDE_URL): Promise<string> {
    assert.ok(GUIDE.includes(`npx ${GUIDE_URL}/download/bout.tgz ${command}\n`), command);
    const { out, err } = await runBout(command.replace(GUIDE_URL, url).split(" "), "", folder);
    assert.equal(err, "");
    return out.replaceAll(url, GUIDE_URL);
  }

  async function serve(ladder: FakePublicLadder): Promise<string> {
    const fakeLadder = await serveFakeLadder(ladder);
    after(fakeLadder.close);
    return fakeLadder.url;
  }

  function tamperedLadder(ladder: FakePublicLadder): FakePublicLadder {
    const raisedRow = ladder.rows.map((row) => {
      if (row.name !== "zed") return row;
      const { rating, leaderboard_score } = row;
      return { ...row, rating: rating + 10, leaderboard_score: leaderboard_score + 10 };
    });
    const order = raisedRow.toSorted((a, b) => b.leaderboard_score - a.leaderboard_score);
    return { ...ladder, rows: order.map((row, place) => ({ ...row, rank: place + 1 })) };
  }

  it("shows the output of its commands", async () => {
    const simulation = await follow("sim ./my-bot.ts greedy --games 90 --save games");
    const summary = await follow("replay games/sim-1-0008.jsonl.gz");
    const tick = await follow("replay games/sim-1-0008.jsonl.gz --tick 20");
    const ladder = createFakePublicLadder();
    const verifyRun = await follow(`verify ${GUIDE_URL}`, await serve(ladder));
    const tamperedRun = `verify ${GUIDE_URL} --season 2026-01`;
    const failedRun = await follow(tamperedRun, await serve(tamperedLadder(ladder)));
    await rename(await writeArchive(folder, archivedLadder()), join(folder, "spring-cup.tar.gz"));
    const archiveRun = await follow("verify spring-cup.tar.gz");
    assert.deepEqual(outputs, [simulation, summary, tick, verifyRun, failedRun, archiveRun]);
  });

  for (const command of ["sim", "replay", "play", "verify"])
    it(`lists the same flags and defaults for ${command} as the command's help`, async () => {
      const { out } = await runBout([command, "--help"]);
      assert.deepEqual(flagsOfGuide(command), flagsOfHelp(out));
    });

  it("describes demo in the same way as its help", async () => {
    const { out } = await runBout(["demo", "--help"]);
    const text = GUIDE.split("\n## Start a server\n")[1]!.split("\n# ")[0]!;
    const [, folder] = /--data <DIR> .*\(default (\S+)\)/.exec(out)!;
    assert.ok(text.includes(`\`${folder}\``));
    for (const [flag] of text.matchAll(/--(?!help)[a-z-]+/g)) assert.ok(out.includes(`  ${flag}`));
  });
});

/** A flag and its default. The default is "" if the flag has none. */
type FlagRow = [flag: string, fallback: string];

/**
 * Parses lines such as `--games <N>   number of matches (default: 180)`, including wrapped lines.
 */
function flagsOfHelp(help: string): FlagRow[] {
  const options = help.split("\nOptions:\n")[1]!;
  const entries = options.split("\n\n")[0]!.split(/\n? {2}(?=-)/);
  return entries.flatMap((entry): FlagRow[] => {
    const [, flag, value = ""] = /^(--[a-z-]+)(?: <([A-Z]+)>)?/.exec(entry) ?? [];
    const fallback = /\(default: ([^)]+)\)/.exec(entry.replaceAll(/\s+/g, " "))?.[1] ?? "";
    return flag === undefined ? [] : [[`${flag} ${value}`.trim(), fallback.replaceAll('"', "")]];
  });
}

/**
 * Parses a command's flag table, which has the columns flag, default and meaning. The default
 * column is optional.
 */
function flagsOfGuide(command: string): FlagRow[] {
  const section = pageOf(`cli-${command}`);
  const hasDefaults = section.includes("| Flag | Default |");
  const rows = [...section.matchAll(/^\| `(--[^`]+)` \| (.*)\|$/gm)];
  return rows.map(([, flag = "", cells]) => {
    return [flag, hasDefaults ? cells!.split("|")[0]!.trim().replaceAll("`", "") : ""];
  });
}
