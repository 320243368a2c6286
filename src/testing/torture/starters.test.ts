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

import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/replay.ts";
import type { Match } from "#core/resources/match.ts";
import { findPython } from "#testing/fixtures/python.ts";
import { startLadder, temporaryFolder } from "#testing/harness/test-server.ts";

const WANTED = 3;
const LOOK_EVERY_MS = 250;
/** No bot takes this long; a test that waits for one in vain must end. */
const HANG_MS = 180_000;

const folder = await temporaryFolder();
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

/** Runs a starter until it has played `count` matches; returns those matches, newest first. */
async function matchesOf(program: string, file: string, name: string): Promise<Match[]> {
  const path = fileURLToPath(new URL(`../../tools/starters/${file}`, import.meta.url));
  const flags = ["--url", ladder.baseUrl, "--name", name, "--temper", "rush"];
  const bot = spawn(program, [path, ...flags], { cwd: folder.path, stdio: "inherit" });
  const exited = new Promise((resolve) => bot.on("exit", resolve));
  try {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      assert.equal(bot.exitCode, null, `${file} ended by itself`);
      const all = await get<Match[]>("/api/matches");
      const own = all.filter(({ bots }) => bots.some((seat) => seat.name === name));
      if (own.length >= WANTED) return own;
    }
  } finally {
    bot.kill();
    await exited;
  }
}

/** The starter kept up in every tick of these matches, and lost none by its own fault. */
async function assertSound(matches: readonly Match[], name: string): Promise<void> {
  for (const { id, voided, reason } of matches) {
    assert.equal(voided, false);
    assert.equal(reason, "last_standing");
    const stats = await get<{ fighters: { name: string; server_idles: object }[] }>(
      `/api/matches/${id}/stats`,
    );
    const own = stats.fighters.find((fighter) => fighter.name === name);
    assert.deepEqual(own?.server_idles, {});
  }
}

test("the TypeScript starter plays on the real port", { timeout: HANG_MS }, async () => {
  const matches = await matchesOf(process.execPath, "starter.ts", "ts-rusher");
  await assertSound(matches, "ts-rusher");
});

test(
  "the Python starter plays on the real port",
  { timeout: HANG_MS, skip: python.missing },
  async () => {
    const matches = await matchesOf(python.program, "starter.py", "py-rusher");
    await assertSound(matches, "py-rusher");
  },
);

/** Starts a starter for an address, with its output in pipes. */
function start(program: string, file: string, ...flags: string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../../tools/starters/${file}`, import.meta.url));
  return spawn(program, [path, ...flags], { cwd: folder.path });
}

const STARTS = 3;
const BOTH = [
  { file: "starter.ts", program: process.execPath, skip: false },
  { file: "starter.py", program: python.program, skip: python.missing },
] as const;

for (const { file, program, skip } of BOTH) {
  test(
    `${file} stops at its first connection when its token is refused`,
    { timeout: HANG_MS, skip },
    async () => {
      for (let visit = 0; visit < STARTS; visit += 1) {
        const bot = start(program, file, "--url", `${ladder.baseUrl}//`, "--token", "wrong");
        const [out, err] = await Promise.all([text(bot.stdout!), text(bot.stderr!)]);
        assert.match(out + err, /^stopped: invalid_token$/m);
        assert.match(out, /^closed: 4002 .*invalid_token$/m);
        assert.doesNotMatch(out + err, /again in|Traceback/);
      }
    },
  );

  for (const [code, flags, advice] of [
    ["unknown_ladder", ["--ladder", "nowhere"], "/ladders shows the ladders"],
    ["invalid_version", ["--version", "a/b"], "start it again with another label"],
  ] as const) {
    test(`${file} stops at ${code}, and says what to do`, { timeout: HANG_MS, skip }, async () => {
      const name = `stops-${file.replace(".", "-")}`;
      const bot = start(program, file, "--url", ladder.baseUrl, "--name", name, ...flags);
      const [out, err] = await Promise.all([text(bot.stdout!), text(bot.stderr!)]);
      assert.equal(bot.exitCode ?? (await once(bot, "exit"))[0], 1);
      assert.match(
        out + err,
        new RegExp(
          `^${code}: .*\n.*${advice}.*\n(connection closed\n|closed: .*\n)?stopped: ${code}$`,
          "m",
        ),
      );
    });
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    test(
      `${file} plays its last match to the end before it stops at ${signal}`,
      { timeout: HANG_MS, skip },
      async () => {
        const name = `ends-${file.slice(-2)}-${signal.toLowerCase()}`;
        const bot = start(program, file, "--url", ladder.baseUrl, "--name", name);
        const complaints = text(bot.stderr!);
        let told = "";
        for await (const part of bot.stdout!) {
          told += String(part);
          // By then it has queued again, and is waiting or in its next match.
          if (/\/match\//.test(told) && !bot.killed) bot.kill(signal);
        }
        assert.equal(bot.exitCode ?? (await once(bot, "exit"))[0], 0, await complaints);
        assert.match(told, /^stopping( after this match)?$/m);
        assert.match(told, /^stopped: (all games are played|as it was asked to)$/m);
        const matches = await get<Match[]>(`/api/matches?bot=${name}`);
        assert.equal(matches.length, told.match(/\/match\//g)?.length);
        await assertSound(matches, name);
      },
    );

  test(
    `${file} names the address that is no ladder, and when it tries again`,
    { timeout: HANG_MS, skip },
    async (t) => {
      const website = createServer((_request, response) => response.end("<html>\n</html>"));
      t.after(() => website.close());
      await once(website.listen(0, "127.0.0.1"), "listening");
      const url = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
      const bot = start(program, file, "--url", url, "--token", "any");
      let told = "";
      for await (const part of bot.stdout!) {
        told += String(part);
        if (told.includes("again")) break;
      }
      bot.kill();
      const [sentence = "", pause = ""] = told.split("\n");
      assert.ok(sentence.startsWith(`cannot play at ${url}: `), told);
      assert.equal(pause, "again in 1 s");
    },
  );
}

test("T36 every stored replay simulates again to its result and statistics", async () => {
  const matches = await get<(Match & { stats: MatchStats })[]>("/api/matches?limit=500&stats=1");
  assert.ok(matches.length >= WANTED);
  for (const { id, replay_url, winner, bots, final_tick, stats } of matches) {
    const response = await fetch(ladder.baseUrl + replay_url);
    const bytes = Buffer.from(await response.arrayBuffer());
    const replay = parseReplay(gunzipSync(bytes).toString());
    assert.ok(!("error" in replay), id);
    const again = resimulate(replay);
    assert.ok(again.ok, JSON.stringify(again));
    assert.equal(replay.result.ticks, final_tick);
    const seat = bots.find(({ fighter }) => fighter === replay.result.winner);
    assert.equal(seat?.id ?? null, winner);
    assert.deepEqual(statsOfReplay(replay), stats);
  }
});
