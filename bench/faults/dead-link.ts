// T24: the link between a bot and the server dies silently: packets are dropped both ways, and no
// connection is closed. Run by hand, as root on Linux with unshare (util-linux) and ip (iproute2),
// since it all happens in a separate network namespace. Match times are the defaults.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { ready, replayOf, statsIn } from "#testing/harness/duel.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";

import { pause } from "../sockets/children.ts";

const INSIDE = "inside";
/** The address of the bot whose link dies; all other connections are on 127.0.0.1. */
const DOOMED = "127.0.0.2";
const BEFORE_TICKS = 3;
const SHORT_MS = 8000;

const ip = (line: string) => execFileSync("ip", line.split(" "));

/** A separate network, whose rules for single addresses precede that for local ones. */
function prepareNetwork(): void {
  ip("link set lo up");
  ip("rule add pref 10 lookup local");
  ip("rule del pref 0");
}

function killLink(): void {
  ip(`rule add pref 1 from ${DOOMED} blackhole`);
  ip(`rule add pref 2 to ${DOOMED} blackhole`);
}

function mendLink(): void {
  ip("rule del pref 1");
  ip("rule del pref 2");
}

type Scene = { bot: BotClient; opponent: BotClient; token: string; hello: Heard };

async function begin(baseUrl: string, name: string): Promise<Scene> {
  const token = await register(baseUrl, name);
  const bot = await BotClient.connect(baseUrl, token, { localAddress: DOOMED });
  const opponent = await BotClient.connect(baseUrl, await register(baseUrl, `${name}-opponent`));
  // An answer takes a while, so that the match outlasts the link.
  for (const each of [bot, opponent]) {
    each.socket.on("message", (data) => {
      const { type, tick } = JSON.parse((data as Buffer).toString()) as Heard;
      if (type === "observation") setTimeout(() => each.say({ type: "turn", tick }), 50);
    });
    each.queue();
  }
  const hello = await bot.next("hello");
  await opponent.next("hello");
  ready(bot, opponent);
  await bot.next("observation", ({ tick }) => tick === BEFORE_TICKS);
  return { bot, opponent, token, hello };
}

function report(title: string, scene: Scene, end: Heard): ReturnType<typeof statsIn> {
  const stats = statsIn(end, scene.hello);
  const { server_idles, disconnects } = stats;
  const result = end.winner === scene.hello.fighter ? "won" : "lost";
  console.log(
    `${title}: ${result} by ${String(end.reason)}, failed ticks ${JSON.stringify(server_idles)}, ` +
      `${disconnects} disconnects, its socket is ${scene.bot.socket.readyState === 1 ? "open" : "closed"}`,
  );
  assert.equal(disconnects, 0);
  return stats;
}

/** The bot hears nothing, notices nothing, and loses. */
async function deadForGood(baseUrl: string): Promise<void> {
  const scene = await begin(baseUrl, "dead");
  killLink();
  const end = await scene.opponent.next("end");
  const { server_idles } = report("dead for good", scene, end);
  assert.deepEqual([end.reason, server_idles], ["disqualification", { timeout: 10 }]);
  assert.equal(scene.bot.socket.readyState, scene.bot.socket.OPEN);
  await replayOf(baseUrl, end);
  mendLink();
}

/** The bot abandons the link and returns over another one. */
async function deadForShort(baseUrl: string): Promise<void> {
  const scene = await begin(baseUrl, "back");
  killLink();
  await pause(SHORT_MS);
  const again = await BotClient.connect(baseUrl, scene.token);
  again.autoplay();
  const seen = await again.next("observation");
  again.say({ type: "turn", tick: seen.tick });
  const end = await again.next("end");
  const { server_idles } = report(`dead for ${SHORT_MS / 1000} s`, scene, end);
  assert.deepEqual(Object.keys(server_idles), ["timeout"]);
  assert.notEqual(end.reason, "disqualification");
  await replayOf(baseUrl, end);
  mendLink();
}

async function play(): Promise<void> {
  prepareNetwork();
  const folder = await temporaryFolder();
  const ladder = await spawnLadder(folder.path);
  try {
    await deadForGood(ladder.baseUrl);
    await deadForShort(ladder.baseUrl);
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
    await folder.remove();
  }
}

/** Runs itself in a new network namespace. */
function enterNetwork(): never {
  const self = [process.execPath, fileURLToPath(import.meta.url), INSIDE];
  const { status, error } = spawnSync("unshare", ["-n", ...self], { stdio: "inherit" });
  if (error !== undefined) console.error(`not run: unshare failed (${error.message})`);
  else if (status !== 0) console.error("failed, or not run: it needs root, unshare and ip");
  process.exit(status ?? 1);
}

if (process.argv[2] !== INSIDE) enterNetwork();
await play();
process.exit();
