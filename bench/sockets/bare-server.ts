// Reference server: a bare `ws` server that pairs sockets as they connect. It stringifies the
// observations from recorded matches for both players, parses both turns, and does nothing else.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import { isOver, createFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { nextRandom, createTurn } from "./turns.ts";

type SeatViews = readonly [object, object];
type ReplayedMatch = {
  sockets: WebSocket[];
  fight: readonly SeatViews[];
  tick: number;
  answers: number;
};

const RECORDED_FIGHTS = recordFights();
let ticks = 0;

/**
 * Records the observations of both fighters in matches like the swarm's, tick by tick, as the
 * ladder would send them.
 */
function recordFights(): ReplayedMatch["fight"][] {
  return allGrids().map((grid, seed) => {
    const fight = createFight(grid, seed);
    const views: SeatViews[] = [];
    let randomNumbers = [7919 * seed + 1, 7919 * seed + 7920];
    while (!isOver(fight)) {
      const seatViews = [0, 1].map((seat) => observationFor(fight, seat));
      views.push([observationMessage(seatViews[0]!), observationMessage(seatViews[1]!)]);
      randomNumbers = randomNumbers.map(nextRandom);
      for (const seat of [0, 1]) {
        const parsedTurn = JSON.parse(
          createTurn(seatViews[seat]!, grid.center, randomNumbers[seat]!),
        ) as Turn;
        setSeatTurn(fight, seat, parsedTurn);
      }
      step(fight);
    }
    return views;
  });
}

function observationMessage(observation: Observation): object {
  const match_id = "01a1fed6-e0f1-7de8-9ce6-9b146d6eff39";
  return { type: "observation", match_id, ...observation, budget_ms: 287_654, last_reply_ms: 14 };
}

function sendObservations(replayedMatch: ReplayedMatch): void {
  const views = replayedMatch.fight[replayedMatch.tick % replayedMatch.fight.length]!;
  replayedMatch.answers = 0;
  for (const [seat, socket] of replayedMatch.sockets.entries())
    socket.send(JSON.stringify(views[seat]));
}

function handleMessage(replayedMatch: ReplayedMatch, data: Buffer): void {
  const message = JSON.parse(data.toString()) as { type: string };
  if (message.type !== "turn") return;
  replayedMatch.answers += 1;
  if (replayedMatch.answers < 2) return;
  replayedMatch.tick += 1;
  ticks += 1;
  sendObservations(replayedMatch);
}

const http = createServer();
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
let waitingSocket: WebSocket | null = null;
let matchCount = 0;

server.on("connection", (socket) => {
  if (waitingSocket === null) {
    waitingSocket = socket;
    return;
  }
  const fight = RECORDED_FIGHTS[matchCount % RECORDED_FIGHTS.length]!;
  const replayedMatch: ReplayedMatch = {
    sockets: [waitingSocket, socket],
    fight,
    tick: 0,
    answers: 0,
  };
  waitingSocket = null;
  matchCount += 1;
  for (const client of replayedMatch.sockets)
    client.on("message", (data: Buffer) => handleMessage(replayedMatch, data));
  sendObservations(replayedMatch);
});

process.on("message", (request) => {
  if (request === "usage") process.send?.({ cpu: process.cpuUsage(), ticks });
});

http.listen(0, "127.0.0.1", () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
});
