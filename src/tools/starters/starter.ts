// A complete Bout bot in one file: it registers, plays match after match and reconnects. To make it
// yours, add a temper or change `turnFor`. Needs Node 22.18 or newer and `ws`:
// npm install ws && node starter.ts --url http://localhost:7777 --name my-bot --temper denier

import { realpathSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { WebSocket } from "ws";

type Rows = readonly string[];
type Place = { x: number; y: number };
type Turn = { move?: string; dash?: string; attack?: { name: string; target?: unknown } };
type Self = Place & { cooldowns: Record<string, number> };
type Enemy = Partial<Place> & { hp: number; visible?: boolean; last_seen?: Place | null };
type Danger = [x: number, y: number, ticks: number, damage: number];
type SeenState = {
  tick: number;
  self: Self;
  fighters: Enemy[];
  pickups: Place[];
  danger: Danger[];
};
type AvailableSteps = { moves: readonly string[]; dashes: Partial<Record<string, number>> };
type Observation = SeenState & AvailableSteps & { zone: { radius: number } };

/**
 * Preferred distance, pull of pickups and the middle per tile, and attacks in order of preference.
 */
type Temper = { gap: number; pickups: number; middle: number; attacks: string[] };
export const TEMPERS: Record<string, Temper> = {
  steady: { gap: 2, pickups: 0.3, middle: 0.1, attacks: ["repulse", "strike", "blast", "bolt"] },
  rush: { gap: 1, pickups: 0, middle: 0, attacks: ["strike", "hook", "repulse", "bolt"] },
  kite: { gap: 6, pickups: 0.1, middle: 0.3, attacks: ["repulse", "bolt", "blast", "strike"] },
  zone: { gap: 3, pickups: 0.1, middle: 0.8, attacks: ["strike", "scorch", "blast", "bolt"] },
  denier: { gap: 3, pickups: 1.2, middle: 0, attacks: ["strike", "repulse", "bolt", "blast"] },
};
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
const key = (tile: Place) => `${tile.x},${tile.y}`;
const distance = (a: Place, b: Place) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
/** Returns the tile that many steps away. x grows to the right (east), y downwards (south). */
function walk({ x, y }: Place, direction: string, tiles = 1): Place {
  const sign = (plus: string, minus: string) =>
    +direction.includes(plus) - +direction.includes(minus);
  return { x: x + tiles * sign("e", "w"), y: y + tiles * sign("s", "n") };
}

/** Returns what is on a tile. Everything outside the map is a wall. */
const ground = (rows: Rows, x: number, y: number) => rows[y]?.[x] ?? "#";

/**
 * Returns the number of steps from every tile to the goal, around walls and low walls, without
 * cutting corners.
 */
function stepsTo(goal: Place, rows: Rows): Record<string, number> {
  const open = (x: number, y: number) => !"#o".includes(ground(rows, x, y));
  const steps: Record<string, number> = { [key(goal)]: 0 };
  const reached = [goal];
  for (const tile of reached) {
    for (const next of DIRECTIONS.map((direction) => walk(tile, direction))) {
      const free = open(next.x, next.y) && open(next.x, tile.y) && open(tile.x, next.y);
      if (!free || key(next) in steps) continue;
      steps[key(next)] = (steps[key(tile)] ?? 0) + 1;
      reached.push(next);
    }
  }
  return steps;
}

/**
 * Returns the direction of a straight line between two tiles; undefined if no line exists or a wall
 * blocks it.
 */
function lineTo(from: Place, to: Place, rows: Rows): string | undefined {
  return DIRECTIONS.find((direction) => {
    let tile = walk(from, direction);
    while (key(tile) !== key(to) && ground(rows, tile.x, tile.y) !== "#")
      tile = walk(tile, direction);
    return key(tile) === key(to);
  });
}

/**
 * Returns the temper's first attack that is ready and useful. Bolts fly from `after`, the position
 * after the move.
 */
function attack(temper: Temper, me: Self, after: Place, enemy: Place, rows: Rows) {
  const far = distance(me, enemy);
  const targets: Record<string, unknown> = {
    strike: far === 1 && lineTo(me, enemy, rows),
    hook: far > 1 && far <= 5 && lineTo(me, enemy, rows),
    repulse: far <= 2 && "none",
    bolt: lineTo(after, enemy, rows),
    blast: far > 2 && far <= 7 && [enemy.x, enemy.y],
    scorch: far > 1 && far <= 5 && [enemy.x, enemy.y],
  };
  const name = temper.attacks.find((name) => me.cooldowns[name] === 0 && targets[name]);
  return name ? { attack: { name, target: targets[name] } } : {};
}

/** Returns the temper's best move and an attack for this observation. */
function turnFor(rows: Rows, temper: Temper, observation: Observation): Turn {
  const me = observation.self;
  const width = rows[0]?.length ?? 0;
  const middle = { x: (width - 1) / 2, y: (rows.length - 1) / 2 };
  const enemy = observation.fighters.find((fighter) => fighter.hp > 0);
  const believed = (enemy?.visible ? (enemy as Place) : enemy?.last_seen) ?? middle;
  const steps = stepsTo(believed, rows);
  const inward = stepsTo(middle, rows);
  const score = (tile: Place) => {
    const hurts = observation.danger.filter(
      ([x, y, ticks]) => x === tile.x && y === tile.y && ticks <= 2,
    );
    const areas = hurts.reduce((sum, [, , , damage]) => sum + damage, 0);
    // Every step counts outside the zone. Otherwise, a bot that keeps its distance would stay
    // outside.
    const isOutside = distance(tile, middle) > Math.max(1, observation.zone.radius - 1);
    const zone = isOutside ? 3 * (inward[key(tile)] ?? 30) : 0;
    const pickup = Math.min(12, ...observation.pickups.map((pickup) => distance(tile, pickup)));
    const gap = Math.abs((steps[key(tile)] ?? 30) - temper.gap);
    return -gap - areas - zone - temper.pickups * pickup - temper.middle * distance(tile, middle);
  };
  const ways: { turn: Turn; to: Place }[] = [
    { turn: {}, to: me },
    ...observation.moves.map((move) => ({ turn: { move }, to: walk(me, move) })),
    ...Object.entries(observation.dashes).map(([dash, n]) => ({
      turn: { dash },
      to: walk(me, dash, n),
    })),
  ];
  const way = ways.reduce((best, direction) =>
    score(direction.to) > score(best.to) ? direction : best,
  );
  if (!enemy?.visible || observation.moves.length === 0) return way.turn;
  return { ...way.turn, ...attack(temper, me, way.to, believed, rows) };
}

/** Creates a bot for one match. Used by `bout sim`, the simulator, and the connection below. */
export function createBot({ map }: { map: { rows: Rows } }, temper = "denier") {
  const chosen = TEMPERS[temper];
  if (!chosen) throw new Error(`no temper '${temper}': ${Object.keys(TEMPERS).join(", ")}`);
  return { turn: (observation: Observation) => turnFor(map.rows, chosen, observation) };
}

/** Permanent errors by code, with advice. */
const LAST: Record<string, string> = {
  missing_authorization: "set BOUT_TOKEN to the bot's token",
  invalid_token: "get a new token at URL/account; set BOUT_TOKEN or replace the file NAME.token",
  suspended: "for the reason, see URL/account; start the bot again once the suspension is lifted",
  banned: "for the reason, see URL/account",
  retired: "register another bot at URL/create-bot",
  account_banned: "for the reason, see URL/account",
  account_required: "claim the bot at URL/account, then start it again",
  replaced: "another program uses this token; stop it first",
  unknown_ladder: "for ladder ids, see URL/ladders; pass one with --ladder",
  invalid_version: "start it again with another --version label",
  version_retired: "start it again with another --version label",
};
/** Temporary errors, after which the starter queues again. */
const LATER = ["ladder_closed", "enrollment_required", "version_limit", "store_unavailable"];
type Ladder = { id: string; phase: string; enabled: boolean; access: string; opens_at: string };
/** `opensInMs` is the time until an upcoming ladder opens, by the server's clock. */
type RefusalVerdict = { isLast: boolean; advice: string; opensInMs?: number };
/**
 * Returns whether an error is permanent, and what to do about it. Null if nothing needs to be done.
 */
export async function judge(
  code: string,
  options: Pick<Options, "url" | "name" | "ladder">,
): Promise<RefusalVerdict | null> {
  const { url, name, ladder } = options;
  const said = LAST[code]?.replaceAll("URL", url).replaceAll("NAME", name);
  if (said !== undefined) return { isLast: true, advice: said };
  if (!LATER.includes(code)) return null;
  const page = `${url}/ladders?ladder=${encodeURIComponent(ladder)}`;
  const answer = fetch(page.replace("/ladders", "/api/ladders"), {
    signal: AbortSignal.timeout(OPENING_MS),
  });
  const listed: unknown = await answer.then((listed) => listed.json()).catch(() => null);
  const date = await answer.then(({ headers }) => headers.get("date")).catch(() => null);
  const found = Array.isArray(listed) && (listed as Ladder[]).find(({ id }) => id === ladder);
  const { phase = "", enabled = true, access = "" } = found || {};
  if (code === "ladder_closed" && phase === "closed")
    return {
      isLast: true,
      advice: `the ladder has ended; for results, see ${url}/results?ladder=${ladder}`,
    };
  if (code === "ladder_closed" && found && phase === "upcoming")
    return {
      isLast: false,
      advice: `the ladder opens at ${found.opens_at}: ${page}`,
      opensInMs: Date.parse(found.opens_at) - (Date.parse(date ?? "") || Date.now()),
    };
  if (code === "ladder_closed" && !enabled)
    return { isLast: false, advice: `the organiser has disabled the ladder for now: ${page}` };
  if (code !== "enrollment_required") return { isLast: false, advice: "" };
  const enter = `join the ladder at ${page} with the account that owns the bot`;
  if (access !== "approval") return { isLast: !!found, advice: `${enter}, then start it again` };
  const waits = `the organiser must approve it, see ${url}/account`;
  return { isLast: false, advice: `${enter}; ${waits}` };
}
const [OPENING_MS, HEARTBEAT_MS, RETRY_MS, LONGEST_RETRY_MS] = [10_000, 20_000, 1_000, 30_000];
/**
 * Returns the delay before the next queue message. If the ladder opens earlier, the delay ends
 * then.
 */
export const pauseBefore = (waitMs: number, opensInMs = Infinity) =>
  Math.min(waitMs, Math.max(opensInMs, RETRY_MS));
type OptionName = "url" | "name" | "token" | "temper" | "version" | "games" | "ladder";
type Options = Record<OptionName, string>;
type Outcome = { useful: boolean; last: string; left: number };
const [PLAYED, STOPPED] = ["all matches played", "on request"];
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
type Hello = { match_id: string; fighter: string; opponent: Options; map: { rows: Rows } };
type Verdict = { winner: string | null; rating_change: number | null };
type End = Verdict & { reason: string; watch_url: string };
type Message = { type: string; code?: string; message: string } & Hello & Observation & End;
const printLine = (text: string) => process.stdout.write(`${text.replaceAll(/\p{Cc}/gu, " ")}\n`);
/** HTTP statuses for which a retry can't succeed. */
const REFUSED = [400, 401, 403, 410, 426];
/**
 * Removes what files and shells may add to a token: a byte order mark, spaces, line breaks, quotes.
 */
const cleanToken = (text: string) => text.replaceAll(/^[\s'"]+|[\s'"]+$/g, "");
/** Returns the given token, or the token stored by the last run. Otherwise registers a new bot. */
async function findToken({ url, name, token }: Options): Promise<string | undefined> {
  const kept = cleanToken(token || (await readFile(`${name}.token`, "utf8").catch(() => "")));
  if (kept) return kept;
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(OPENING_MS);
  const request = { method: "POST", headers, body: JSON.stringify({ name }), signal };
  const answer = await fetch(`${url}/api/bots`, request);
  if (answer.status === 429 || answer.status >= 500) throw new Error(`HTTP ${answer.status}`);
  const body: unknown = await answer.json().catch(() => ({}));
  const { token: made, error = `HTTP ${answer.status}` } = body as Record<string, string>;
  if (made) await writeFile(`${name}.token`, made, { mode: 0o600 });
  else
    printLine(
      `could not register ${name}: ${error} Get a token for BOUT_TOKEN at ${url}/create-bot`,
    );
  return made;
}

/** Returns the bot socket's URL. Sets `outcome.last` if a retry can't succeed. */
async function findEndpoint(url: string, outcome: Outcome): Promise<string | undefined> {
  const index = await fetch(`${url}/api`, { signal: AbortSignal.timeout(OPENING_MS) });
  const { status } = index;
  if (REFUSED.includes(status)) outcome.last = `HTTP ${status}`;
  if (outcome.last) printLine(`${url}/api: HTTP ${status}. Check --url, and any proxy in between.`);
  if (outcome.last) return;
  const { bot_endpoint, error } = (await index.json()) as Record<string, string>;
  if (!bot_endpoint) throw new Error(error ?? "not a Bout server");
  return bot_endpoint;
}

/** Returns the token. Sets `outcome.last` if the token can't be used. */
async function checkToken(options: Options, outcome: Outcome): Promise<string | undefined> {
  const token = await findToken(options);
  if (!token) outcome.last = "not registered";
  else if (!/^[!-~]+$/.test(token)) outcome.last = "invalid token";
  else return token;
  if (token)
    printLine(`the token in BOUT_TOKEN or ${options.name}.token is damaged: copy it again`);
}

/**
 * Plays on one connection until it closes. Records in `outcome` whether the connection was useful,
 * the last code, and the number of matches remaining.
 */
async function connect(options: Options, outcome: Outcome) {
  const { url, temper, version, ladder } = options;
  const bot_endpoint = await findEndpoint(url, outcome);
  const token = bot_endpoint && (await checkToken(options, outcome));
  if (!bot_endpoint || !token) return;
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(bot_endpoint, { headers, handshakeTimeout: OPENING_MS });
  const send = (type: string, fields: object) => socket.send(JSON.stringify({ type, ...fields }));
  let [match, draining, alive]: [Hello | null, boolean, boolean] = [null, false, true];
  /** Finishes a running match first, because leaving would lose it. */
  const stop = () => {
    printLine(match ? "stopping after this match" : "stopping");
    outcome.left = 1;
    if (isOpen()) send("leave", {});
    // A match may have started meanwhile.
    setTimeout(() => {
      if (match) return;
      outcome.last = STOPPED;
      socket.close();
    }, RETRY_MS).unref();
  };
  let [told, bot]: [Promise<void>, ReturnType<typeof createBot>?] = [Promise.resolve()];
  let wait = RETRY_MS;
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const queue = () =>
    isOpen() && send("queue", ladder ? { version, ladder_id: ladder } : { version });
  /**
   * Stops after a permanent error. Otherwise queues again after 1 s, 2 s, 4 s and so on, up to 30
   * s.
   */
  const refused = async (code: string) => {
    const verdict = await judge(code, { ...options, ladder: ladder || "public" });
    if (verdict?.advice) printLine(verdict.advice);
    if (!verdict || outcome.last) return;
    if (verdict.isLast) outcome.last = code;
    if (verdict.isLast) return socket.close();
    const pause = pauseBefore(wait, verdict.opensInMs);
    printLine(`queueing again in ${pause / 1000} s`);
    setTimeout(queue, pause).unref();
    wait = pause < wait ? RETRY_MS : Math.min(2 * wait, LONGEST_RETRY_MS);
  };
  socket.on("open", queue);
  socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    const { type, code = type } = message;
    if (type === "queued" && !outcome.useful)
      printLine(`queued with ${version} at ${bot_endpoint}`);
    if (type === "queued") [outcome.useful, wait] = [true, RETRY_MS];
    if (type === "error" || type === "replaced") printLine(`${code}: ${message.message}`);
    if (type === "error" || type === "replaced") void refused(code);
    if (type === "server_draining") draining = true;
    if (type === "hello") bot = createBot((match = message), temper);
    if (type === "hello") send("ready", { match_id: message.match_id });
    if (type === "observation" && bot) send("turn", { tick: message.tick, ...bot.turn(message) });
    if (type === "end") told = tell(told, url, message, match);
    if (type === "end") match = null;
    if (type === "end" && (outcome.left -= 1) === 0) outcome.last = PLAYED;
    if (type === "end" && !draining && !outcome.last) queue();
    if (outcome.last === PLAYED) socket.close();
  });
  socket.on("error", ({ message }) => (outcome.last ||= report(bot_endpoint, message)));
  socket.on("close", (code, reason) => printLine(closeLine(code, reason.toString())));
  socket.on("pong", () => (alive = true));
  SIGNALS.forEach((signal) => process.once(signal, stop));
  const heartbeat = setInterval(() => {
    socket[alive ? "ping" : "terminate"]();
    alive = false;
  }, HEARTBEAT_MS);
  await new Promise((closed) => socket.on("close", closed));
  clearInterval(heartbeat);
  SIGNALS.forEach((signal) => process.off(signal, stop));
  if (outcome.last) await told;
}

/** Prints why the connection failed. Returns the status if a retry can't succeed. */
function report(endpoint: string, message: string): string {
  printLine(`${endpoint}: ${message || "no connection"}`);
  const status = REFUSED.find((one) => message === `Unexpected server response: ${one}`);
  return status ? `HTTP ${status}` : "";
}

/** 1005 means a close without a code, such as our own after the last match. */
const closeLine = (code: number, reason: string) =>
  code === 1005 ? "connection closed" : `closed: ${code} ${reason}`.trim();

/** House bots have a display name. The first mention also shows the handle. */
const known = new Map<string, string>();
async function nameOf(url: string, name: string): Promise<string> {
  if (known.has(name) || !name.startsWith("house-")) return known.get(name) ?? name;
  const asked = fetch(`${url}/api/bots/${name}`, { signal: AbortSignal.timeout(OPENING_MS) });
  const bot: unknown = await asked.then((answer) => answer.json()).catch(() => null);
  const { display_name } = (bot ?? {}) as { display_name?: string };
  if (!display_name) return name;
  known.set(name, display_name);
  return `${display_name} (${name})`;
}

/** Prints a match's line after the lines for earlier matches. */
async function tell(before: Promise<void>, url: string, end: End, match: Hello | null) {
  await before;
  const result = end.winner === null ? "drawn" : end.winner === match?.fighter ? "won" : "lost";
  const rating = end.rating_change === null ? "unrated" : `rating change ${end.rating_change}`;
  const opponent = await nameOf(url, match?.opponent.name ?? "nobody");
  printLine(`${result} against ${opponent}: ${end.reason}, ${rating}, ${url}${end.watch_url}`);
}

/**
 * Plays until a permanent error, or until --games matches are played (0: no limit). Waits between
 * connections: 1 s, 2 s, 4 s and so on, up to 30 s.
 */
export async function play(options: Options): Promise<string> {
  const outcome = { useful: false, last: "", left: Number(options.games) };
  for (let wait = RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    outcome.useful = false;
    await connect(options, outcome).catch(({ cause, message }: Error) => {
      printLine(
        `can't connect to ${options.url}: ${(cause as NodeJS.ErrnoException)?.code ?? message}`,
      );
    });
    if (outcome.last) return outcome.last;
    if (outcome.useful) wait = RETRY_MS;
    printLine(`trying again in ${wait / 1000} s`);
    await sleep(wait);
  }
}

// Connects only if this file is the main program. An importer needs no connection.
if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  const { BOUT_URL = "http://localhost:7777", BOUT_NAME = "my-bot" } = process.env;
  const { BOUT_TOKEN = "", BOUT_LADDER = "" } = process.env;
  const text = (otherwise: string) => ({ type: "string", default: otherwise }) as const;
  const bot = { name: text(BOUT_NAME), temper: text("denier"), version: text("v1") };
  const place = { url: text(BOUT_URL), ladder: text(BOUT_LADDER) };
  const options = { ...place, token: text(BOUT_TOKEN), ...bot, games: text("0") };
  try {
    const { values } = parseArgs({ options });
    if (!TEMPERS[values.temper]) throw new Error("unknown temper");
    if (!/^https?:/.test(values.url) || !URL.canParse(values.url)) {
      printLine("--url must start with http:// or https://");
      process.exit(2);
    }
    const last = await play({ ...values, url: values.url.replace(/\/+$/, "") });
    printLine(`stopped: ${last}`);
    process.exit([PLAYED, STOPPED].includes(last) ? 0 : 1);
  } catch {
    const [flags, tempers] = [Object.keys(options), Object.keys(TEMPERS)];
    printLine(`usage: starter.ts [--${flags.join(" …] [--")} …]; tempers: ${tempers.join(", ")}`);
    process.exitCode = process.argv.includes("--help") ? 0 : 2;
  }
}
