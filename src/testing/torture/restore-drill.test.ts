// Restore drill: backs up a ladder during play and restores it in another folder.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";

import type { WebSocket } from "ws";

import type { ServerStatus } from "#core/api/ladder.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { QuickBot, registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { QuickBotOptions, ReceivedMatchEnd } from "#testing/harness/quick-bot.ts";
import { fetchAllMatches, assertMatchesIntact } from "#testing/harness/stored-match-checks.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { checkReplay } from "#tools/author-commands/replay-check.ts";

const FLAGS = ["--accounts", "embedded", "--anonymous", "--autoconfirm", "--match-interval", "0"];
/** Number of match ends to wait for before the backup, and again after it. */
const EXPECTED_ENDS = 24;
const CROWD = 4;

type Hooks = { after(call: () => Promise<void>): void };

async function startServer(hooks: Hooks, data: string): Promise<LadderProcess> {
  const ladder = await spawnLadder(data, FLAGS);
  hooks.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  return ladder;
}

async function registerBot(client: AccountClient, name: string): Promise<string> {
  const token = await client.signUp(`${name}@example.org`);
  await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: name } });
  const body = { name: `${name}s-bot` };
  const createResponse = await client.requestLadder("POST", "/api/account/bots", { token, body });
  assert.equal(createResponse.status, 201, JSON.stringify(createResponse.body));
  return String(createResponse.body["token"]);
}

type Crowd = {
  ends: ReceivedMatchEnd[];
  until: (matchEnds: number) => Promise<void>;
  stop: () => void;
};

async function playOn(baseUrl: string, tokens: Map<string, string>): Promise<Crowd> {
  const emitter = new EventEmitter();
  const matchEnds: ReceivedMatchEnd[] = [];
  const recordEnd = (end: ReceivedMatchEnd) => {
    matchEnds.push(end);
    emitter.emit("end");
  };
  const options: QuickBotOptions = { onEnd: recordEnd, thinkMs: 1 };
  const bots = await registerQuickBots(baseUrl, "quick", CROWD, options);
  for (const [name, token] of tokens) bots.push(new QuickBot(`${name}s-bot`, token, options));
  const sockets: WebSocket[] = await Promise.all(bots.map((bot) => bot.play(baseUrl)));
  return {
    ends: matchEnds,
    until: async (count) => {
      while (matchEnds.length < count) await once(emitter, "end");
    },
    stop: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function waitUntilIdle(baseUrl: string): Promise<void> {
  while ((await getJson<ServerStatus>(baseUrl, "/api/status")).matches.length > 0) await sleep(50);
}

type BotPage = { name: string; status: string; owner: string; versions: Record<string, number>[] };

/**
 * Returns the public standings. Waits until they include all stored matches, because boards lag
 * behind.
 */
async function standings(baseUrl: string): Promise<unknown> {
  const matches = await fetchAllMatches(baseUrl);
  const names = matches.flatMap(({ bots }) => bots.map(({ name }) => name));
  const seats = 2 * matches.filter(({ rated }) => rated).length;
  for (;;) {
    const board = await getJson<{ generated?: string }>(baseUrl, "/api/leaderboard");
    const pages: BotPage[] = [];
    for (const name of [...new Set(names)].toSorted())
      pages.push(await getJson<BotPage>(baseUrl, `/api/bots/${name}`));
    if (countGames(pages) === seats) {
      const standingsRows = pages.map(({ name, status, owner, versions }) => [
        name,
        status,
        owner,
        versions,
      ]);
      return { board: { ...board, generated: null }, pages: standingsRows };
    }
    await sleep(100);
  }
}

const countGames = (pages: readonly BotPage[]): number =>
  pages
    .flatMap(({ versions }) => versions)
    .reduce((sum, { wins = 0, losses = 0, draws = 0 }) => sum + wins + losses + draws, 0);

async function runCommand(...args: string[]): Promise<{ stdout: string; err: string }> {
  const { code, out: stdout, err } = await runBout(args);
  assert.equal(code, 0, `${args.join(" ")}\n${stdout}\n${err}`);
  return { stdout, err };
}

async function assertMatchesVerify(data: string): Promise<number> {
  const folder = join(data, "replays");
  const names = await readdir(folder);
  for (const name of names) {
    const text = gunzipSync(await readFile(join(folder, name))).toString();
    const checked = checkReplay(text);
    assert.ok(!("error" in checked), name);
    assert.equal(checked.mismatch, null, name);
  }
  return names.length;
}

it("T43 restoring a ladder that was backed up during play reproduces it exactly, except for accounts deleted since the backup", async (t) => {
  const root = temporaryTestFolder();
  const at = (name: string) => join(root, name);
  const liveServer = await startServer(t, at("live"));
  const client = await createAccountClient(liveServer.baseUrl);
  const tokens = new Map<string, string>();
  for (const name of ["ada", "eve"]) tokens.set(name, await registerBot(client, name));

  const crowd = await playOn(liveServer.baseUrl, tokens);
  await crowd.until(EXPECTED_ENDS);
  const earlyEnds = [...crowd.ends];
  await runCommand("backup", at("early"), "--data", at("live"));
  await crowd.until(crowd.ends.length + EXPECTED_ENDS);
  crowd.stop();
  await waitUntilIdle(liveServer.baseUrl);
  await runCommand("backup", at("late"), "--data", at("live"));
  const standingsRows = await standings(liveServer.baseUrl);
  const token = await client.signIn("ada@example.org");
  const deleteResponse = await client.requestLadder("DELETE", "/api/account", {
    token,
    body: { handle: "ada" },
  });
  assert.equal(deleteResponse.status, 200);
  const storedMatches = await fetchAllMatches(liveServer.baseUrl);

  const list = at("live/left.jsonl");
  const recordEnd = await runCommand(
    "restore",
    at("early"),
    "--data",
    at("one"),
    "--left",
    list,
    "--revoked",
    at("live/revoked.jsonl"),
  );
  assert.match(recordEnd.stdout, /1 deleted after the backup, deleted again/);
  assert.match(recordEnd.err, /doesn't contain the server's keys/);
  assert.doesNotMatch(recordEnd.err, /WARNING/);
  const firstServer = await startServer(t, at("one"));
  const keptCount = await assertMatchesIntact(firstServer.baseUrl, earlyEnds);
  assert.equal(await assertMatchesVerify(at("one")), keptCount);
  await runCommand("verify", firstServer.baseUrl);
  const ids = (await fetchAllMatches(firstServer.baseUrl)).map(({ id }) => id);
  assert.ok(keptCount < storedMatches.length, "bots played on after the backup");
  assert.deepEqual(
    ids.toSorted(),
    storedMatches.flatMap(({ id }) => (ids.includes(id) ? id : [])).toSorted(),
    "no matches that did not exist before",
  );
  const signedInAgain = await createAccountClient(firstServer.baseUrl);
  await assert.rejects(signedInAgain.signIn("ada@example.org"), /invalid_credentials/);
  const bot = await getJson<Record<string, unknown>>(firstServer.baseUrl, "/api/bots/adas-bot");
  assert.deepEqual([bot["owner"], bot["status"]], ["deleted", "retired"]);
  assert.ok(
    (await signedInAgain.signIn("eve@example.org")) !== "",
    "the remaining account can sign in",
  );

  const loudBots = await runCommand("restore", at("late"), "--data", at("two"));
  assert.match(loudBots.err, /WARNING: without --left, accounts deleted after .* are back/);
  const secondServer = await startServer(t, at("two"));
  await runCommand("verify", secondServer.baseUrl);
  assert.deepEqual(await standings(secondServer.baseUrl), standingsRows);
});
