// The reference: a bare `ws` server that pairs sockets as they come, stringifies for both the
// observations of fights like the swarm's, parses both turns, and does nothing else.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import { isOver, startFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { nextRandom, turnFor } from "./turns.ts";

type Views = readonly [object, object];
type Duel = { sockets: WebSocket[]; fight: readonly Views[]; tick: number; answers: number };

const FIGHTS = recordFights();
let ticks = 0;

/** What both fighters of such a fight see, tick by tick, as the ladder would send it. */
function recordFights(): Duel["fight"][] {
  return allGrids().map((grid, seed) => {
    const fight = startFight(grid, seed);
    const seen: Views[] = [];
    let randoms = [7919 * seed + 1, 7919 * seed + 7920];
    while (!isOver(fight)) {
      const views = [0, 1].map((seat) => observe(fight, seat));
      seen.push([messageOf(views[0]!), messageOf(views[1]!)]);
      randoms = randoms.map(nextRandom);
      for (const seat of [0, 1]) {
        const said = JSON.parse(turnFor(views[seat]!, grid.center, randoms[seat]!)) as Turn;
        setTurn(fight, seat, said);
      }
      step(fight);
    }
    return seen;
  });
}

function messageOf(seen: Observation): object {
  const match_id = "01a1fed6-e0f1-7de8-9ce6-9b146d6eff39";
  return { type: "observation", match_id, ...seen, budget_ms: 287_654, last_reply_ms: 14 };
}

function show(duel: Duel): void {
  const seen = duel.fight[duel.tick % duel.fight.length]!;
  duel.answers = 0;
  for (const [seat, socket] of duel.sockets.entries()) socket.send(JSON.stringify(seen[seat]));
}

function hear(duel: Duel, data: Buffer): void {
  const message = JSON.parse(data.toString()) as { type: string };
  if (message.type !== "turn") return;
  duel.answers += 1;
  if (duel.answers < 2) return;
  duel.tick += 1;
  ticks += 1;
  show(duel);
}

const http = createServer();
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
let waiting: WebSocket | null = null;
let duels = 0;

server.on("connection", (socket) => {
  if (waiting === null) {
    waiting = socket;
    return;
  }
  const fight = FIGHTS[duels % FIGHTS.length]!;
  const duel: Duel = { sockets: [waiting, socket], fight, tick: 0, answers: 0 };
  waiting = null;
  duels += 1;
  for (const one of duel.sockets) one.on("message", (data: Buffer) => hear(duel, data));
  show(duel);
});

process.on("message", (question) => {
  if (question === "usage") process.send?.({ cpu: process.cpuUsage(), ticks });
});

http.listen(0, "127.0.0.1", () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
});
