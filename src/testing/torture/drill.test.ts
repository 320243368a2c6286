// The restore drill: a ladder is copied while bots play on it, and comes back elsewhere as it was.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";

import type { WebSocket } from "ws";

import type { Status } from "#core/resources/ladder.ts";
import { personAt } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { getJson } from "#testing/harness/duel.ts";
import { QuickBot, registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { QuickBotOptions, ToldEnd } from "#testing/harness/quick-bot.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { allMatches, assertKept } from "#testing/harness/told-ends.ts";
import { checkReplay } from "#tools/cli/replay-check.ts";

const FLAGS = ["--accounts", "embedded", "--anonymous", "--autoconfirm", "--match-interval", "0"];
/** Ends that are heard before, and after, the copy is made. */
const ENDS = 24;
const CROWD = 4;

type Hooks = { after(call: () => Promise<void>): void };

async function serving(hooks: Hooks, data: string): Promise<LadderProcess> {
  const ladder = await spawnLadder(data, FLAGS);
  hooks.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  return ladder;
}

/** Signs up, takes a handle, and registers a bot; returns its token. */
async function enter(client: AccountClient, name: string): Promise<string> {
  const token = await client.enter(`${name}@example.org`);
  await client.ladder("PUT", "/api/account/handle", { token, body: { handle: name } });
  const body = { name: `${name}s-bot` };
  const made = await client.ladder("POST", "/api/account/bots", { token, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return String(made.body["token"]);
}

type Crowd = { ends: ToldEnd[]; until: (ends: number) => Promise<void>; stop: () => void };

/** Two people's bots and some of nobody's play from now on. */
async function playOn(baseUrl: string, tokens: Map<string, string>): Promise<Crowd> {
  const news = new EventEmitter();
  const ends: ToldEnd[] = [];
  const told = (end: ToldEnd) => {
    ends.push(end);
    news.emit("end");
  };
  const options: QuickBotOptions = { told, thinkMs: 1 };
  const bots = await registerQuickBots(baseUrl, "quick", CROWD, options);
  for (const [name, token] of tokens) bots.push(new QuickBot(`${name}s-bot`, token, options));
  const sockets: WebSocket[] = await Promise.all(bots.map((bot) => bot.play(baseUrl)));
  return {
    ends,
    until: async (count) => {
      while (ends.length < count) await once(news, "end");
    },
    stop: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function quiet(baseUrl: string): Promise<void> {
  while ((await getJson<Status>(baseUrl, "/api/status")).matches.length > 0) await sleep(50);
}

type BotPage = { name: string; status: string; owner: string; versions: Record<string, number>[] };

/** What everybody can see of who stands where, once all stored games count: boards follow in a while. */
async function standings(baseUrl: string): Promise<unknown> {
  const matches = await allMatches(baseUrl);
  const names = matches.flatMap(({ bots }) => bots.map(({ name }) => name));
  const seats = 2 * matches.filter(({ rated }) => rated).length;
  for (;;) {
    const board = await getJson<{ generated?: string }>(baseUrl, "/api/leaderboard");
    const pages: BotPage[] = [];
    for (const name of [...new Set(names)].toSorted())
      pages.push(await getJson<BotPage>(baseUrl, `/api/bots/${name}`));
    if (gamesOn(pages) === seats) {
      const shown = pages.map(({ name, status, owner, versions }) => [
        name,
        status,
        owner,
        versions,
      ]);
      return { board: { ...board, generated: null }, pages: shown };
    }
    await sleep(100);
  }
}

const gamesOn = (pages: readonly BotPage[]): number =>
  pages
    .flatMap(({ versions }) => versions)
    .reduce((sum, { wins = 0, losses = 0, draws = 0 }) => sum + wins + losses + draws, 0);

async function bout(...args: string[]): Promise<{ out: string; err: string }> {
  const { code, out, err } = await runBout(args);
  assert.equal(code, 0, `${args.join(" ")}\n${out}\n${err}`);
  return { out, err };
}

async function assertAllPlay(data: string): Promise<number> {
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

it("T43 a ladder that is copied under play comes back as it was, without those who left", async (t) => {
  const root = temporaryFolder();
  const at = (name: string) => join(root, name);
  const live = await serving(t, at("live"));
  const client = await personAt(live.baseUrl);
  const tokens = new Map<string, string>();
  for (const name of ["ada", "eve"]) tokens.set(name, await enter(client, name));

  const crowd = await playOn(live.baseUrl, tokens);
  await crowd.until(ENDS);
  const early = [...crowd.ends];
  await bout("backup", at("early"), "--data", at("live"));
  await crowd.until(crowd.ends.length + ENDS);
  crowd.stop();
  await quiet(live.baseUrl);
  await bout("backup", at("late"), "--data", at("live"));
  const shown = await standings(live.baseUrl);
  const token = await client.signIn("ada@example.org");
  const gone = await client.ladder("DELETE", "/api/account", { token, body: { handle: "ada" } });
  assert.equal(gone.status, 200);
  const all = await allMatches(live.baseUrl);

  const list = at("live/left.jsonl");
  const told = await bout(
    "restore",
    at("early"),
    "--data",
    at("one"),
    "--left",
    list,
    "--revoked",
    at("live/revoked.jsonl"),
  );
  assert.match(told.out, /1 had left since, and are gone again/);
  assert.match(told.err, /no keys of the server/);
  assert.doesNotMatch(told.err, /WARNING/);
  const one = await serving(t, at("one"));
  const kept = await assertKept(one.baseUrl, early);
  assert.equal(await assertAllPlay(at("one")), kept);
  await bout("verify", one.baseUrl);
  const ids = (await allMatches(one.baseUrl)).map(({ id }) => id);
  assert.ok(kept < all.length, "bots played on after the copy");
  assert.deepEqual(
    ids.toSorted(),
    all.flatMap(({ id }) => (ids.includes(id) ? id : [])).toSorted(),
    "nothing is there that was not",
  );
  const again = await personAt(one.baseUrl);
  await assert.rejects(again.signIn("ada@example.org"), /invalid_credentials/);
  const bot = await getJson<Record<string, unknown>>(one.baseUrl, "/api/bots/adas-bot");
  assert.deepEqual([bot["owner"], bot["status"]], ["deleted", "retired"]);
  assert.ok((await again.signIn("eve@example.org")) !== "", "who stayed can sign in");

  const loud = await bout("restore", at("late"), "--data", at("two"));
  assert.match(loud.err, /WARNING: without --left, accounts that left after .* are back/);
  const two = await serving(t, at("two"));
  await bout("verify", two.baseUrl);
  assert.deepEqual(await standings(two.baseUrl), shown);
});
