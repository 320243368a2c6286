import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { after, it } from "node:test";
import { promisify } from "node:util";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import type { FighterStats, MatchStats } from "#core/engine/types.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import {
  blockWithInfo,
  readDocPages,
  readJoinedPages,
  readDocPage,
  runnableCommands,
} from "#testing/fixtures/doc-page.ts";
import { findPython, unavailableReason } from "#testing/fixtures/find-python.ts";
import { startLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const run = promisify(execFile);
const quickStartPage = readDocPage("quick-start");
const [registerBlocks, lookupBlocks] = firstTwo(runnableCommands(quickStartPage));

const PAGE_URL = "http://localhost:7777";
const PAGE_NAME = "my-first-bot";
const RESULT_LINE = /^(?:won|lost|draw) against \S+ \(\w+\) \/match\/(\S+)$/m;
const HANG_TIMEOUT_MS = 180_000;
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

const workFolder = await createTemporaryFolder();
const curlSkipReason = await unavailableReason("curl", ["--version"]);
const python = await findPython(join(workFolder.path, "python"));
const ladder = await startLadder(["--match-interval", "0", "--house", "kiter,brawler"]);
after(async () => {
  await ladder.close();
  await workFolder.remove();
});

async function openFolder(name: string, files: readonly string[]) {
  const cwd = join(workFolder.path, name);
  await mkdir(cwd);
  for (const file of files)
    await writeFile(join(cwd, file), blockWithInfo(readDocPage("quick-start-bots"), file));
  const shell = async (script: string): Promise<string> => {
    const localScript = script.replaceAll(PAGE_URL, ladder.baseUrl).replaceAll(PAGE_NAME, name);
    const { stdout } = await run("sh", ["-ec", localScript], {
      cwd,
      env: { ...process.env, PATH },
    });
    return stdout;
  };
  return { cwd, shell };
}

async function playOneMatch(cwd: string, program: string, file: string): Promise<string> {
  const child = spawn(program, [file], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const closePromise = once(child, "close");
  let output = "";
  const game = new Promise<string>((resolve, reject) => {
    const onLine = (data: Buffer) => {
      output += data.toString();
      const id = RESULT_LINE.exec(output)?.[1];
      if (id !== undefined) resolve(id);
    };
    child.stdout.on("data", onLine);
    child.stderr.on("data", onLine);
    child.on("close", () => reject(new Error(`${file} ended:\n${output}`)));
  });
  const id = await game.finally(() => child.kill());
  assert.deepEqual((await closePromise)[0], 0, output);
  return id;
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(ladder.baseUrl + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

async function statsOf(id: string, name: string): Promise<FighterStats> {
  const { fighters } = await get<MatchStats>(`/api/matches/${id}/stats`);
  const ownFighter = fighters.find((fighter) => fighter.name === name);
  assert.ok(ownFighter, `${name} is in its own match`);
  return ownFighter;
}

/**
 * Checks that the match was rated and that the bot answered every tick in time, sent no impossible
 * action and didn't leave early.
 */
async function assertSoundMatch(id: string, name: string): Promise<void> {
  const allMatches = await get<Match[]>(`/api/matches?bot=${name}`);
  assert.deepEqual([...new Set(allMatches.map(({ reason }) => reason))], ["last_standing"]);
  const { bots } = await get<Match>(`/api/matches/${id}`);
  const ownFighter = bots.find((bot) => bot.name === name);
  assert.equal(typeof ownFighter?.rating_after, "number");
  const stats = await statsOf(id, name);
  assert.deepEqual(stats.server_idles, {});
  assert.deepEqual(
    Object.keys(stats.rejected).filter((reason) => reason !== "blocked"),
    [],
  );
  assert.ok(stats.moves > 0 && stats.weapons.bolt.uses + stats.weapons.strike.uses > 0);
}

it(
  "the JavaScript bot registers, plays a rated match and appears in the lists",
  { skip: curlSkipReason, timeout: HANG_TIMEOUT_MS },
  async () => {
    const { cwd, shell } = await openFolder("my-js-bot", ["bot.mjs"]);
    assert.match(await shell(registerBlocks), /"token":"bout_bot_/);
    const id = await playOneMatch(cwd, process.execPath, "bot.mjs");
    await assertSoundMatch(id, "my-js-bot");
    assert.match(await shell(lookupBlocks), new RegExp(id));
  },
);

it(
  "the Python bot registers, plays a rated match and appears in the lists",
  { skip: curlSkipReason || python.unavailable, timeout: HANG_TIMEOUT_MS },
  async () => {
    const { cwd, shell } = await openFolder("my-python-bot", ["bot.py"]);
    await shell(registerBlocks);
    const id = await playOneMatch(cwd, python.program, "bot.py");
    await assertSoundMatch(id, "my-python-bot");
  },
);

it(
  "the Python bot prints one line when its token is refused",
  { skip: python.unavailable, timeout: HANG_TIMEOUT_MS },
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
  ["bot.py", python.program, python.unavailable],
] as const)
  it(`${file} prints one line when it can't be registered`, { skip }, async () => {
    const { cwd } = await openFolder(`unregistered-${file}`, [file]);
    const { text: error } = ERROR_CATALOGUE.authentication_required;
    await writeFile(join(cwd, "bot.json"), JSON.stringify({ error }));
    const expectedFailure = { code: 1, stdout: "", stderr: `bot.json has no token: ${error}\n` };
    await assert.rejects(run(program, [file], { cwd }), expectedFailure);
  });

it(
  "the agent loop downloads its files, plays a version and reports on it",
  { skip: curlSkipReason, timeout: HANG_TIMEOUT_MS },
  async () => {
    const { shell } = await openFolder("agents", []);
    const fromScratch = runnableCommands(readDocPage("agents"))[0]!;
    const first = await shell(fromScratch.replace(" v1 30 ", " v1 3 "));
    const play = (version: string) =>
      shell(`cd my-agent-bot && sh loop.sh ${version} 1 my-agent-bot ${PAGE_URL}`);
    assert.match(first, /^my-agent-bot v1: \d+ won, \d+ lost, \d+ drawn, rating \d+ ± \d+, score/);
    assert.match(await play("v2"), /^my-agent-bot v2: /);
    const why = await shell(`cd my-agent-bot && node why.mjs ${PAGE_URL} my-agent-bot`);
    const lostLine =
      /^lost to \w+ \(house-\w+\) on \w+ after \d+ ticks \(\w+\): http\S+\/(\S+)$/m.exec(first);
    assert.match(why, /^my-agent-bot v\d against \w+ \(house-\w+\) v1 on|^no lost match/);
    if (lostLine === null) return;
    const whyCommand = `cd my-agent-bot && node why.mjs ${PAGE_URL} my-agent-bot ${lostLine[1]}`;
    const findings = await shell(whyCommand);
    assert.match(
      findings,
      /^my-agent-bot v1 against \w+ \(house-\w+\) v1 on \w+: \w+ after \d+ ticks$/m,
    );
    assert.match(findings, /^- HP: 120 HP \+ \d+ healed - .* = \d+ HP; took \w+ \d+/m);
  },
);

it("the debugging page's commands explain a lost match", { skip: curlSkipReason }, async () => {
  const { shell } = await openFolder("my-js-bot-again", []);
  await shell(`curl -fsSO ${PAGE_URL}/download/bots/why.mjs`);
  const [explain, list] = firstTwo(
    runnableCommands(readJoinedPages(["debugging-script", "debugging"])).map((script) =>
      script.replaceAll(PAGE_NAME, "my-js-bot"),
    ),
  );
  assert.match(await shell(explain), /^my-js-bot v1 against |^no lost match/);
  assert.ok(Array.isArray(JSON.parse(await shell(list))));
});

it("files shown in a guide are served as shown, but with the server's own address", async () => {
  const pageBlocks = readDocPages().flatMap(({ blocks }) =>
    blocks.filter(({ info }) => /^[\w-]+\.\w+$/.test(info)),
  );
  assert.ok(pageBlocks.length >= 5);
  for (const { info, text } of pageBlocks) {
    const response = await fetch(`${ladder.baseUrl}/download/bots/${info}`);
    assert.equal(await response.text(), text.replaceAll(PAGE_URL, ladder.baseUrl), info);
  }
});
