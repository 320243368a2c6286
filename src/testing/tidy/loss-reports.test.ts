import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { hpBreakdown, totalDamage } from "#core/engine/hp-breakdown.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { displayName } from "#core/ids/house-bots.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { blockWithInfo, readDocPage } from "#testing/fixtures/doc-page.ts";
import { playMatch } from "#tools/simulator/match.ts";

const run = promisify(execFile);
const NAME = "my-agent-bot";
const UNKNOWN_BOT = "nobody";
const OPPONENT = "house-ts-starter";

const playedMatches = Array.from({ length: 10 }, (_, seed) =>
  playMatch({ map: "cage", seed, bots: ["brawler", seed < 2 ? "random" : "ts-starter"] }),
);

/** A loss caused only by failed ticks, before any damage. */
const undamagedMatch = playMatch({
  map: "cage",
  seed: 1,
  bots: [() => "no turn" as never, () => null],
});
const matches = [...playedMatches, undamagedMatch].map(
  ({ stats, winner, reason, ticks }, number) => {
    const bots = ["A", "B"].map((fighter) => {
      const name = fighter === "A" ? NAME : OPPONENT;
      return {
        id: `bot-${fighter}`,
        name,
        display_name: displayName(name),
        version: "v1",
        fighter,
      };
    });
    const details = { voided: false, rated: true };
    const facts = { id: `m${number}`, map: "cage", reason, final_tick: ticks, ...details };
    const watch_url = `/match/m${number}`;
    return { ...facts, watch_url, winner: winner && `bot-${winner}`, bots, stats };
  },
);

const MATCH_COUNT = String(matches.length);
/** One game more than in the match list, because the bot keeps playing. */
const row = { label: "v1", wins: 3, losses: 9, draws: 0, rating: 1, rating_deviation: 1 };
const server = createServer(({ url }, response) => {
  if (url?.includes(UNKNOWN_BOT)) {
    const { status, text } = ERROR_CATALOGUE.no_such_bot;
    return response.writeHead(status).end(JSON.stringify({ error: text, code: "no_such_bot" }));
  }
  const bot = { online: true, versions: [{ ...row, leaderboard_score: 1, rank: 1 }] };
  return response.end(JSON.stringify(url?.startsWith("/api/matches") ? matches : bot));
});
let folder = "";
let url = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-reports-"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(
    join(folder, "why.mjs"),
    blockWithInfo(readDocPage("debugging-script"), "why.mjs"),
  );
  await writeFile(
    join(folder, "report.mjs"),
    blockWithInfo(readDocPage("agents-scripts"), "report.mjs"),
  );
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function told(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, script), url, NAME, ...args]);
  return stdout;
}

function accountOf({ fighters }: MatchStats, seat: number): string {
  const account = hpBreakdown(fighters[seat]!, fighters[1 - seat]!);
  const { start, healed, zoneDamage, overkill, remaining: remainingHp } = account;
  const ownFighter = totalDamage(account.selfDamage);
  const lastTick = overkill > 0 ? ` (${overkill} overkill)` : "";
  const opponentFighter = totalDamage(account.opponentDamage);
  const damageTaken = `${ownFighter} from own areas - ${zoneDamage} from zone - ${opponentFighter} from opponent`;
  return `${start} HP + ${healed} healed - ${damageTaken}${lastTick} = ${remainingHp} HP`;
}

const isLost = ({ winner }: (typeof matches)[number]): boolean => winner === "bot-B";

test("why.mjs prints the same HP breakdown for both fighters as the match page", async () => {
  const lostMatches = matches.filter(isLost);
  assert.ok(lostMatches.length > 2, "there are lost games");
  for (const { id, stats } of lostMatches) {
    const text = await told("why.mjs", id);
    assert.ok(text.includes(`- HP: ${accountOf(stats, 0)};`), text);
    assert.ok(text.includes(`- opponent: ${accountOf(stats, 1)};`), text);
  }
});

test("report.mjs prints an HP breakdown of each loss with every damage source, and of wins for comparison", async () => {
  const text = await told("report.mjs", "v1", MATCH_COUNT);
  const lostMatches = matches.filter(isLost);
  for (const { stats } of lostMatches) {
    assert.ok(text.includes(`  HP: ${accountOf(stats, 0)};`), text);
    assert.ok(text.includes(`  opponent: ${accountOf(stats, 1)};`), text);
    const sources = Object.entries(stats.fighters[0]!.taken_by_source).filter(([, hp]) => hp > 0);
    for (const [source, hp] of sources) assert.match(text, new RegExp(`\\b${source} ${hp}\\b`));
  }
  const wonMatches = matches.filter(({ winner }) => winner === "bot-A");
  assert.ok(wonMatches.length > 0, "there are won games");
  assert.match(
    text,
    new RegExp(`^mean per match: ${wonMatches.length} won, ${lostMatches.length} lost$`, "m"),
  );
  const mean = (group: typeof matches) =>
    group.reduce((sum, { stats }) => sum + stats.fighters[0]!.healed, 0) / group.length;
  const healed = /^ {2}healed +(\S+) +(\S+)$/m.exec(text);
  assert.deepEqual(
    healed?.slice(1),
    [wonMatches, lostMatches].map((group) => mean(group).toFixed(1)),
  );
});

const resultsIn = (report: string) => ({
  won: Number(/(\d+) won, /.exec(report)?.[1]),
  lost: report.split("\n").filter((line) => line.startsWith("lost to ")).length,
});

test("report.mjs limits every section to the requested number of latest games", async () => {
  for (const requests of [1, 4, matches.length]) {
    const latestMatches = matches.slice(0, requests);
    const lostMatches = latestMatches.filter(isLost).length;
    const wonMatches = latestMatches.filter(({ winner }) => winner === "bot-A").length;
    const report = await told("report.mjs", "v1", String(requests));
    assert.deepEqual(resultsIn(report), { won: wonMatches, lost: lostMatches });
    const drawnMatches = requests - wonMatches - lostMatches;
    const start = `${NAME} v1: ${wonMatches} won, ${lostMatches} lost, ${drawnMatches} drawn, rating 1 ± 1, score 1, rank 1`;
    assert.ok(
      report.startsWith(`${start}\nmean per match: ${wonMatches} won, ${lostMatches} lost\n`),
      report,
    );
  }
});

test("both scripts show a house bot by its display name, with the handle once", async () => {
  const report = await told("report.mjs", "v1", MATCH_COUNT);
  const losses = report.split("\n").filter((line) => line.startsWith("lost to "));
  assert.match(losses[0]!, /^lost to Starter \(house-ts-starter\) on cage /);
  assert.ok(losses.length > 2);
  for (const line of losses.slice(1)) assert.match(line, /^lost to Starter on cage /);
  const head = `${NAME} v1 against Starter (house-ts-starter) v1 on cage: `;
  assert.ok((await told("why.mjs")).startsWith(head));
});

/** Calls with a missing argument, an extra argument, or a page URL instead of the ladder's URL. */
const MISTAKEN: readonly [script: string, ...args: string[]][] = [
  ["why.mjs"],
  ["why.mjs", "http://localhost:7777"],
  ["why.mjs", "http://localhost:7777/match/m1", NAME],
  ["why.mjs", "localhost:7777", NAME],
  ["why.mjs", "http://localhost:7777", NAME, "m1", "m2"],
  ["report.mjs"],
  ["report.mjs", "http://localhost:7777", NAME, "v1"],
  ["report.mjs", "http://localhost:7777", NAME, "v1", "many"],
  ["report.mjs", "http://localhost:7777/bot/x", NAME, "v1", "30"],
];
for (const [script, ...args] of MISTAKEN)
  test(`${script} prints its usage when called with "${args.join(" ")}"`, async () => {
    await assert.rejects(
      run(process.execPath, [join(folder, script), ...args]),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
        assert.deepEqual([code, stdout], [2, ""]);
        assert.match(stderr, new RegExp(`^usage: node ${script} URL NAME .*\n$`));
        return true;
      },
    );
  });

test("both scripts omit empty items", async () => {
  const { id } = matches.at(-1)!;
  assert.equal(totalDamage(undamagedMatch.stats.fighters[0]!.taken_by_source), 0);
  assert.match(await told("why.mjs", id), /^- HP: .* = 120 HP; picked up nothing\.$/m);
  const report = await told("report.mjs", "v1", MATCH_COUNT);
  assert.match(report, /^ {2}HP: .* = 120 HP; picked up nothing$/m);
  assert.match(report, /; failed ticks 10 \(schema 10\); rejected 0$/m);
});

test("both scripts report an unknown bot", async () => {
  for (const [script, ...args] of [["why.mjs"], ["report.mjs", "v1", "1"]]) {
    const call = run(process.execPath, [join(folder, script!), url, UNKNOWN_BOT, ...args]);
    const failure = { code: 1, stdout: "", stderr: `${ERROR_CATALOGUE.no_such_bot.text}\n` };
    await assert.rejects(call, failure);
  }
});
