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

import { hpAccount, damageIn } from "#core/engine/hp-account.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import { displayName } from "#core/words/house.ts";
import { blockOf, pageOf } from "#testing/fixtures/doc-page.ts";
import { playMatch } from "#tools/simulator/match.ts";

// The scripts of the guides, on a ladder whose games are known.

const run = promisify(execFile);
const NAME = "my-agent-bot";
const NOBODY = "nobody";
const FOE = "house-ts-starter";

const games = Array.from({ length: 10 }, (_, seed) =>
  playMatch({ map: "cage", seed, bots: ["brawler", seed < 2 ? "random" : "ts-starter"] }),
);

/** Lost by failed ticks alone, before there was any damage. */
const unhurt = playMatch({ map: "cage", seed: 1, bots: [() => "no turn" as never, () => null] });
const matches = [...games, unhurt].map(({ stats, winner, reason, ticks }, number) => {
  const bots = ["A", "B"].map((fighter) => {
    const name = fighter === "A" ? NAME : FOE;
    return { id: `bot-${fighter}`, name, display_name: displayName(name), version: "v1", fighter };
  });
  const how = { voided: false, rated: true };
  const facts = { id: `m${number}`, map: "cage", reason, final_tick: ticks, ...how };
  const watch_url = `/match/m${number}`;
  return { ...facts, watch_url, winner: winner && `bot-${winner}`, bots, stats };
});

/** As many as there are games. */
const ALL = String(matches.length);
/** One game more than the list has: the bot plays on. */
const row = { label: "v1", wins: 3, losses: 9, draws: 0, rating: 1, rating_deviation: 1 };
const server = createServer(({ url }, response) => {
  if (url?.includes(NOBODY)) {
    const { status, text } = ERRORS.no_such_bot;
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
  await writeFile(join(folder, "why.mjs"), blockOf(pageOf("debugging-script"), "why.mjs"));
  await writeFile(join(folder, "report.mjs"), blockOf(pageOf("agents-scripts"), "report.mjs"));
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function told(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, script), url, NAME, ...args]);
  return stdout;
}

/** What a script must say about a fighter's hp, from the account that the pages show. */
function accountOf({ fighters }: MatchStats, seat: number): string {
  const account = hpAccount(fighters[seat]!, fighters[1 - seat]!);
  const { start, healed, zone, beyond, left } = account;
  const own = damageIn(account.own);
  const last = beyond > 0 ? ` (${beyond} overkill)` : "";
  const other = damageIn(account.opponent);
  const taken = `${own} from own areas - ${zone} from zone - ${other} from opponent`;
  return `${start} HP + ${healed} healed - ${taken}${last} = ${left} HP`;
}

const isLost = ({ winner }: (typeof matches)[number]): boolean => winner === "bot-B";

test("why.mjs gives the account of both fighters, as the pages do", async () => {
  const lost = matches.filter(isLost);
  assert.ok(lost.length > 2, "some games were lost");
  for (const { id, stats } of lost) {
    const text = await told("why.mjs", id);
    assert.ok(text.includes(`- HP: ${accountOf(stats, 0)};`), text);
    assert.ok(text.includes(`- opponent: ${accountOf(stats, 1)};`), text);
  }
});

test("report.mjs gives the account of each loss with every source, and wins for contrast", async () => {
  const text = await told("report.mjs", "v1", ALL);
  const lost = matches.filter(isLost);
  for (const { stats } of lost) {
    assert.ok(text.includes(`  HP: ${accountOf(stats, 0)};`), text);
    assert.ok(text.includes(`  opponent: ${accountOf(stats, 1)};`), text);
    const sources = Object.entries(stats.fighters[0]!.taken_by_source).filter(([, hp]) => hp > 0);
    for (const [source, hp] of sources) assert.match(text, new RegExp(`\\b${source} ${hp}\\b`));
  }
  const won = matches.filter(({ winner }) => winner === "bot-A");
  assert.ok(won.length > 0, "some games were won");
  assert.match(text, new RegExp(`^mean per match: ${won.length} won, ${lost.length} lost$`, "m"));
  const mean = (group: typeof matches) =>
    group.reduce((sum, { stats }) => sum + stats.fighters[0]!.healed, 0) / group.length;
  const healed = /^ {2}healed +(\S+) +(\S+)$/m.exec(text);
  assert.deepEqual(
    healed?.slice(1),
    [won, lost].map((group) => mean(group).toFixed(1)),
  );
});

const resultsIn = (report: string) => ({
  won: Number(/(\d+) won, /.exec(report)?.[1]),
  lost: report.split("\n").filter((line) => line.startsWith("lost to ")).length,
});

test("report.mjs counts the latest games, as many as were asked for, in all its parts", async () => {
  for (const asked of [1, 4, matches.length]) {
    const latest = matches.slice(0, asked);
    const lost = latest.filter(isLost).length;
    const won = latest.filter(({ winner }) => winner === "bot-A").length;
    const report = await told("report.mjs", "v1", String(asked));
    assert.deepEqual(resultsIn(report), { won, lost });
    const drawn = asked - won - lost;
    const start = `${NAME} v1: ${won} won, ${lost} lost, ${drawn} drawn, rating 1 ± 1, score 1, rank 1`;
    assert.ok(report.startsWith(`${start}\nmean per match: ${won} won, ${lost} lost\n`), report);
  }
});

test("both call a house bot by its display name, with its handle once", async () => {
  const report = await told("report.mjs", "v1", ALL);
  const losses = report.split("\n").filter((line) => line.startsWith("lost to "));
  assert.match(losses[0]!, /^lost to Starter \(house-ts-starter\) on cage /);
  assert.ok(losses.length > 2);
  for (const line of losses.slice(1)) assert.match(line, /^lost to Starter on cage /);
  const head = `${NAME} v1 against Starter (house-ts-starter) v1 on cage: `;
  assert.ok((await told("why.mjs")).startsWith(head));
});

/** Calls that lack something, have too much, or name a page where the ladder belongs. */
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
  test(`${script} says how it is called when the call is "${args.join(" ")}"`, async () => {
    await assert.rejects(
      run(process.execPath, [join(folder, script), ...args]),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
        assert.deepEqual([code, stdout], [2, ""]);
        assert.match(stderr, new RegExp(`^usage: node ${script} URL NAME .*\n$`));
        return true;
      },
    );
  });

test("both leave out what there was none of", async () => {
  const { id } = matches.at(-1)!;
  assert.equal(damageIn(unhurt.stats.fighters[0]!.taken_by_source), 0);
  assert.match(await told("why.mjs", id), /^- HP: .* = 120 HP; picked up nothing\.$/m);
  const report = await told("report.mjs", "v1", ALL);
  assert.match(report, /^ {2}HP: .* = 120 HP; picked up nothing$/m);
  assert.match(report, /; failed ticks 10 \(schema 10\); rejected 0$/m);
});

test("both say that there is no such bot", async () => {
  for (const [script, ...args] of [["why.mjs"], ["report.mjs", "v1", "1"]]) {
    const call = run(process.execPath, [join(folder, script!), url, NOBODY, ...args]);
    const failure = { code: 1, stdout: "", stderr: `${ERRORS.no_such_bot.text}\n` };
    await assert.rejects(call, failure);
  }
});
