import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import {
  blockWithInfo,
  readJoinedPages,
  readDocPage,
  runnableCommands,
} from "#testing/fixtures/doc-page.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { mcpWorld } from "#testing/fixtures/mcp-world.ts";
import type { McpMember, McpWorld } from "#testing/fixtures/mcp-world.ts";
import { addTestVersion, setRating } from "#testing/fixtures/test-api.ts";
import { playMatch } from "#tools/simulator/match.ts";

import { temporaryTestFolder } from "./bout-process.ts";
import { isRunning, waitUntil } from "./process-state.ts";

const run = promisify(execFile);
const curlSkipReason = await unavailableReason("curl", ["--version"]);
const agentsPage = readJoinedPages(["agents", "agents-scripts"]);
const root = temporaryTestFolder();
const SIMULATOR = fileURLToPath(new URL("../../../dist/simulator/bout-sim.js", import.meta.url));
const NODE_FOLDER = dirname(process.execPath);
const NAME = "loop-bot";

/** The only match in the list, which the bot won. */
const { stats } = playMatch({ map: "cage", seed: 1, bots: ["brawler", "idle"] });
const wonMatch = {
  id: "m1",
  map: "cage",
  rated: true,
  winner: "bot-A",
  bots: [
    { id: "bot-A", name: NAME, display_name: NAME, version: "v1", fighter: "A" },
    { id: "bot-B", name: "foe", display_name: "foe", version: "v1", fighter: "B" },
  ],
  stats,
};

/** A ladder that refuses registrations, knows one bot and always reports `games` games. */
let games = 0;
const REFUSAL = JSON.stringify({ error: ERROR_CATALOGUE.invalid_bot.text, code: "invalid_bot" });
const ladder = createServer((request, response) => {
  if (request.method === "POST") return response.writeHead(400).end(REFUSAL);
  const counts = { wins: games, losses: 0, draws: 0, rating: 1500, rating_deviation: 70 };
  const row = { label: "v1", leaderboard_score: 1360, rank: 1, ...counts };
  const isBot = request.url === `/api/bots/${NAME}`;
  return response.end(JSON.stringify(isBot ? { online: true, versions: [row] } : [wonMatch]));
});
let url = "";
before(async () => {
  await once(ladder.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(ladder.address() as AddressInfo).port}`;
});
after(() => ladder.close());

/** Creates a folder with the loop's files, a registered bot, and `bot` as the bot's program. */
async function loopFolder(bot: string): Promise<string> {
  const cwd = await mkdtemp(join(root, "loop-"));
  for (const file of ["loop.sh", "report.mjs", "try.mjs"])
    await writeFile(join(cwd, file), blockWithInfo(agentsPage, file));
  await writeFile(join(cwd, "bot.mjs"), bot);
  await writeFile(join(cwd, "bot.json"), "{}");
  return cwd;
}

async function oldNode(version = "20.20.0"): Promise<string> {
  const folder = join(root, `old-${version}`);
  const program = join(folder, "node");
  const preload = join(folder, "old.cjs");
  await mkdir(folder, { recursive: true });
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  await writeFile(
    preload,
    `${versions} Object.defineProperty(process, 'version', { value: 'v${version}' });`,
  );
  const isRequested = `[ "$1" = --version ] && echo v${version} && exit`;
  await writeFile(
    program,
    `#!/bin/sh\n${isRequested}\nexec '${process.execPath}' -r '${preload}' "$@"\n`,
  );
  await chmod(program, 0o755);
  return folder;
}

function start(cwd: string, args: readonly string[], nodeFolder = NODE_FOLDER) {
  const PATH = `${nodeFolder}${delimiter}${process.env.PATH}`;
  const child = spawn(args[0]!, args.slice(1), { cwd, env: { ...process.env, PATH } });
  const closeEvent = once(child, "close") as Promise<[number | null]>;
  const finished = Promise.all([text(child.stdout), text(child.stderr), closeEvent]);
  return { child, finished };
}

async function finish(cwd: string, args: readonly string[], nodeFolder?: string) {
  const [out, err, [code]] = await start(cwd, args, nodeFolder).finished;
  return { code, out, err };
}

const loop = () => ["sh", "loop.sh", "v1", "1", NAME, url];
const WAITING = "setInterval(() => {}, 1000);";

describe("the agent loop", () => {
  it("prints the required Node version and where to find it, on one line", async () => {
    const cwd = await loopFolder(WAITING);
    const requestLog = [loop(), ["node", "report.mjs", url, NAME, "v1", "1"]];
    for (const call of requestLog) {
      const { code, out, err } = await finish(cwd, call, await oldNode());
      assert.deepEqual([code, out], [1, ""]);
      assert.match(
        err,
        /^\S+ needs Node 22 or newer \(found v20\.20\.0\): https:\/\/nodejs\.org\. In a copy .*node_modules\/\.bin.*\n$/,
      );
    }
  });

  it("prints which Node version the bot and simulator need, on one line", async () => {
    const cwd = await loopFolder(blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"));
    const bot = await finish(cwd, ["node", "bot.mjs"], await oldNode());
    assert.deepEqual([bot.code, bot.out], [1, ""]);
    assert.match(bot.err, /^this bot needs Node 22 or newer \(found v20\.20\.0\): .*\n$/);
    const tried = await finish(cwd, ["node", "try.mjs"], await oldNode("18.20.0"));
    assert.deepEqual([tried.code, tried.out], [1, ""]);
    assert.match(tried.err, /^try\.mjs needs Node 20 or later \(found v18\.20\.0\): .*\n$/);
  });

  it("reports errors in bot.json", async () => {
    const cwd = await loopFolder(blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"));
    const failingCommand: [text: string | null, told: string][] = [
      ["{}", "bot.json has no token: register a bot first\n"],
      ['{"error": "The name is taken."}', "bot.json has no token: The name is taken.\n"],
      ["bout_bot_secret", "bot.json is not valid JSON\n"],
      [null, "no bot.json in this folder: register a bot first\n"],
    ];
    for (const [content, output] of failingCommand) {
      if (content === null) await rm(join(cwd, "bot.json"));
      else await writeFile(join(cwd, "bot.json"), content);
      assert.deepEqual(await finish(cwd, ["node", "bot.mjs"]), { code: 1, out: "", err: output });
    }
  });

  const LADDER = "http://localhost:7777";
  for (const [script, ...args] of [
    ["loop.sh"],
    ["loop.sh", "v1", "some"],
    ["loop.sh", "v1", "0"],
    ["loop.sh", "v1", "1", NAME, `${LADDER}/match/m1`],
    ["loop.sh", "v1", "1", NAME, "localhost:7777"],
    ["loop.sh", "v1", "1", NAME, LADDER, "more"],
    ["try.mjs", "none.mjs"],
    ["try.mjs", "bot.mjs", "nobody"],
    ["try.mjs", "bot.mjs", "kiter", "many"],
    ["try.mjs", "bot.mjs", "kiter", "1", "more"],
  ] as const)
    it(`prints the usage of ${script} when called with "${args.join(" ")}"`, async () => {
      const cwd = await loopFolder(WAITING);
      await copyFile(SIMULATOR, join(cwd, "bout-sim.js"));
      await rm(join(cwd, "bot.json"));
      const program = script === "loop.sh" ? "sh" : "node";
      const { code, out, err } = await finish(cwd, [program, script, ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, new RegExp(`^usage: ${program} ${script} .*\n$`));
    });

  it(
    "prints only the response if registration is refused, and leaves no files",
    { skip: curlSkipReason },
    async () => {
      const cwd = await loopFolder(WAITING);
      await rm(join(cwd, "bot.json"));
      const files = await readdir(cwd);
      const refused = await finish(cwd, loop());
      assert.deepEqual(refused, { code: 1, out: "", err: `${REFUSAL}\n` });
      assert.deepEqual(await readdir(cwd), files);
    },
  );

  it("reports a ladder that can't be reached", { skip: curlSkipReason }, async () => {
    const cwd = await loopFolder(WAITING);
    await rm(join(cwd, "bot.json"));
    const { code, out, err } = await finish(cwd, [...loop().slice(0, -1), "http://127.0.0.1:1"]);
    assert.ok(code !== 0 && out === "");
    assert.match(err, /^curl: /);
  });

  it("prints one line if the ladder is down, and says that the same command resumes", async () => {
    const cwd = await loopFolder(WAITING);
    const noFiles = "http://127.0.0.1:2";
    const { code, out, err } = await finish(cwd, ["node", "report.mjs", noFiles, NAME, "v1", "1"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      /^can't reach the ladder \(ECONNREFUSED\)\. Run the same command again .*\n$/,
    );
  });

  it("detects that the bot exited, and prints the end of its log", async () => {
    games = 0;
    const cwd = await loopFolder("throw new Error('I have a fault');");
    const { code, out, err } = await finish(cwd, loop());
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^the bot exited; end of bot-v1\.log:$/m);
    assert.match(err, /I have a fault/);
    assert.match(err, /^run the same command again to continue$/m);
  });

  it("reports progress, and stops the bot after the report", async () => {
    games = 0;
    const cwd = await loopFolder(leavingId(WAITING));
    const { child, finished } = start(cwd, loop());
    await assertUnderWay(cwd, child);
    games = 1;
    const [out, err, [code]] = await finished;
    assert.equal(code, 0);
    assert.match(err, /^0 of 1 matches$/m);
    assert.match(
      out,
      /^loop-bot v1: 1 won, 0 lost, 0 drawn, rating 1500 ± 70, score 1360, rank 1$/m,
    );
    await assertGone(cwd);
  });

  for (const [signal, exit] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    it(`stops its child processes on ${signal}`, async () => {
      games = 0;
      const cwd = await loopFolder(leavingId(WAITING));
      const { child, finished } = start(cwd, loop());
      await assertUnderWay(cwd, child);
      child.kill(signal);
      // The streams close only after the report process has exited too.
      const [, , [code]] = await finished;
      assert.equal(code, exit);
      await assertGone(cwd);
    });

  it("tries out a bot with the documented commands", async () => {
    const cwd = await loopFolder(blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"));
    assert.equal(
      await attempted(cwd, runnableCommands(agentsPage)[1]!),
      shownTry("bot.mjs against kiter"),
    );
  });

  it("provides a bot that beats Starter in the documented simulation", async () => {
    const cwd = await loopFolder(blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"));
    await writeFile(join(cwd, "ahead.mjs"), blockWithInfo(agentsPage, "ahead.mjs"));
    await writeFile(
      join(cwd, "lookahead.mjs"),
      blockWithInfo(readDocPage("simulator-state"), "lookahead.mjs"),
    );
    const attempts = /^node try\.mjs .*$/m.exec(blockWithInfo(agentsPage, "above"))![0];
    const shownText = shownTry("ahead.mjs against ts-starter");
    assert.equal(await attempted(cwd, attempts), shownText);
    assert.ok(Number(/95 % interval (\S+) to/.exec(shownText)![1]) > 50);
  });

  it("runs the program set in BOT_FILE", async () => {
    games = 1;
    const cwd = await loopFolder("throw new Error('not this one');");
    await writeFile(join(cwd, "other.mjs"), leavingId(WAITING));
    const { code } = await finish(cwd, ["env", "BOT_FILE=other.mjs", ...loop()]);
    assert.equal(code, 0);
    await assertGone(cwd);
  });
});

async function attempted(cwd: string, command: string): Promise<string> {
  await copyFile(SIMULATOR, join(cwd, "bout-sim.js"));
  const { stdout } = await run(process.execPath, command.trim().split(" ").slice(1), { cwd });
  return stdout;
}

const shownTry = (start: string): string =>
  agentsPage.blocks.find(({ text }) => text.startsWith(start))!.text;

describe("the loop with MCP", { skip: curlSkipReason }, () => {
  let agentWorld: McpWorld;
  let ada: McpMember;
  before(async () => {
    agentWorld = await mcpWorld();
    ada = await agentWorld.addMember("ada");
  });
  after(() => agentWorld.close());

  /** Runs the page's commands against this ladder with Ada's key, in a separate folder. */
  async function followGuide(commands: string) {
    const cwd = await mkdtemp(join(root, "mcp-"));
    const script = commands
      .replaceAll("http://localhost:7777", agentWorld.baseUrl)
      .replaceAll("bout_key_...", ada.keyResponse)
      .replaceAll("my-agent-bot", "mcp-bot")
      // This ladder starts no matches, so the bot doesn't need to connect.
      .replace("sh loop.sh", `echo '${WAITING}' > bot.mjs\nsh loop.sh`);
    return { bot: join(cwd, "mcp-bot", "bot.json"), finished: finish(cwd, ["sh", "-ec", script]) };
  }

  async function assumeMatches(name: string): Promise<void> {
    const bot = await agentWorld.api.store.bots.byName(name);
    const version = await addTestVersion(agentWorld.api, bot!, "v1");
    setRating(agentWorld.api, version, 1500, [30, 0, 0]);
  }

  it("links from /llms.txt to the endpoint and the guide", async () => {
    const text = await (await fetch(`${agentWorld.baseUrl}/llms.txt`)).text();
    assert.ok(text.includes(`MCP endpoint: ${agentWorld.endpoint.href}`));
    assert.ok(text.includes(`${agentWorld.baseUrl}/docs/agents.md`));
  });

  it("registers with a key and without a browser, and continues to the report", async () => {
    const { bot, finished } = await followGuide(blockWithInfo(agentsPage, "mcp"));
    assert.ok(await waitUntil(() => existsSync(bot) && readFileSync(bot).length > 0));
    await assumeMatches("mcp-bot");
    const { code, out, err } = await finished;
    assert.equal(code, 0, err);
    assert.match(out, /"handle":"ada"/);
    assert.match(out, /^mcp-bot v1: 0 won, 0 lost, 0 drawn, rating 1500/m);
    assert.match(readFileSync(bot, "utf8"), /"token":"bout_bot_/);
  });

  it("prints its usage, and prints only errors on stderr", async () => {
    const cwd = await mkdtemp(join(root, "mcp-"));
    await writeFile(join(cwd, "mcp.mjs"), blockWithInfo(agentsPage, "mcp.mjs"));
    const call = (key: string, ...args: string[]) =>
      finish(cwd, ["env", `BOUT_AGENT_KEY=${key}`, "node", "mcp.mjs", ...args]);
    const url = agentWorld.baseUrl;
    const refused = await call(ada.keyResponse, url, "register_bot", '{"name": "x"}');
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.match(refused.err, /"code":"invalid_bot"/);
    const unknown = await call("bout_key_x", url, "whoami");
    assert.match(unknown.err, /"code":"invalid_token"/);
    for (const args of [
      [url],
      ["localhost", "whoami"],
      [url, "whoami", "{}", "more"],
      [url, "whoami", "bad"],
    ])
      assert.deepEqual(
        [(await call(ada.keyResponse, ...args)).code, (await call(ada.keyResponse, ...args)).out],
        [2, ""],
      );
  });
});

function leavingId(program: string): string {
  return `import { writeFileSync } from "node:fs";
    writeFileSync("bot.pid", String(process.pid));
    ${program}`;
}

const pidFile = (cwd: string): string => join(cwd, "bot.pid");

async function assertUnderWay(cwd: string, { stderr }: ChildProcess): Promise<void> {
  assert.ok(stderr !== null);
  await once(stderr, "data");
  assert.ok(
    await waitUntil(() => existsSync(pidFile(cwd)) && readFileSync(pidFile(cwd)).length > 0),
  );
}

async function assertGone(cwd: string): Promise<void> {
  const pid = readFileSync(pidFile(cwd), "utf8");
  assert.ok(await waitUntil(() => !isRunning(pid)), "the bot is still running");
}
