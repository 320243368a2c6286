import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";

import { TICK, isOver, startFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { CONTENDERS } from "#tools/local/contender.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "#tools/local/series.ts";

import { TEMPERS, createBot, play } from "./starter.ts";

type Message = { type: string; [field: string]: unknown };

const STARTER_TS = fileURLToPath(new URL("./starter.ts", import.meta.url));
const STARTER_PY = fileURLToPath(new URL("./starter.py", import.meta.url));
const run = promisify(execFile);
/** A starter that was told to stop ends with 1. */
type Ended = { stdout: string };

/** Plays a duel of two tempers and calls back for each observation and its turn. */
function watchDuel(
  index: number,
  tempers: readonly string[],
  visit: (rows: readonly string[], temper: string, seen: Observation, turn: Turn) => void,
): number {
  const grid = allGrids()[index % allGrids().length]!;
  const fight = startFight(grid, index);
  const bots = tempers.map((temper) => createBot({ map: grid }, temper));
  while (!isOver(fight)) {
    for (const [seat, temper] of tempers.entries()) {
      const seen = observe(fight, seat);
      const turn = bots[seat]!.turn(seen) as Turn;
      visit(grid.rows, temper, seen, turn);
      setTurn(fight, seat, turn);
    }
    step(fight);
  }
  return fight.words[TICK]!;
}

const NAMES = Object.keys(TEMPERS);

for (const [index, temper] of NAMES.entries()) {
  test(`the ${temper} starter plays whole duels with next to no refused parts`, () => {
    let refused = 0;
    let turns = 0;
    for (const other of ["steady", "rush"]) {
      watchDuel(index, [temper, other], (_rows, _temper, seen) => {
        turns += 1;
        refused += seen.events.filter(({ type }) => type === "rejected").length;
      });
    }
    // What remains are steps into a fighter that did not make way.
    assert.ok(refused / turns < 0.1, `${refused} refusals in ${turns} turns`);
  });
}

for (const [opponent, least, most] of [
  ["random", 90, 100],
  ["ts-starter", 0, 30],
] as const) {
  test(`the steady starter scores ${least} to ${most} % against ${opponent}`, () => {
    const [starter, other] = [CONTENDERS.get("starter-steady")!, CONTENDERS.get(opponent)!];
    let tally = EMPTY_TALLY;
    for (let index = 0; index < 18; index += 1) {
      tally = addTallies(tally, playGame(starter, other, allGrids(), index, 5));
    }
    const { percent } = scoreOf(tally);
    assert.ok(percent >= least && percent <= most, `${percent} %`);
  });
}

const PYTHON = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("starter", sys.argv[1])
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
for line in sys.stdin:
    rows, temper, seen = json.loads(line)
    print(json.dumps(starter.create_bot({"map": {"rows": rows}}, temper)(seen)))
`;
const hasPython = spawnSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"]);

const skip = hasPython.status === 0 ? false : "needs Python 3.11";

test("the Python starter decides what the TypeScript one decides", { skip }, () => {
  const lines: string[] = [];
  const turns: Turn[] = [];
  for (const [index, temper] of NAMES.entries()) {
    watchDuel(index, [temper, "steady"], (rows, name, seen, turn) => {
      lines.push(JSON.stringify([rows, name, seen]));
      turns.push(turn);
    });
  }
  const input = lines.join("\n");
  const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON, STARTER_PY], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const decided = stdout.trim().split("\n");
  assert.equal(decided.length, turns.length, stderr);
  for (const [index, text] of decided.entries()) {
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(turns[index])), lines[index]!);
  }
});

/**
 * A ladder for one bot: it registers it, tells its endpoint, and hands every socket to the script.
 */
async function fakeLadder(t: TestContext, script: (socket: WebSocket, visit: number) => void) {
  const log = { registered: [] as string[], authorized: [] as unknown[], visits: 0 };
  const http = createServer((request, response) => {
    const { port } = http.address() as AddressInfo;
    request.setEncoding("utf8").on("data", (body: string) => log.registered.push(body));
    const index = { token: "secret", bot_endpoint: `ws://127.0.0.1:${port}/bot` };
    const isKiter = request.url === "/api/bots/house-kiter";
    const answer = isKiter ? { name: "house-kiter", display_name: "Kiter" } : index;
    request.on("end", () => response.end(JSON.stringify(answer)));
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", (socket, request) => {
    log.authorized.push(request.headers.authorization);
    log.visits += 1;
    script(socket, log.visits);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "bout-starter-"));
  t.after(async () => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
    http.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  const { port } = http.address() as AddressInfo;
  const options = { url: `http://127.0.0.1:${port}`, name: join(folder, "my-bot"), token: "" };
  return { log, options: { ...options, temper: "rush", version: "v7", games: "0" } };
}

const say = (socket: WebSocket, message: Message) => socket.send(JSON.stringify(message));

/** Refuses a connection as the ladder does. */
function refuse(socket: WebSocket, code: string): void {
  say(socket, { type: "error", code, message: "no" });
  socket.close(4000, code);
}

test("a starter registers once, keeps its token, plays a match and queues again", async (t) => {
  const heard: Message[] = [];
  const grid = allGrids()[0]!;
  const fight = startFight(grid, 1);
  const { log, options } = await fakeLadder(t, (socket) => {
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      heard.push(message);
      const queues = heard.filter(({ type }) => type === "queue").length;
      if (message.type === "queue" && queues === 1) {
        say(socket, { type: "queued", version: "v7" });
        const opponent = { name: "them" };
        say(socket, { type: "hello", match_id: "m1", fighter: "A", opponent, map: grid });
      } else if (message.type === "ready") {
        say(socket, { type: "observation", match_id: "m1", ...observe(fight, 0) });
      } else if (message.type === "turn") {
        const end = { winner: "A", reason: "last_standing", rating_change: 12, watch_url: "/m" };
        say(socket, { type: "end", match_id: "m1", ...end });
      } else {
        refuse(socket, "retired");
      }
    });
  });
  assert.equal(await play(options), "retired");
  assert.deepEqual(
    heard.map(({ type }) => type),
    ["queue", "ready", "turn", "queue"],
  );
  assert.deepEqual(heard[0], { type: "queue", version: "v7" });
  assert.deepEqual(heard[1], { type: "ready", match_id: "m1" });
  assert.equal(heard[2]!.tick, 0);
  assert.deepEqual(log.registered, [JSON.stringify({ name: options.name })]);
  assert.deepEqual(log.authorized, ["Bearer secret"]);
  assert.equal(await readFile(`${options.name}.token`, "utf8"), "secret");
  assert.equal(await play(options), "retired");
  assert.equal(log.registered.length, 1);
});

test("a starter leaves after as many games as it was asked for, across connections", async (t) => {
  const queues: number[] = [];
  const { options } = await fakeLadder(t, (socket, visit) => {
    socket.on("message", (data: Buffer) => {
      if ((JSON.parse(data.toString()) as Message).type !== "queue") return;
      queues.push(visit);
      say(socket, { type: "queued", version: "v7" });
      say(socket, { type: "end", match_id: "m1", ...END });
      if (visit === 1) socket.close();
    });
  });
  assert.equal(await play({ ...options, token: "mine", games: "3" }), "all games are played");
  assert.equal(queues.filter((visit) => visit === 2).length, 2);
});

const OPPONENTS = ["house-kiter", "house-of-later", "house-kiter", "my-rival"];
const LINES = [
  "won against Kiter (house-kiter): last_standing, rating change 12, ",
  "won against house-of-later: last_standing, rating change 12, ",
  "won against Kiter: last_standing, rating change 12, ",
  "won against my-rival: last_standing, rating change 12, ",
];
const END = { winner: "A", reason: "last_standing", rating_change: 12, watch_url: "/m" };

test("a starter calls a house bot by its display name, with its handle once", async (t) => {
  let matches = 0;
  const { options } = await fakeLadder(t, (socket) => {
    socket.on("message", (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as Message;
      if (type !== "queue") return;
      const name = OPPONENTS[matches];
      matches += 1;
      if (name === undefined) return refuse(socket, "retired");
      const hello = { match_id: "m1", fighter: "A", opponent: { name }, map: allGrids()[0] };
      say(socket, { type: "hello", ...hello });
      say(socket, { type: "end", match_id: "m1", ...END });
    });
  });
  const flags = ["--url", options.url, "--token", "mine"];
  const ended = run(process.execPath, [STARTER_TS, ...flags]);
  const { stdout } = await ended.catch((error) => error as Ended);
  assert.deepEqual(
    stdout.split("\n").filter((line) => line.startsWith("won ")),
    LINES.map((line) => `${line}${options.url}/m`),
  );
});

const REPORTS = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("starter", sys.argv[1])
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
for name in json.loads(sys.argv[4]):
    match = {"fighter": "A", "opponent": {"name": name}}
    print(starter.report(sys.argv[2], match, json.loads(sys.argv[3])))
`;

test("the Python starter calls them the same", { skip }, async (t) => {
  const { options } = await fakeLadder(t, () => {});
  const given = [STARTER_PY, options.url, JSON.stringify(END), JSON.stringify(OPPONENTS)];
  const { stdout } = await run("python3", ["-c", REPORTS, ...given]);
  assert.equal(stdout, LINES.map((line) => `${line}${options.url}/m\n`).join(""));
});

for (const code of [
  "missing_authorization",
  "invalid_token",
  "suspended",
  "banned",
  "retired",
  "account_banned",
  "account_required",
]) {
  test(`a starter does not come back after ${code}`, async (t) => {
    const { log, options } = await fakeLadder(t, (socket) => refuse(socket, code));
    assert.equal(await play({ ...options, token: "mine" }), code);
    assert.equal(log.visits, 1);
    assert.deepEqual(log.registered, []);
    assert.deepEqual(log.authorized, ["Bearer mine"]);
  });
}

test("a starter does not come back when a newer connection replaced it", async (t) => {
  const { log, options } = await fakeLadder(t, (socket) => {
    say(socket, { type: "replaced", code: "replaced", message: "elsewhere" });
    socket.close(4003, "replaced");
  });
  assert.equal(await play({ ...options, token: "mine" }), "replaced");
  assert.equal(log.visits, 1);
});

test("a starter comes back after every drop", async (t) => {
  const { log, options } = await fakeLadder(t, (socket, visit) => {
    if (visit < 3) socket.terminate();
    else refuse(socket, "retired");
  });
  assert.equal(await play({ ...options, token: "mine" }), "retired");
  assert.equal(log.visits, 3);
});

test("a starter plays on after version_retired and other errors, and shows them to its owner", async (t) => {
  const { log, options } = await fakeLadder(t, (socket) => {
    say(socket, { type: "error", code: "version_retired", message: "use another label" });
    socket.on("message", () => refuse(socket, "banned"));
  });
  assert.equal(await play({ ...options, token: "mine" }), "banned");
  assert.equal(log.visits, 1);
});

test("a starter finishes its match while the server drains, and does not queue again", async (t) => {
  const heard: string[] = [];
  const { options } = await fakeLadder(t, (socket, visit) => {
    if (visit === 2) return refuse(socket, "retired");
    socket.on("message", (data: Buffer) => heard.push(data.toString()));
    const opponent = { name: "them" };
    say(socket, { type: "hello", match_id: "m1", fighter: "A", opponent, map: allGrids()[0] });
    say(socket, { type: "server_draining", drain_deadline: "2030-01-01T00:00:00.000Z" });
    const end = { winner: null, reason: "timeout_draw", rating_change: null, watch_url: "/m" };
    say(socket, { type: "end", match_id: "m1", ...end });
    // The answer to a ping arrives after everything the starter says about earlier messages.
    socket.on("pong", () => socket.close(1012));
    socket.ping();
  });
  assert.equal(await play({ ...options, token: "mine" }), "retired");
  const types = heard.map((text) => (JSON.parse(text) as Message).type);
  assert.deepEqual(types, ["queue", "ready"]);
});

for (const [flags, exitCode] of [
  [["--help"], 0],
  [["--turbo"], 2],
  [["--temper", "calm"], 2],
  [["--name"], 2],
] as const) {
  test(`a starter says in one line what it needs when called with ${flags.join(" ")}`, () => {
    const ended = spawnSync(process.execPath, [STARTER_TS, ...flags], { encoding: "utf8" });
    assert.equal(ended.status, exitCode);
    assert.match(ended.stdout + ended.stderr, /^usage: starter\.ts \[--url .*steady, rush.*\n$/);
  });
}
