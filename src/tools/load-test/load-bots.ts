// Bots on real sockets that play like house bots and queue again after each match.

import { WebSocket } from "ws";

import { HOUSE_POLICIES as HOUSE_MAKERS } from "#core/bot-policies/house-policies.ts";
import type { PolicyContext, Policy } from "#core/bot-policies/policy.ts";
import type { Observation } from "#core/engine/types.ts";

/** House bots that decide quickly, so that the server does most of the work. */
const KINDS = ["brawler", "kiter"] as const;
const JOIN_BATCH_SIZE = 16;

type MatchStartMessage = { match_id: string };
type TickMessage = { match_id: string; tick: number };
type MatchEndMessage = { match_id: string; stats: MatchStatsPart | null };
type ServerMessage =
  | ({ type: "hello" } & MatchStartMessage & PolicyContext)
  | ({ type: "observation" } & TickMessage & Observation)
  | ({ type: "end" } & MatchEndMessage);
type MatchStatsPart = { fighters: { server_idles?: Record<string, number> }[] };

type LoadCounts = {
  observations: number;
  /**
   * For each tick, the time from the later turn to the first observation of the next tick, in ms.
   */
  turnaroundMs: number[];
  matches: number;
  timeouts: number;
  /** Total duration of all matches, in ms. */
  matchMs: number;
  maxRunning: number;
};

export type LoadBots = {
  running: () => number;
  takeCounts: () => LoadCounts;
  stop: () => void;
};

const emptyCounts = (maxRunning: number): LoadCounts => ({
  observations: 0,
  turnaroundMs: [],
  matches: 0,
  timeouts: 0,
  matchMs: 0,
  maxRunning,
});

/** Registers and connects bots on an anonymous ladder. Stops early if `signal` aborts. */
export async function connectLoadBots(
  baseUrl: string,
  bots: number,
  signal: AbortSignal,
  reportProgress: (statusText: string) => void,
): Promise<LoadBots> {
  const sockets: WebSocket[] = [];
  const counter = createCounter();

  async function connectBot(number: number): Promise<void> {
    const token = await registerBot(baseUrl, `rehearsal-${number}`, signal);
    const createPolicy = HOUSE_MAKERS[KINDS[number % KINDS.length] ?? "kiter"];
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, {
      headers: { authorization: `Bearer ${token}` },
    });
    sockets.push(socket);
    let policy: Policy | null = null;
    const queue = () => socket.send('{"type":"queue","version":"v1"}');
    socket.on("open", queue);
    socket.on("error", () => {});
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as ServerMessage;
      if (message.type === "hello") {
        policy = createPolicy(message);
        counter.countStart(message);
        socket.send('{"type":"ready"}');
      } else if (message.type === "observation" && policy !== null) {
        counter.countObservation(message);
        const turn = { type: "turn", tick: message.tick, ...policy.turn(message) };
        socket.send(JSON.stringify(turn));
        counter.turn(message);
      } else if (message.type === "end") {
        counter.end(message);
        queue();
      }
    });
  }

  for (let number = 0; number < bots && !signal.aborted; number += JOIN_BATCH_SIZE) {
    const size = Math.min(JOIN_BATCH_SIZE, bots - number);
    await Promise.all(Array.from({ length: size }, (_, index) => connectBot(number + index)));
    reportProgress(`${number + size} of ${bots} bots connected`);
  }
  return {
    running: counter.running,
    takeCounts: () => counter.takeCounts(),
    stop: () => sockets.forEach((socket) => socket.terminate()),
  };
}

function createCounter() {
  /** By match: the current tick, and the time at which its last turn was sent. */
  const lastTurn = new Map<string, { tick: number; at: number }>();
  /** Matches that have started and whose `end` hasn't been received by any bot. */
  const running = new Set<string>();
  let count = emptyCounts(0);
  let lastMeteredAt = performance.now();

  /**
   * Adds the running time of all matches up to now. Call it before the number of matches changes.
   */
  function addRunningTime(): void {
    const now = performance.now();
    count.matchMs += running.size * (now - lastMeteredAt);
    lastMeteredAt = now;
  }

  return {
    running: () => running.size,
    countStart({ match_id: id }: MatchStartMessage): void {
      addRunningTime();
      running.add(id);
      count.maxRunning = Math.max(count.maxRunning, running.size);
    },
    countObservation({ match_id: id, tick }: TickMessage): void {
      count.observations += 1;
      const previousTurn = lastTurn.get(id);
      if (previousTurn === undefined || previousTurn.tick !== tick - 1) return;
      lastTurn.delete(id);
      count.turnaroundMs.push(performance.now() - previousTurn.at);
    },
    turn({ match_id: id, tick }: TickMessage): void {
      lastTurn.set(id, { tick, at: performance.now() });
    },
    end({ match_id: id, stats }: MatchEndMessage): void {
      addRunningTime();
      // Both bots in a match receive its end, so each counts half.
      count.matches += 0.5;
      running.delete(id);
      lastTurn.delete(id);
      const timeoutCounts = (stats?.fighters ?? []).map(
        (fighter) => fighter.server_idles?.["timeout"] ?? 0,
      );
      count.timeouts += timeoutCounts.reduce((sum, count) => sum + count, 0) / 2;
    },
    takeCounts(): LoadCounts {
      addRunningTime();
      const counts = count;
      count = emptyCounts(running.size);
      return counts;
    },
  };
}

async function registerBot(baseUrl: string, name: string, signal: AbortSignal): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ name, owner: name });
  const response = await fetch(`${baseUrl}/api/bots`, { method: "POST", headers, body, signal });
  const { token, error } = (await response.json()) as { token?: string; error?: string };
  if (token === undefined) throw new Error(`could not register a bot: ${error}`);
  return token;
}
