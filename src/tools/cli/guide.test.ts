import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { publicLadder, servePublic } from "#testing/harness/public-ladder.ts";
import type { PublicLadder } from "#testing/harness/public-ladder.ts";

const GUIDE_URL = "http://localhost:7777";
const GUIDE = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8");

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

  /** Runs a command of the guide in the folder of its bot, with `url` as the guide's ladder. */
  async function follow(command: string, url = GUIDE_URL): Promise<string> {
    assert.ok(GUIDE.includes(`npx bout ${command}\n`), command);
    const { out, err } = await runBout(command.replace(GUIDE_URL, url).split(" "), "", folder);
    assert.equal(err, "");
    return out.replaceAll(url, GUIDE_URL);
  }

  async function serve(ladder: PublicLadder): Promise<string> {
    const served = await servePublic(ladder);
    after(served.close);
    return served.url;
  }

  /** One rating 10 points too high, and the rank that would go with it. */
  function tampered(ladder: PublicLadder): PublicLadder {
    const raised = ladder.rows.map((row) => {
      if (row.name !== "zed") return row;
      const { rating, leaderboard_score } = row;
      return { ...row, rating: rating + 10, leaderboard_score: leaderboard_score + 10 };
    });
    const order = raised.toSorted((a, b) => b.leaderboard_score - a.leaderboard_score);
    return { ...ladder, rows: order.map((row, place) => ({ ...row, rank: place + 1 })) };
  }

  it("shows what the commands print", async () => {
    const simulation = await follow("sim ./my-bot.ts greedy --games 90 --save games");
    const summary = await follow("replay games/sim-1-0008.jsonl.gz");
    const tick = await follow("replay games/sim-1-0008.jsonl.gz --tick 20");
    const ladder = publicLadder();
    const verified = await follow(`verify ${GUIDE_URL}`, await serve(ladder));
    const lie = `verify ${GUIDE_URL} --season 2026-01`;
    const refuted = await follow(lie, await serve(tampered(ladder)));
    assert.deepEqual(outputs, [simulation, summary, tick, verified, refuted]);
  });

  it("names every flag of the commands", async () => {
    for (const command of ["sim", "replay", "play", "verify"]) {
      const { out } = await runBout([command, "--help"]);
      const flags = out.match(/--[a-z-]+(?= )/g) ?? [];
      for (const flag of flags.filter((flag) => flag !== "--help"))
        assert.ok(GUIDE.includes(`\`${flag}`), `${command} ${flag}`);
    }
  });
});
