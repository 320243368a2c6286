// Runs many bots in one process. Each bot responds immediately or after a think time, and queues
// again after each match.

import { Agent, request } from "node:http";

import { WebSocket } from "ws";

import { SECOND_US } from "#base/util/time.ts";

import { nextRandom, createTurn } from "./turns.ts";
import type { SwarmObservation } from "./turns.ts";

export type SwarmOrder = {
  baseUrl: string;
  bots: number;
  thinkMs: number;
  /** Whether to register the bots. The bare server needs no registration. */
  register: boolean;
};

export type SwarmReport = {
  observations: number;
  /** Milliseconds from the later turn of a tick to the first observation of the next tick. */
  turnaroundMs: number[];
  matches: number;
  idles: Record<string, number>;
  seconds: number;
};

type Message = SwarmObservation & {
  type: string;
  match_id: string;
  map: { center: [number, number] };
  stats?: { fighters: { server_idles: Record<string, number> }[] } | null;
};

const MAX_LATENCIES = 200_000;

let report: SwarmReport = emptyReport();
let cpuSecondsBefore = 0;
const lastTurn = new Map<string, { tick: number; at: number }>();

function emptyReport(): SwarmReport {
  return { observations: 0, turnaroundMs: [], matches: 0, idles: {}, seconds: 0 };
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function register(baseUrl: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const outgoing = request(
      `${baseUrl}/api/bots`,
      { method: "POST", headers, agent },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () => resolve((JSON.parse(text) as { token: string }).token));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify({ name }));
  });
}

async function connectBot(order: SwarmOrder, number: number): Promise<void> {
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
      random = nextRandom(random);
      const turn = createTurn(message, center, random);
      recordObservation(message);
      if (order.thinkMs === 0) sendTurn(socket, message, turn);
      else setTimeout(() => sendTurn(socket, message, turn), order.thinkMs);
    } else if (message.type === "hello") {
      ({ center } = message.map);
      socket.send('{"type":"ready"}');
    } else if (message.type === "end") {
      countEnd(message);
      queue();
    }
  });
}

function recordObservation({ match_id, tick }: Message): void {
  report.observations += 1;
  const previousTurn = lastTurn.get(match_id);
  if (previousTurn === undefined || previousTurn.tick !== tick - 1) return;
  lastTurn.delete(match_id);
  if (report.turnaroundMs.length < MAX_LATENCIES)
    report.turnaroundMs.push(performance.now() - previousTurn.at);
}

function sendTurn(socket: WebSocket, { match_id, tick }: Message, turn: string): void {
  socket.send(turn);
  lastTurn.set(match_id, { tick, at: performance.now() });
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
    const { user, system } = process.cpuUsage();
    const cpuSecondsUsed = (user + system) / SECOND_US;
    process.send?.({ ...report, seconds: cpuSecondsUsed - cpuSecondsBefore } satisfies SwarmReport);
    report = emptyReport();
    cpuSecondsBefore = cpuSecondsUsed;
    return;
  }
  void (async () => {
    for (let number = 0; number < order.bots; number += 16) {
      const batch = Array.from({ length: Math.min(16, order.bots - number) }, (_, index) => index);
      await Promise.all(batch.map((index) => connectBot(order, number + index)));
    }
    process.send?.("joined");
  })();
});
