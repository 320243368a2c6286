// Runs a starter against a fake ladder and checks how it reacts to each response.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
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

import { createFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";

import { judge, pauseBefore, play } from "./starter.ts";

type Message = { type: string; [field: string]: unknown };

const STARTER_TS = fileURLToPath(new URL("./starter.ts", import.meta.url));
const STARTER_PY = fileURLToPath(new URL("./starter.py", import.meta.url));
const run = promisify(execFile);
/** A starter exits with 1 if it is stopped. */
type ProcessOutput = { stdout: string };
const PYTHON_VERSION_CHECK = ["-c", "import sys; assert sys.version_info >= (3, 11)"];
const skip = await unavailableReason("python3", PYTHON_VERSION_CHECK);

const OPENING = "2030-01-01T00:00:00.000Z";
const DATE = "Mon, 31 Dec 2029 23:59:48 GMT";
const LADDERS = [
  { id: "cup", phase: "upcoming", enabled: true, access: "approval", opens_at: OPENING },
  { id: "hall", phase: "open", enabled: true, access: "password", opens_at: null },
  { id: "off", phase: "open", enabled: false, access: "open", opens_at: null },
  { id: "past", phase: "closed", enabled: true, access: "open", opens_at: null },
];

/**
 * A fake ladder for one bot. It registers the bot, names its endpoint, and calls the script with
 * every socket.
 */
async function fakeLadder(t: TestContext, script: (socket: WebSocket, visit: number) => void) {
  const log = {
    registrations: [] as string[],
    authorizedSockets: [] as unknown[],
    connectionCount: 0,
  };
  const http = createServer((request, response) => {
    const { port } = http.address() as AddressInfo;
    request.setEncoding("utf8").on("data", (body: string) => log.registrations.push(body));
    const index = { token: "secret", bot_endpoint: `ws://127.0.0.1:${port}/bot` };
    const kiter = { name: "house-kiter", display_name: "Kiter" };
    const otherLadders = new Map<string, object>([["/api/bots/house-kiter", kiter]]);
    const namedLadder = /^\/api\/ladders\?ladder=(.*)$/.exec(request.url ?? "")?.[1];
    const listedLadders = LADDERS.filter(({ id }) => id === namedLadder);
    const answer =
      namedLadder === undefined ? (otherLadders.get(request.url ?? "") ?? index) : listedLadders;
    response.setHeader("date", DATE);
    request.on("end", () => response.end(JSON.stringify(answer)));
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", (socket, request) => {
    log.authorizedSockets.push(request.headers.authorization);
    log.connectionCount += 1;
    script(socket, log.connectionCount);
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
  const url = `http://127.0.0.1:${port}`;
  const options = { url, name: join(folder, "my-bot"), token: "", ladder: "" };
  return { log, options: { ...options, temper: "rush", version: "v7", games: "0" } };
}

const say = (socket: WebSocket, message: Message) => socket.send(JSON.stringify(message));

function refuse(socket: WebSocket, code: string): void {
  say(socket, { type: "error", code, message: "no" });
  socket.close(4000, code);
}

test("a starter registers once, stores its token, plays a match and queues again", async (t) => {
  const messages: Message[] = [];
  const grid = allGrids()[0]!;
  const fight = createFight(grid, 1);
  const { log, options } = await fakeLadder(t, (socket) => {
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      messages.push(message);
      const queues = messages.filter(({ type }) => type === "queue").length;
      if (message.type === "queue" && queues === 1) {
        say(socket, { type: "queued", version: "v7" });
        const opponent = { name: "them" };
        say(socket, { type: "hello", match_id: "m1", fighter: "A", opponent, map: grid });
      } else if (message.type === "ready") {
        say(socket, { type: "observation", match_id: "m1", ...observationFor(fight, 0) });
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
    messages.map(({ type }) => type),
    ["queue", "ready", "turn", "queue"],
  );
  assert.deepEqual(messages[0], { type: "queue", version: "v7" });
  assert.deepEqual(messages[1], { type: "ready", match_id: "m1" });
  assert.equal(messages[2]!.tick, 0);
  assert.deepEqual(log.registrations, [JSON.stringify({ name: options.name })]);
  assert.deepEqual(log.authorizedSockets, ["Bearer secret"]);
  assert.equal(await readFile(`${options.name}.token`, "utf8"), "secret");
  assert.equal(await play(options), "retired");
  assert.equal(log.registrations.length, 1);
});

test("a starter exits after --games matches, even across connections", async (t) => {
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
  assert.equal(await play({ ...options, token: "mine", games: "3" }), "all matches played");
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

test("a starter prints a house bot's display name, and adds the handle the first time", async (t) => {
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
  const finished = run(process.execPath, [STARTER_TS, ...flags]);
  const { stdout } = await finished.catch((error) => error as ProcessOutput);
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

test("the Python starter prints the same names", { skip }, async (t) => {
  const { options } = await fakeLadder(t, () => {});
  const flagValue = [STARTER_PY, options.url, JSON.stringify(END), JSON.stringify(OPPONENTS)];
  const { stdout } = await run("python3", ["-c", REPORTS, ...flagValue]);
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
  test(`a starter doesn't reconnect after ${code}`, async (t) => {
    const { log, options } = await fakeLadder(t, (socket) => refuse(socket, code));
    assert.equal(await play({ ...options, token: "mine" }), code);
    assert.equal(log.connectionCount, 1);
    assert.deepEqual(log.registrations, []);
    assert.deepEqual(log.authorizedSockets, ["Bearer mine"]);
  });
}

test("a starter doesn't reconnect after a newer connection has replaced it", async (t) => {
  const { log, options } = await fakeLadder(t, (socket) => {
    say(socket, { type: "replaced", code: "replaced", message: "elsewhere" });
    socket.close(4003, "replaced");
  });
  assert.equal(await play({ ...options, token: "mine" }), "replaced");
  assert.equal(log.connectionCount, 1);
});

test("a starter reconnects after every lost connection", async (t) => {
  const { log, options } = await fakeLadder(t, (socket, visit) => {
    if (visit < 3) socket.terminate();
    else refuse(socket, "retired");
  });
  assert.equal(await play({ ...options, token: "mine" }), "retired");
  assert.equal(log.connectionCount, 3);
});

test("a starter keeps playing after harmless errors, and prints them", async (t) => {
  const { log, options } = await fakeLadder(t, (socket) => {
    say(socket, { type: "error", code: "quota_exceeded", message: "held back" });
    socket.on("message", () => refuse(socket, "banned"));
  });
  assert.equal(await play({ ...options, token: "mine" }), "banned");
  assert.equal(log.connectionCount, 1);
});

for (const [code, ladder] of [
  ["unknown_ladder", "nowhere"],
  ["ladder_closed", "past"],
  ["enrollment_required", "hall"],
  ["invalid_version", ""],
  ["version_retired", ""],
] as const) {
  test(`a starter exits if its connection is rejected with ${code}`, async (t) => {
    const { log, options } = await fakeLadder(t, (socket) =>
      socket.on("message", () => say(socket, { type: "error", code, message: "no" })),
    );
    assert.equal(await play({ ...options, token: "mine", ladder }), code);
    assert.equal(log.connectionCount, 1);
  });
}

const LATER_CODES = ["ladder_closed", "enrollment_required"];

test("a starter keeps queueing until its ladder opens and accepts it", async (t) => {
  const messages: Message[] = [];
  const { log, options } = await fakeLadder(t, (socket) => {
    socket.on("message", (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as Message);
      const code = LATER_CODES[messages.length - 1];
      if (code === undefined) return refuse(socket, "retired");
      say(socket, { type: "error", code, message: "not open yet" });
    });
  });
  assert.equal(await play({ ...options, token: "mine", ladder: "cup" }), "retired");
  assert.deepEqual(
    messages,
    messages.map(() => ({ type: "queue", version: "v7", ladder_id: "cup" })),
  );
  assert.equal(messages.length, LATER_CODES.length + 1);
  assert.equal(log.connectionCount, 1);
});

const JUDGED = [
  ["ladder_closed", "cup", false, `the ladder opens at ${OPENING}: URL/ladders?ladder=cup`],
  [
    "ladder_closed",
    "off",
    false,
    "the organiser has disabled the ladder for now: URL/ladders?ladder=off",
  ],
  ["ladder_closed", "past", true, "the ladder has ended; for results, see URL/results?ladder=past"],
  ["ladder_closed", "hall", false, ""],
  ["ladder_closed", "gone", false, ""],
  [
    "enrollment_required",
    "cup",
    false,
    "join the ladder at URL/ladders?ladder=cup with the account that owns the bot; the organiser must approve it, see URL/account",
  ],
  [
    "enrollment_required",
    "hall",
    true,
    "join the ladder at URL/ladders?ladder=hall with the account that owns the bot, then start it again",
  ],
  ["unknown_ladder", "gone", true, "for ladder ids, see URL/ladders; pass one with --ladder"],
  [
    "invalid_token",
    "public",
    true,
    "get a new token at URL/account; set BOUT_TOKEN or replace the file rex.token",
  ],
  ["version_limit", "public", false, ""],
  ["store_unavailable", "public", false, ""],
] as const;
const HARMLESS = ["not_in_match", "already_queued", "quota_exceeded"];

test("a starter distinguishes temporary from permanent errors, and says what to do", async (t) => {
  const { options } = await fakeLadder(t, () => {});
  const flagValue = { url: options.url, name: "rex" };
  for (const [code, ladder, isLast, advice] of JUDGED) {
    const verdict = await judge(code, { ...flagValue, ladder });
    const opens = advice.startsWith("the ladder opens") ? { opensInMs: 12_000 } : {};
    const expected = { isLast, advice: advice.replaceAll("URL", options.url), ...opens };
    assert.deepEqual(verdict, expected, `${code} of ${ladder}`);
  }
  for (const code of HARMLESS)
    assert.equal(await judge(code, { ...flagValue, ladder: "cup" }), null);
});

const JUDGES = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("starter", sys.argv[1])
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
print(json.dumps([starter.judge(code, sys.argv[2], "rex", ladder) for code, ladder in json.loads(sys.argv[3])]))
`;

const PAUSES: [waitMs: number, opensInMs: number, pauseMs: number][] = [
  [30_000, 4200, 4200],
  [30_000, 3_600_000, 30_000],
  [2000, 4200, 2000],
  [30_000, 0, 1000],
  [30_000, -5000, 1000],
];

test("a starter queues again by the time its ladder opens", () => {
  for (const [expectedWait, opensIn, pause] of PAUSES)
    assert.equal(pauseBefore(expectedWait, opensIn), pause);
  assert.equal(pauseBefore(30_000), 30_000);
});

const PYTHON_PAUSES = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("starter", sys.argv[1])
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
pauses = [starter.pause_before(wait, opens) for wait, opens in json.loads(sys.argv[2])]
print(json.dumps([*pauses, starter.pause_before(30)]))
`;

test("the Python starter waits equally long", { skip }, async () => {
  const seconds = PAUSES.map(([expectedWait, opensIn]) => [expectedWait / 1000, opensIn / 1000]);
  const flagValue = [STARTER_PY, JSON.stringify(seconds)];
  const { stdout } = await run("python3", ["-c", PYTHON_PAUSES, ...flagValue]);
  assert.deepEqual(JSON.parse(stdout), [...PAUSES.map(([, , pause]) => pause / 1000), 30]);
});

test("the Python starter classifies errors in the same way", { skip }, async (t) => {
  const { options } = await fakeLadder(t, () => {});
  const requestedPaths = [...JUDGED.map(([code, ladder]) => [code, ladder]), [HARMLESS[0], "cup"]];
  const flagValue = [STARTER_PY, options.url, JSON.stringify(requestedPaths)];
  const { stdout } = await run("python3", ["-c", JUDGES, ...flagValue]);
  const expected = JUDGED.map(([, , isLast, advice]) => [
    isLast,
    advice.replaceAll("URL", options.url),
    ...(advice.startsWith("the ladder opens") ? [12] : []),
  ]);
  assert.deepEqual(JSON.parse(stdout), [...expected, null]);
});

test("a starter retries if registration is paused, and exits if it is rejected", async (t) => {
  const statuses = [503, 429, 403];
  const http = createServer((request, response) => {
    const isIndex = request.method === "GET";
    response.statusCode = isIndex ? 200 : statuses.shift()!;
    response.end(JSON.stringify(isIndex ? { bot_endpoint: "ws://127.0.0.1:1" } : { error: "no" }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  t.after(() => http.close());
  const { port } = http.address() as AddressInfo;
  const position = { url: `http://127.0.0.1:${port}`, ladder: "", token: "" };
  const bot = { name: join(tmpdir(), "no-such-folder", "bot"), temper: "rush", version: "v1" };
  assert.equal(await play({ ...position, ...bot, games: "0" }), "not registered");
  assert.deepEqual(statuses, []);
});

test("a starter finishes its match while the server is draining, and doesn't queue again", async (t) => {
  const messages: string[] = [];
  const { options } = await fakeLadder(t, (socket, visit) => {
    if (visit === 2) return refuse(socket, "retired");
    socket.on("message", (data: Buffer) => messages.push(data.toString()));
    const opponent = { name: "them" };
    say(socket, { type: "hello", match_id: "m1", fighter: "A", opponent, map: allGrids()[0] });
    say(socket, { type: "server_draining", drain_deadline: "2030-01-01T00:00:00.000Z" });
    const end = { winner: null, reason: "timeout_draw", rating_change: null, watch_url: "/m" };
    say(socket, { type: "end", match_id: "m1", ...end });
    // The pong arrives after everything that the starter sent in response to earlier messages.
    socket.on("pong", () => socket.close(1012));
    socket.ping();
  });
  assert.equal(await play({ ...options, token: "mine" }), "retired");
  const types = messages.map((text) => (JSON.parse(text) as Message).type);
  assert.deepEqual(types, ["queue", "ready"]);
});
