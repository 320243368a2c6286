// Bots over real sockets, which play like those of the house and queue again after each match.

import { WebSocket } from "ws";

import type { Observation } from "#core/engine/types.ts";
import type { Facts, Policy } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";

/** Those that think quickly: the machine should be busy with the server. */
const KINDS = ["brawler", "kiter"] as const;
const JOINED_AT_ONCE = 16;

type Begun = { match_id: string };
type Tick = { match_id: string; tick: number };
type Ended = { match_id: string; stats: Stats | null };
type Said =
  | ({ type: "hello" } & Begun & Facts)
  | ({ type: "observation" } & Tick & Observation)
  | ({ type: "end" } & Ended);
type Stats = { fighters: { server_idles?: Record<string, number> }[] };

type SwarmCount = {
  observations: number;
  /** From the later turn of a match's tick to the first observation of the next one, in ms. */
  turnaroundMs: number[];
  matches: number;
  /** Turns that the server did not get in time. */
  timeouts: number;
  /** How long matches ran, summed over all of them, in ms. */
  matchMs: number;
  /** Matches that ran at the same moment, at most. */
  mostRunning: number;
};

export type RehearsalSwarm = {
  /** Matches that run now, as the bots know them. */
  running: () => number;
  /** What was counted since the last call. */
  take: () => SwarmCount;
  stop: () => void;
};

const nothing = (mostRunning: number): SwarmCount => ({
  observations: 0,
  turnaroundMs: [],
  matches: 0,
  timeouts: 0,
  matchMs: 0,
  mostRunning,
});

/** Registers and connects bots on an anonymous ladder; stops early once `signal` says so. */
export async function openSwarm(
  baseUrl: string,
  bots: number,
  signal: AbortSignal,
  tell: (news: string) => void,
): Promise<RehearsalSwarm> {
  const sockets: WebSocket[] = [];
  const counter = newCounter();

  async function join(number: number): Promise<void> {
    const token = await register(baseUrl, `rehearsal-${number}`, signal);
    const make = HOUSE_MAKERS[KINDS[number % KINDS.length] ?? "kiter"];
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, {
      headers: { authorization: `Bearer ${token}` },
    });
    sockets.push(socket);
    let policy: Policy | null = null;
    const queue = () => socket.send('{"type":"queue","version":"v1"}');
    socket.on("open", queue);
    socket.on("error", () => {});
    socket.on("message", (data: Buffer) => {
      const said = JSON.parse(data.toString()) as Said;
      if (said.type === "hello") {
        policy = make(said);
        counter.begin(said);
        socket.send('{"type":"ready"}');
      } else if (said.type === "observation" && policy !== null) {
        counter.observation(said);
        const turn = { type: "turn", tick: said.tick, ...policy.turn(said) };
        socket.send(JSON.stringify(turn));
        counter.turn(said);
      } else if (said.type === "end") {
        counter.end(said);
        queue();
      }
    });
  }

  for (let number = 0; number < bots && !signal.aborted; number += JOINED_AT_ONCE) {
    const size = Math.min(JOINED_AT_ONCE, bots - number);
    await Promise.all(Array.from({ length: size }, (_, at) => join(number + at)));
    tell(`${number + size} of ${bots} bots have joined`);
  }
  return {
    running: counter.running,
    take: () => counter.take(),
    stop: () => sockets.forEach((socket) => socket.terminate()),
  };
}

/** Counts what the bots see. */
function newCounter() {
  /** When the last turn of a match's running tick went out, by match. */
  const lastTurn = new Map<string, { tick: number; at: number }>();
  /** The matches that a bot was told of and none was told the end of. */
  const running = new Set<string>();
  let count = nothing(0);
  let metered = performance.now();

  /** Adds what the running matches took until now; before each change of their number. */
  function meter(): void {
    const now = performance.now();
    count.matchMs += running.size * (now - metered);
    metered = now;
  }

  return {
    running: () => running.size,
    begin({ match_id: id }: Begun): void {
      meter();
      running.add(id);
      count.mostRunning = Math.max(count.mostRunning, running.size);
    },
    observation({ match_id: id, tick }: Tick): void {
      count.observations += 1;
      const last = lastTurn.get(id);
      if (last === undefined || last.tick !== tick - 1) return;
      lastTurn.delete(id);
      count.turnaroundMs.push(performance.now() - last.at);
    },
    turn({ match_id: id, tick }: Tick): void {
      lastTurn.set(id, { tick, at: performance.now() });
    },
    end({ match_id: id, stats }: Ended): void {
      meter();
      // Both bots of a match are told of its end.
      count.matches += 0.5;
      running.delete(id);
      lastTurn.delete(id);
      const lost = (stats?.fighters ?? []).map((one) => one.server_idles?.["timeout"] ?? 0);
      count.timeouts += lost.reduce((sum, each) => sum + each, 0) / 2;
    },
    take(): SwarmCount {
      meter();
      const taken = count;
      count = nothing(running.size);
      return taken;
    },
  };
}

async function register(baseUrl: string, name: string, signal: AbortSignal): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ name, owner: name });
  const answer = await fetch(`${baseUrl}/api/bots`, { method: "POST", headers, body, signal });
  const { token, error } = (await answer.json()) as { token?: string; error?: string };
  if (token === undefined) throw new Error(`a bot was not registered: ${error}`);
  return token;
}
