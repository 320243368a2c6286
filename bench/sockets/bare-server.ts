// The reference: a bare `ws` server that pairs sockets as they come, stringifies the observations
// of real fights to both and parses both turns, and does nothing else.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import { isOver, startFight } from "#engine/fight.ts";
import { allGrids } from "#engine/maps.ts";
import { observe } from "#engine/observe.ts";
import { step } from "#engine/step.ts";
import { setTurn } from "#engine/turn.ts";
import { referencePlayer } from "#testing/reference-play.ts";

type Seen = readonly [object, object];
type Duel = { sockets: WebSocket[]; fight: readonly Seen[]; tick: number; answers: number };

const FIGHTS = recordFights();
let ticks = 0;

/** What both fighters see, tick by tick, as the ladder would send it. */
function recordFights(): Seen[][] {
  return allGrids().map((grid, seed) => {
    const fight = startFight(grid, seed);
    const player = referencePlayer("fight", seed);
    const seen: Seen[] = [];
    while (!isOver(fight)) {
      const views = [0, 1].map((seat) => ({
        type: "observation",
        match_id: "01a1fed6-e0f1-7de8-9ce6-9b146d6eff39",
        ...observe(fight, seat),
        budget_ms: 287_654,
        last_reply_ms: 14,
      }));
      seen.push([views[0], views[1]]);
      for (const seat of [0, 1]) setTurn(fight, seat, player(fight, seat));
      step(fight);
    }
    return seen;
  });
}

function show(duel: Duel): void {
  const seen = duel.fight[duel.tick % duel.fight.length];
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
  const fight = FIGHTS[duels % FIGHTS.length];
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
