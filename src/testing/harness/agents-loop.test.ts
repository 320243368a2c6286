// The scripts of the agents' loop when something is wrong: an old Node, a bot that dies, a signal.

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

import { ERRORS } from "#core/protocol/errors.ts";
import { blockOf, joinedPage, pageOf, runnable } from "#testing/fixtures/doc-page.ts";
import { mcpWorld } from "#testing/fixtures/mcp-world.ts";
import type { McpMember, McpWorld } from "#testing/fixtures/mcp-world.ts";
import { reasonAgainst } from "#testing/fixtures/python.ts";
import { addVersion, rate } from "#testing/fixtures/test-api.ts";
import { playMatch } from "#tools/simulator/match.ts";

import { temporaryFolder } from "./bout-process.ts";
import { isRunning, until } from "./process-state.ts";

const run = promisify(execFile);
const noCurl = await reasonAgainst("curl", ["--version"]);
const page = joinedPage(["agents", "agents-scripts"]);
const root = temporaryFolder();
const SIMULATOR = fileURLToPath(new URL("../../../dist/simulator/bout-sim.js", import.meta.url));
const NODE_FOLDER = dirname(process.execPath);
const NAME = "loop-bot";

/** The one game in the list, which the bot has won. */
const { stats } = playMatch({ map: "cage", seed: 1, bots: ["brawler", "idle"] });
const won = {
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

/** A ladder that registers nobody, knows the bot and always reports `games` games played. */
let games = 0;
const REFUSAL = JSON.stringify({ error: ERRORS.invalid_bot.text, code: "invalid_bot" });
const ladder = createServer((request, response) => {
  if (request.method === "POST") return response.writeHead(400).end(REFUSAL);
  const counts = { wins: games, losses: 0, draws: 0, rating: 1500, rating_deviation: 70 };
  const row = { label: "v1", leaderboard_score: 1360, rank: 1, ...counts };
  const isBot = request.url === `/api/bots/${NAME}`;
  return response.end(JSON.stringify(isBot ? { online: true, versions: [row] } : [won]));
});
let url = "";
before(async () => {
  await once(ladder.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(ladder.address() as AddressInfo).port}`;
});
after(() => ladder.close());

/** A folder with the files of the loop, a registered bot, and `bot` as its program. */
async function loopFolder(bot: string): Promise<string> {
  const cwd = await mkdtemp(join(root, "loop-"));
  for (const file of ["loop.sh", "report.mjs", "try.mjs"])
    await writeFile(join(cwd, file), blockOf(page, file));
  await writeFile(join(cwd, "bot.mjs"), bot);
  await writeFile(join(cwd, "bot.json"), "{}");
  return cwd;
}

/** A folder with a `node` that claims to be of a version. */
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
  const isAsked = `[ "$1" = --version ] && echo v${version} && exit`;
  await writeFile(
    program,
    `#!/bin/sh\n${isAsked}\nexec '${process.execPath}' -r '${preload}' "$@"\n`,
  );
  await chmod(program, 0o755);
  return folder;
}

function start(cwd: string, args: readonly string[], nodeFolder = NODE_FOLDER) {
  const PATH = `${nodeFolder}${delimiter}${process.env.PATH}`;
  const child = spawn(args[0]!, args.slice(1), { cwd, env: { ...process.env, PATH } });
  const ended = once(child, "close") as Promise<[number | null]>;
  const finished = Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { child, finished };
}

async function finish(cwd: string, args: readonly string[], nodeFolder?: string) {
  const [out, err, [code]] = await start(cwd, args, nodeFolder).finished;
  return { code, out, err };
}

const loop = () => ["sh", "loop.sh", "v1", "1", NAME, url];
const WAITING = "setInterval(() => {}, 1000);";

describe("the loop for agents", () => {
  it("says in one line which Node it needs, and where to find one", async () => {
    const cwd = await loopFolder(WAITING);
    const calls = [loop(), ["node", "report.mjs", url, NAME, "v1", "1"]];
    for (const call of calls) {
      const { code, out, err } = await finish(cwd, call, await oldNode());
      assert.deepEqual([code, out], [1, ""]);
      assert.match(
        err,
        /^\S+ needs Node 22 or newer \(found v20\.20\.0\): https:\/\/nodejs\.org\. In a copy .*node_modules\/\.bin.*\n$/,
      );
    }
  });

  it("says in one line which Node its bot and its simulator need", async () => {
    const cwd = await loopFolder(blockOf(pageOf("quick-start-bots"), "bot.mjs"));
    const bot = await finish(cwd, ["node", "bot.mjs"], await oldNode());
    assert.deepEqual([bot.code, bot.out], [1, ""]);
    assert.match(bot.err, /^this bot needs Node 22 or newer \(found v20\.20\.0\): .*\n$/);
    const tried = await finish(cwd, ["node", "try.mjs"], await oldNode("18.20.0"));
    assert.deepEqual([tried.code, tried.out], [1, ""]);
    assert.match(tried.err, /^try\.mjs needs Node 20 or newer \(found v18\.20\.0\): .*\n$/);
  });

  it("says what is wrong with bot.json", async () => {
    const cwd = await loopFolder(blockOf(pageOf("quick-start-bots"), "bot.mjs"));
    const failing: [text: string | null, told: string][] = [
      ["{}", "bot.json has no token: register a bot first\n"],
      ['{"error": "The name is taken."}', "bot.json has no token: The name is taken.\n"],
      ["bout_bot_secret", "bot.json is not valid JSON\n"],
      [null, "no bot.json in this folder: register a bot first\n"],
    ];
    for (const [content, told] of failing) {
      if (content === null) await rm(join(cwd, "bot.json"));
      else await writeFile(join(cwd, "bot.json"), content);
      assert.deepEqual(await finish(cwd, ["node", "bot.mjs"]), { code: 1, out: "", err: told });
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
    it(`says how ${script} is called when the call is "${args.join(" ")}"`, async () => {
      const cwd = await loopFolder(WAITING);
      await copyFile(SIMULATOR, join(cwd, "bout-sim.js"));
      await rm(join(cwd, "bot.json"));
      const program = script === "loop.sh" ? "sh" : "node";
      const { code, out, err } = await finish(cwd, [program, script, ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, new RegExp(`^usage: ${program} ${script} .*\n$`));
    });

  it(
    "shows the answer alone if registering is refused, and leaves nothing behind",
    { skip: noCurl },
    async () => {
      const cwd = await loopFolder(WAITING);
      await rm(join(cwd, "bot.json"));
      const files = await readdir(cwd);
      const refused = await finish(cwd, loop());
      assert.deepEqual(refused, { code: 1, out: "", err: `${REFUSAL}\n` });
      assert.deepEqual(await readdir(cwd), files);
    },
  );

  it("says that no ladder answers", { skip: noCurl }, async () => {
    const cwd = await loopFolder(WAITING);
    await rm(join(cwd, "bot.json"));
    const { code, out, err } = await finish(cwd, [...loop().slice(0, -1), "http://127.0.0.1:1"]);
    assert.ok(code !== 0 && out === "");
    assert.match(err, /^curl: /);
  });

  it("says in a line that the ladder is away, and that the same call goes on", async () => {
    const cwd = await loopFolder(WAITING);
    const none = "http://127.0.0.1:2";
    const { code, out, err } = await finish(cwd, ["node", "report.mjs", none, NAME, "v1", "1"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      /^can't reach the ladder \(ECONNREFUSED\)\. Run the same command again .*\n$/,
    );
  });

  it("notices a bot that dies, and shows its last words", async () => {
    games = 0;
    const cwd = await loopFolder("throw new Error('I have a fault');");
    const { code, out, err } = await finish(cwd, loop());
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^the bot exited; end of bot-v1\.log:$/m);
    assert.match(err, /I have a fault/);
    assert.match(err, /^run the same command again to continue$/m);
  });

  it("reports progress, and ends the bot once the report is there", async () => {
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
    it(`ends its programs on ${signal}`, async () => {
      games = 0;
      const cwd = await loopFolder(leavingId(WAITING));
      const { child, finished } = start(cwd, loop());
      await assertUnderWay(cwd, child);
      child.kill(signal);
      // The streams end only after the report has ended too.
      const [, , [code]] = await finished;
      assert.equal(code, exit);
      await assertGone(cwd);
    });

  it("tries a bot as the page shows it", async () => {
    const cwd = await loopFolder(blockOf(pageOf("quick-start-bots"), "bot.mjs"));
    assert.equal(await tried(cwd, runnable(page)[1]!), shownTry("bot.mjs against kiter"));
  });

  it("has a bot that beats Starter, by the simulation that it shows", async () => {
    const cwd = await loopFolder(blockOf(pageOf("quick-start-bots"), "bot.mjs"));
    await writeFile(join(cwd, "ahead.mjs"), blockOf(page, "ahead.mjs"));
    await writeFile(
      join(cwd, "lookahead.mjs"),
      blockOf(pageOf("simulator-state"), "lookahead.mjs"),
    );
    const trying = /^node try\.mjs .*$/m.exec(blockOf(page, "above"))![0];
    const shown = shownTry("ahead.mjs against ts-starter");
    assert.equal(await tried(cwd, trying), shown);
    assert.ok(Number(/95 % interval (\S+) to/.exec(shown)![1]) > 50);
  });

  it("plays the program that BOT_FILE names", async () => {
    games = 1;
    const cwd = await loopFolder("throw new Error('not this one');");
    await writeFile(join(cwd, "other.mjs"), leavingId(WAITING));
    const { code } = await finish(cwd, ["env", "BOT_FILE=other.mjs", ...loop()]);
    assert.equal(code, 0);
    await assertGone(cwd);
  });
});

async function tried(cwd: string, command: string): Promise<string> {
  await copyFile(SIMULATOR, join(cwd, "bout-sim.js"));
  const { stdout } = await run(process.execPath, command.trim().split(" ").slice(1), { cwd });
  return stdout;
}

const shownTry = (start: string): string =>
  page.blocks.find(({ text }) => text.startsWith(start))!.text;

describe("the loop with MCP", { skip: noCurl }, () => {
  let world: McpWorld;
  let ada: McpMember;
  before(async () => {
    world = await mcpWorld();
    ada = await world.join("ada");
  });
  after(() => world.close());

  /** The commands of the page on this ladder, with Ada's key, in a folder of their own. */
  async function follow(commands: string) {
    const cwd = await mkdtemp(join(root, "mcp-"));
    const script = commands
      .replaceAll("http://localhost:7777", world.baseUrl)
      .replaceAll("bout_key_...", ada.key)
      .replaceAll("my-agent-bot", "mcp-bot")
      // The ladder of this test plays no matches, so the bot need not connect.
      .replace("sh loop.sh", `echo '${WAITING}' > bot.mjs\nsh loop.sh`);
    return { bot: join(cwd, "mcp-bot", "bot.json"), finished: finish(cwd, ["sh", "-ec", script]) };
  }

  /** What the bot's page says once it has played. */
  async function assumePlayed(name: string): Promise<void> {
    const bot = await world.api.store.bots.byName(name);
    const version = await addVersion(world.api, bot!, "v1");
    rate(world.api, version, 1500, [30, 0, 0]);
  }

  it("leads from the address of /llms.txt to the endpoint and the guide", async () => {
    const text = await (await fetch(`${world.baseUrl}/llms.txt`)).text();
    assert.ok(text.includes(`MCP endpoint: ${world.endpoint.href}`));
    assert.ok(text.includes(`${world.baseUrl}/docs/agents.md`));
  });

  it("registers with a key, without a browser, and goes on to the report", async () => {
    const { bot, finished } = await follow(blockOf(page, "mcp"));
    assert.ok(await until(() => existsSync(bot) && readFileSync(bot).length > 0));
    await assumePlayed("mcp-bot");
    const { code, out, err } = await finished;
    assert.equal(code, 0, err);
    assert.match(out, /"handle":"ada"/);
    assert.match(out, /^mcp-bot v1: 0 won, 0 lost, 0 drawn, rating 1500/m);
    assert.match(readFileSync(bot, "utf8"), /"token":"bout_bot_/);
  });

  it("shows a refusal alone, on stderr, and how it is called", async () => {
    const cwd = await mkdtemp(join(root, "mcp-"));
    await writeFile(join(cwd, "mcp.mjs"), blockOf(page, "mcp.mjs"));
    const call = (key: string, ...args: string[]) =>
      finish(cwd, ["env", `BOUT_AGENT_KEY=${key}`, "node", "mcp.mjs", ...args]);
    const url = world.baseUrl;
    const refused = await call(ada.key, url, "register_bot", '{"name": "x"}');
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
        [(await call(ada.key, ...args)).code, (await call(ada.key, ...args)).out],
        [2, ""],
      );
  });
});

/** The program, made to leave its process id in the file `bot.pid`. */
function leavingId(program: string): string {
  return `import { writeFileSync } from "node:fs";
    writeFileSync("bot.pid", String(process.pid));
    ${program}`;
}

const pidFile = (cwd: string): string => join(cwd, "bot.pid");

/** Asserts that the bot plays, and that the report has said so. */
async function assertUnderWay(cwd: string, { stderr }: ChildProcess): Promise<void> {
  assert.ok(stderr !== null);
  await once(stderr, "data");
  assert.ok(await until(() => existsSync(pidFile(cwd)) && readFileSync(pidFile(cwd)).length > 0));
}

async function assertGone(cwd: string): Promise<void> {
  const pid = readFileSync(pidFile(cwd), "utf8");
  assert.ok(await until(() => !isRunning(pid)), "the bot still runs");
}
