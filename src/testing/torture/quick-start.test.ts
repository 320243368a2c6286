import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { after, it } from "node:test";
import { promisify } from "node:util";

import { bothOf } from "#base/units/sure.ts";
import type { FighterStats, MatchStats } from "#core/engine/types.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { Match } from "#core/resources/match.ts";
import { blockOf, docPages, joinedPage, pageOf, runnable } from "#testing/fixtures/doc-page.ts";
import { findPython, reasonAgainst } from "#testing/fixtures/python.ts";
import { startLadder, temporaryFolder } from "#testing/harness/test-server.ts";

const run = promisify(execFile);
const page = pageOf("quick-start");
const [registering, looking] = bothOf(runnable(page));

const PAGE_URL = "http://localhost:7777";
const PAGE_NAME = "my-first-bot";
/** A bot of the page prints a line like this for each game. */
const GAME_LINE = /^(?:won|lost|draw) against \S+ \(\w+\) \/match\/(\S+)$/m;
/** No game takes this long; a test that waits for one in vain must end. */
const HANG_MS = 180_000;
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

const work = await temporaryFolder();
const noCurl = await reasonAgainst("curl", ["--version"]);
const python = await findPython(join(work.path, "python"));
const ladder = await startLadder(["--match-interval", "0", "--house", "kiter,brawler"]);
after(async () => {
  await ladder.close();
  await work.remove();
});

/** A separate folder with files of the page, and a shell in it that uses this ladder. */
async function openFolder(name: string, files: readonly string[]) {
  const cwd = join(work.path, name);
  await mkdir(cwd);
  for (const file of files)
    await writeFile(join(cwd, file), blockOf(pageOf("quick-start-bots"), file));
  const shell = async (script: string): Promise<string> => {
    const here = script.replaceAll(PAGE_URL, ladder.baseUrl).replaceAll(PAGE_NAME, name);
    const { stdout } = await run("sh", ["-ec", here], { cwd, env: { ...process.env, PATH } });
    return stdout;
  };
  return { cwd, shell };
}

/** Runs a bot until it has reported a game, and asks it to stop; returns the id of the match. */
async function playOne(cwd: string, program: string, file: string): Promise<string> {
  const child = spawn(program, [file], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let told = "";
  const game = new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      told += data.toString();
      const id = GAME_LINE.exec(told)?.[1];
      if (id !== undefined) resolve(id);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", () => reject(new Error(`${file} ended:\n${told}`)));
  });
  const id = await game.finally(() => child.kill());
  assert.deepEqual((await closed)[0], 0, told);
  return id;
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(ladder.baseUrl + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

async function statsOf(id: string, name: string): Promise<FighterStats> {
  const { fighters } = await get<MatchStats>(`/api/matches/${id}/stats`);
  const own = fighters.find((fighter) => fighter.name === name);
  assert.ok(own, `${name} is in its own match`);
  return own;
}

/**
 * The bot was rated, answered every tick in time and requested nothing impossible, and it left none
 * of its matches.
 */
async function assertSoundGame(id: string, name: string): Promise<void> {
  const all = await get<Match[]>(`/api/matches?bot=${name}`);
  assert.deepEqual([...new Set(all.map(({ reason }) => reason))], ["last_standing"]);
  const { bots } = await get<Match>(`/api/matches/${id}`);
  const own = bots.find((bot) => bot.name === name);
  assert.equal(typeof own?.rating_after, "number");
  const stats = await statsOf(id, name);
  assert.deepEqual(stats.server_idles, {});
  assert.deepEqual(
    Object.keys(stats.rejected).filter((reason) => reason !== "blocked"),
    [],
  );
  assert.ok(stats.moves > 0 && stats.weapons.bolt.uses + stats.weapons.strike.uses > 0);
}

it(
  "the bot in JavaScript registers, plays a rated game and is found",
  { skip: noCurl, timeout: HANG_MS },
  async () => {
    const { cwd, shell } = await openFolder("my-js-bot", ["bot.mjs"]);
    assert.match(await shell(registering), /"token":"bout_bot_/);
    const id = await playOne(cwd, process.execPath, "bot.mjs");
    await assertSoundGame(id, "my-js-bot");
    assert.match(await shell(looking), new RegExp(id));
  },
);

it(
  "the bot in Python does the same",
  { skip: noCurl || python.missing, timeout: HANG_MS },
  async () => {
    const { cwd, shell } = await openFolder("my-python-bot", ["bot.py"]);
    await shell(registering);
    const id = await playOne(cwd, python.program, "bot.py");
    await assertSoundGame(id, "my-python-bot");
  },
);

it(
  "the bot in Python says in a line why its token is refused",
  { skip: python.missing, timeout: HANG_MS },
  async () => {
    const { cwd } = await openFolder("refused", ["bot.py"]);
    const bot_endpoint = `${ladder.baseUrl.replace("http", "ws")}/bot`;
    await writeFile(join(cwd, "bot.json"), JSON.stringify({ token: "wrong", bot_endpoint }));
    const { stdout, stderr } = await run(python.program, ["bot.py"], { cwd });
    assert.match(stdout, /^closed: .*4002 .*invalid_token$/m);
    assert.equal(stderr, "");
  },
);

for (const [file, program, skip] of [
  ["bot.mjs", process.execPath, false],
  ["bot.py", python.program, python.missing],
] as const)
  it(`${file} says in a line why it was not registered`, { skip }, async () => {
    const { cwd } = await openFolder(`unregistered-${file}`, [file]);
    const { text: error } = ERRORS.authentication_required;
    await writeFile(join(cwd, "bot.json"), JSON.stringify({ error }));
    const refused = { code: 1, stdout: "", stderr: `bot.json has no token: ${error}\n` };
    await assert.rejects(run(program, [file], { cwd }), refused);
  });

it(
  "the loop for agents fetches its files, plays a version and reports on it",
  { skip: noCurl, timeout: HANG_MS },
  async () => {
    const { shell } = await openFolder("agents", []);
    const fromNothing = runnable(pageOf("agents"))[0]!;
    const first = await shell(fromNothing.replace(" v1 30 ", " v1 3 "));
    const play = (version: string) =>
      shell(`cd my-agent-bot && sh loop.sh ${version} 1 my-agent-bot ${PAGE_URL}`);
    assert.match(first, /^my-agent-bot v1: \d+ won, \d+ lost, \d+ drawn, rating \d+ ± \d+, score/);
    assert.match(await play("v2"), /^my-agent-bot v2: /);
    const why = await shell(`cd my-agent-bot && node why.mjs ${PAGE_URL} my-agent-bot`);
    const lost = /^lost to \w+ \(house-\w+\) on \w+ after \d+ ticks \(\w+\): http\S+\/(\S+)$/m.exec(
      first,
    );
    assert.match(why, /^my-agent-bot v\d against \w+ \(house-\w+\) v1 on|^no lost match/);
    if (lost === null) return;
    const named = `cd my-agent-bot && node why.mjs ${PAGE_URL} my-agent-bot ${lost[1]}`;
    const findings = await shell(named);
    assert.match(
      findings,
      /^my-agent-bot v1 against \w+ \(house-\w+\) v1 on \w+: \w+ after \d+ ticks$/m,
    );
    assert.match(findings, /^- HP: 120 HP \+ \d+ healed - .* = \d+ HP; took \w+ \d+/m);
  },
);

it("the commands of the page about debugging explain a lost game", { skip: noCurl }, async () => {
  const { shell } = await openFolder("my-js-bot-again", []);
  await shell(`curl -fsSO ${PAGE_URL}/download/bots/why.mjs`);
  const [explain, list] = bothOf(
    runnable(joinedPage(["debugging-script", "debugging"])).map((script) =>
      script.replaceAll(PAGE_NAME, "my-js-bot"),
    ),
  );
  assert.match(await shell(explain), /^my-js-bot v1 against |^no lost match/);
  assert.ok(Array.isArray(JSON.parse(await shell(list))));
});

it("every file that a guide shows is served as it is shown, with the ladder's own address", async () => {
  const shown = docPages().flatMap(({ blocks }) =>
    blocks.filter(({ info }) => /^[\w-]+\.\w+$/.test(info)),
  );
  assert.ok(shown.length >= 5);
  for (const { info, text } of shown) {
    const response = await fetch(`${ladder.baseUrl}/download/bots/${info}`);
    assert.equal(await response.text(), text.replaceAll(PAGE_URL, ladder.baseUrl), info);
  }
});
