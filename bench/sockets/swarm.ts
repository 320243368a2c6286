// A swarm of bots in one process: each answers at once, or after a think time, and queues again.

import { Agent, request } from "node:http";

import { WebSocket } from "ws";

export type SwarmOrder = {
  baseUrl: string;
  bots: number;
  thinkMs: number;
  /** The ladder's own registration, or no registration at all for the bare server. */
  register: boolean;
};

export type SwarmReport = {
  /** Observations received since the last report. */
  observations: number;
  /** From the later turn of a match's tick to the first observation of the next tick, ms. */
  turnaroundMs: number[];
  matches: number;
  /** Failed ticks by reason over all ended matches. */
  idles: Record<string, number>;
};

type Message = {
  type: string;
  match_id: string;
  tick: number;
  self: { x: number; y: number };
  map: { center: [number, number] };
  moves: string[];
  stats?: { fighters: { server_idles: Record<string, number> }[] } | null;
};

/** Latencies kept between two reports. */
const KEPT = 200_000;
const ATTACKS = ["bolt", "strike", "repulse", "hook"];
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

let report: SwarmReport = emptyReport();
/** When the last turn of a match's running tick went out, by match. */
const lastTurn = new Map<string, { tick: number; at: number }>();

function emptyReport(): SwarmReport {
  return { observations: 0, turnaroundMs: [], matches: 0, idles: {} };
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function register(baseUrl: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const post = request(`${baseUrl}/api/bots`, { method: "POST", headers, agent }, (answer) => {
      let text = "";
      answer.on("data", (part: Buffer) => (text += part.toString()));
      answer.on("end", () => resolve((JSON.parse(text) as { token: string }).token));
    });
    post.on("error", reject);
    post.end(JSON.stringify({ name }));
  });
}

async function join(order: SwarmOrder, number: number): Promise<void> {
  const token = order.register ? await register(order.baseUrl, `swarm-${number}`) : "none";
  const socket = new WebSocket(`${order.baseUrl.replace("http", "ws")}/bot`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  let random = number * 7919 + 1;
  let center: readonly [number, number] = [0, 0];
  const queue = () => socket.send('{"type":"queue","version":"v1"}');
  socket.on("open", queue);
  socket.on("error", () => {});
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.type === "observation") {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      const turn = turnFor(message, center, random);
      note(message);
      if (order.thinkMs === 0) answer(socket, message, turn);
      else setTimeout(() => answer(socket, message, turn), order.thinkMs);
    } else if (message.type === "hello") {
      ({ center } = message.map);
      socket.send('{"type":"ready"}');
    } else if (message.type === "end") {
      countEnd(message);
      queue();
    }
  });
}

function note({ match_id, tick }: Message): void {
  report.observations += 1;
  const last = lastTurn.get(match_id);
  if (last === undefined || last.tick !== tick - 1) return;
  lastTurn.delete(match_id);
  if (report.turnaroundMs.length < KEPT) report.turnaroundMs.push(performance.now() - last.at);
}

function answer(socket: WebSocket, { match_id, tick }: Message, turn: string): void {
  socket.send(turn);
  lastTurn.set(match_id, { tick, at: performance.now() });
}

/** Walks to the middle, out of the zone, and attacks at random: fights of a usual length. */
function turnFor(seen: Message, center: readonly [number, number], random: number): string {
  const { tick, self, moves } = seen;
  const inwards = directionTo(center[0] - self.x, center[1] - self.y);
  const other = moves[random % moves.length] ?? "n";
  const move = random % 4 !== 0 && moves.includes(inwards) ? inwards : other;
  const name = ATTACKS[(random >>> 8) % ATTACKS.length];
  const target = DIRECTIONS[(random >>> 12) % DIRECTIONS.length];
  const attack = random % 5 === 0 ? `,"attack":{"name":"${name}","target":"${target}"}` : "";
  return `{"type":"turn","tick":${tick},"move":"${move}"${attack}}`;
}

function directionTo(dx: number, dy: number): string {
  const vertical = dy < 0 ? "n" : dy > 0 ? "s" : "";
  return vertical + (dx < 0 ? "w" : dx > 0 ? "e" : "");
}

function countEnd({ match_id, stats }: Message): void {
  lastTurn.delete(match_id);
  report.matches += 1;
  for (const { server_idles } of stats?.fighters ?? [])
    for (const [reason, count] of Object.entries(server_idles))
      report.idles[reason] = (report.idles[reason] ?? 0) + count;
}

process.on("message", (order: SwarmOrder | "report") => {
  if (order === "report") {
    process.send?.(report);
    report = emptyReport();
    return;
  }
  void (async () => {
    for (let number = 0; number < order.bots; number += 16) {
      const batch = Array.from({ length: Math.min(16, order.bots - number) }, (_, at) => at);
      await Promise.all(batch.map((at) => join(order, number + at)));
    }
    process.send?.("joined");
  })();
});
