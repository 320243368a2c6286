// T24: the link between a bot and the server dies silently. Packets are dropped in both directions
// and neither end closes the connection. Match timing uses the defaults. Run manually, as root on
// Linux with unshare (util-linux) and ip (iproute2), because the test needs its own network
// namespace.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { sendReady, fetchVerifiedReplay, fighterStatsOf } from "#testing/harness/test-match.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

import { pause } from "../sockets/children.ts";

const INSIDE_NAMESPACE = "inside";
/** The bot whose link dies connects from this address. All other connections use 127.0.0.1. */
const DEAD_LINK_ADDRESS = "127.0.0.2";
const TICKS_BEFORE_LOSS = 3;
const OUTAGE_MS = 8000;

const runIp = (line: string) => execFileSync("ip", line.split(" "));

/**
 * Routing rules for single addresses must take precedence over the local rule, so this needs a
 * separate network.
 */
function prepareNetwork(): void {
  runIp("link set lo up");
  runIp("rule add pref 10 lookup local");
  runIp("rule del pref 0");
}

function killLink(): void {
  runIp(`rule add pref 1 from ${DEAD_LINK_ADDRESS} blackhole`);
  runIp(`rule add pref 2 to ${DEAD_LINK_ADDRESS} blackhole`);
}

function restoreLink(): void {
  runIp("rule del pref 1");
  runIp("rule del pref 2");
}

type LinkScenario = { bot: BotClient; opponent: BotClient; token: string; hello: SocketMessage };

async function startScenario(baseUrl: string, name: string): Promise<LinkScenario> {
  const token = await registerBot(baseUrl, name);
  const bot = await BotClient.connect(baseUrl, token, { localAddress: DEAD_LINK_ADDRESS });
  const opponent = await BotClient.connect(baseUrl, await registerBot(baseUrl, `${name}-opponent`));
  // Delays each turn, so that the match outlasts the link.
  for (const client of [bot, opponent]) {
    client.socket.on("message", (data) => {
      const { type, tick } = JSON.parse((data as Buffer).toString()) as SocketMessage;
      if (type === "observation") setTimeout(() => client.send({ type: "turn", tick }), 50);
    });
    client.queue();
  }
  const hello = await bot.waitFor("hello");
  await opponent.waitFor("hello");
  sendReady(bot, opponent);
  await bot.waitFor("observation", ({ tick }) => tick === TICKS_BEFORE_LOSS);
  return { bot, opponent, token, hello };
}

function report(
  title: string,
  scenario: LinkScenario,
  end: SocketMessage,
): ReturnType<typeof fighterStatsOf> {
  const stats = fighterStatsOf(end, scenario.hello);
  const { server_idles, disconnects } = stats;
  const result = end.winner === scenario.hello.fighter ? "won" : "lost";
  console.log(
    `${title}: ${result} by ${String(end.reason)}, failed ticks ${JSON.stringify(server_idles)}, ` +
      `${disconnects} disconnects, its socket is ${scenario.bot.socket.readyState === 1 ? "open" : "closed"}`,
  );
  assert.equal(disconnects, 0);
  return stats;
}

/** The bot receives nothing, doesn't notice the dead link, and loses. */
async function testPermanentLoss(baseUrl: string): Promise<void> {
  const scenario = await startScenario(baseUrl, "dead");
  killLink();
  const end = await scenario.opponent.waitFor("end");
  const { server_idles } = report("dead permanently", scenario, end);
  assert.deepEqual([end.reason, server_idles], ["disqualification", { timeout: 10 }]);
  assert.equal(scenario.bot.socket.readyState, scenario.bot.socket.OPEN);
  await fetchVerifiedReplay(baseUrl, end);
  restoreLink();
}

/** The bot drops the dead link and reconnects from another address. */
async function testTemporaryLoss(baseUrl: string): Promise<void> {
  const scenario = await startScenario(baseUrl, "back");
  killLink();
  await pause(OUTAGE_MS);
  const reconnected = await BotClient.connect(baseUrl, scenario.token);
  reconnected.autoplay();
  const observation = await reconnected.waitFor("observation");
  reconnected.send({ type: "turn", tick: observation.tick });
  const end = await reconnected.waitFor("end");
  const { server_idles } = report(`dead for ${OUTAGE_MS / 1000} s`, scenario, end);
  assert.deepEqual(Object.keys(server_idles), ["timeout"]);
  assert.notEqual(end.reason, "disqualification");
  await fetchVerifiedReplay(baseUrl, end);
  restoreLink();
}

async function runScenarios(): Promise<void> {
  prepareNetwork();
  const folder = await createTemporaryFolder();
  const ladder = await spawnLadder(folder.path);
  try {
    await testPermanentLoss(ladder.baseUrl);
    await testTemporaryLoss(ladder.baseUrl);
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
    await folder.remove();
  }
}

function enterNetworkNamespace(): never {
  const selfCommand = [process.execPath, fileURLToPath(import.meta.url), INSIDE_NAMESPACE];
  const { status, error } = spawnSync("unshare", ["-n", ...selfCommand], { stdio: "inherit" });
  if (error !== undefined) console.error(`not run: unshare failed (${error.message})`);
  else if (status !== 0) console.error("failed or not run: requires root, unshare and ip");
  process.exit(status ?? 1);
}

if (process.argv[2] !== INSIDE_NAMESPACE) enterNetworkNamespace();
await runScenarios();
process.exit();
