import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import type { Match } from "#core/api/match.ts";
import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { findPython } from "#testing/fixtures/find-python.ts";
import { startLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const MIN_MATCHES = 3;
const POLL_MS = 250;
const HANG_TIMEOUT_MS = 180_000;

const folder = await createTemporaryFolder();
const python = await findPython(folder.path);
const ladder = await startLadder(["--match-interval", "0", "--house", "kiter,brawler,ts-starter"]);
after(async () => {
  await ladder.close();
  await folder.remove();
});

async function get<T>(path: string): Promise<T> {
  const response = await fetch(ladder.baseUrl + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

async function matchesOf(program: string, file: string, name: string): Promise<Match[]> {
  const path = fileURLToPath(new URL(`../../tools/starters/${file}`, import.meta.url));
  const flags = ["--url", ladder.baseUrl, "--name", name, "--temper", "rush"];
  const bot = spawn(program, [path, ...flags], { cwd: folder.path, stdio: "inherit" });
  const exited = new Promise((resolve) => bot.on("exit", resolve));
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      assert.equal(bot.exitCode, null, `${file} exited by itself`);
      const allMatches = await get<Match[]>("/api/matches");
      const ownItems = allMatches.filter(({ bots }) => bots.some((seat) => seat.name === name));
      if (ownItems.length >= MIN_MATCHES) return ownItems;
    }
  } finally {
    bot.kill();
    await exited;
  }
}

/**
 * Checks that the starter answered every tick of these matches and lost none of them through a
 * failure.
 */
async function assertSoundMatches(matches: readonly Match[], name: string): Promise<void> {
  for (const { id, voided, reason } of matches) {
    assert.equal(voided, false);
    assert.equal(reason, "last_standing");
    const stats = await get<{ fighters: { name: string; server_idles: object }[] }>(
      `/api/matches/${id}/stats`,
    );
    const ownItems = stats.fighters.find((fighter) => fighter.name === name);
    assert.deepEqual(ownItems?.server_idles, {});
  }
}

test("the TypeScript starter plays on the real port", { timeout: HANG_TIMEOUT_MS }, async () => {
  const matches = await matchesOf(process.execPath, "starter.ts", "ts-rusher");
  await assertSoundMatches(matches, "ts-rusher");
});

test(
  "the Python starter plays on the real port",
  { timeout: HANG_TIMEOUT_MS, skip: python.unavailable },
  async () => {
    const matches = await matchesOf(python.program, "starter.py", "py-rusher");
    await assertSoundMatches(matches, "py-rusher");
  },
);

function start(program: string, file: string, ...flags: string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../../tools/starters/${file}`, import.meta.url));
  return spawn(program, [path, ...flags], { cwd: folder.path });
}

const STARTS = 3;
const STARTERS = [
  { file: "starter.ts", program: process.execPath, skip: false },
  { file: "starter.py", program: python.program, skip: python.unavailable },
] as const;

for (const { file, program, skip } of STARTERS) {
  test(
    `${file} stops after its first connection if its token is refused`,
    { timeout: HANG_TIMEOUT_MS, skip },
    async () => {
      for (let startNumber = 0; startNumber < STARTS; startNumber += 1) {
        const bot = start(program, file, "--url", `${ladder.baseUrl}//`, "--token", "wrong");
        const [stdout, stderr] = await Promise.all([text(bot.stdout!), text(bot.stderr!)]);
        assert.match(stdout + stderr, /^stopped: invalid_token$/m);
        assert.match(stdout, /^closed: 4002 .*invalid_token$/m);
        assert.doesNotMatch(stdout + stderr, /again in|Traceback/);
      }
    },
  );

  for (const [code, flags, advice] of [
    ["unknown_ladder", ["--ladder", "nowhere"], "for ladder ids, see "],
    ["invalid_version", ["--version", "a/b"], "start it again with another --version label"],
  ] as const) {
    test(
      `${file} stops after the error ${code} and says how to fix it`,
      { timeout: HANG_TIMEOUT_MS, skip },
      async () => {
        const name = `stops-${file.replace(".", "-")}`;
        const bot = start(program, file, "--url", ladder.baseUrl, "--name", name, ...flags);
        const [stdout, stderr] = await Promise.all([text(bot.stdout!), text(bot.stderr!)]);
        assert.equal(bot.exitCode ?? (await once(bot, "exit"))[0], 1);
        assert.match(
          stdout + stderr,
          new RegExp(
            `^${code}: .*\n.*${advice}.*\n(connection closed\n|closed: .*\n)?stopped: ${code}$`,
            "m",
          ),
        );
      },
    );
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    test(
      `${file} finishes its last match before it stops on ${signal}`,
      { timeout: HANG_TIMEOUT_MS, skip },
      async () => {
        const name = `ends-${file.slice(-2)}-${signal.toLowerCase()}`;
        const bot = start(program, file, "--url", ladder.baseUrl, "--name", name);
        const errorLines = text(bot.stderr!);
        let replayText = "";
        for await (const part of bot.stdout!) {
          replayText += String(part);
          // By now the bot has queued again and is waiting or in its next match.
          if (/\/match\//.test(replayText) && !bot.killed) bot.kill(signal);
        }
        assert.equal(bot.exitCode ?? (await once(bot, "exit"))[0], 0, await errorLines);
        assert.match(replayText, /^stopping( after this match)?$/m);
        assert.match(replayText, /^stopped: (all matches played|on request)$/m);
        const matches = await get<Match[]>(`/api/matches?bot=${name}`);
        assert.equal(matches.length, replayText.match(/\/match\//g)?.length);
        await assertSoundMatches(matches, name);
      },
    );

  test(
    `${file} prints the address of an unreachable server and when it retries`,
    { timeout: HANG_TIMEOUT_MS, skip },
    async (t) => {
      const website = createServer((_request, response) => response.end("<html>\n</html>"));
      t.after(() => website.close());
      await once(website.listen(0, "127.0.0.1"), "listening");
      const url = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
      const bot = start(program, file, "--url", url, "--token", "any");
      let replayText = "";
      for await (const part of bot.stdout!) {
        replayText += String(part);
        if (replayText.includes("again")) break;
      }
      bot.kill();
      const [sentence = "", pause = ""] = replayText.split("\n");
      assert.ok(sentence.startsWith(`can't connect to ${url}: `), replayText);
      assert.equal(pause, "trying again in 1 s");
    },
  );
}

test("T36 every stored replay reproduces its result and statistics", async () => {
  const matches = await get<(Match & { stats: MatchStats })[]>("/api/matches?limit=500&stats=1");
  assert.ok(matches.length >= MIN_MATCHES);
  for (const { id, replay_url, winner, bots, final_tick, stats } of matches) {
    const response = await fetch(ladder.baseUrl + replay_url);
    const bytes = Buffer.from(await response.arrayBuffer());
    const replay = parseReplay(gunzipSync(bytes).toString());
    assert.ok(!("error" in replay), id);
    const resimulated = resimulate(replay);
    assert.ok(resimulated.ok, JSON.stringify(resimulated));
    assert.equal(replay.result.ticks, final_tick);
    const seat = bots.find(({ fighter }) => fighter === replay.result.winner);
    assert.equal(seat?.id ?? null, winner);
    assert.deepEqual(statsOfReplay(replay), stats);
  }
});
