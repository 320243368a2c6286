// The one port. It listens before the rest of the server is open, and closes in a bounded time,
// whatever its clients hold.

import { once } from "node:events";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

import type { Clock } from "#base/clock/clock.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import { answerClientError } from "#web/http/client-error.ts";
import { asksForWebSocket, refuseExpectation } from "#web/http/odd-requests.ts";
import { serverOptions } from "#web/http/server-options.ts";

import { boundConnections } from "./connections.ts";
import { listening } from "./listening.ts";
import { openOffers } from "./offers.ts";
import { openWaitingRoom } from "./waiting-room.ts";
import type { Serving } from "./waiting-room.ts";

/** How long pending answers, and bots that are told to leave, may take at shutdown. */
export const CLOSE_GRACE_MS = 2000;

export type Port = {
  /** The system's choice if the port was left open. */
  number: number;
  /** Until this is called, whatever arrives is held back. */
  open(serving: Serving): void;
  /** Accepts no more connections, and resolves once the last one has ended. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type PortDeps = { clock: Pick<Clock, "now" | "after">; limits: FixedLimits };

/** Rejects if the address cannot be listened on. */
export async function openPort(
  { host, port }: { host: string; port: number },
  { clock, limits }: PortDeps,
): Promise<Port> {
  const offers = openOffers();
  const { shouldUpgradeCallback } = offers;
  const server = createServer({ ...serverOptions(limits), shouldUpgradeCallback });
  const room = openWaitingRoom(clock);
  const connections = followConnections(server);
  offers.ignore(server);
  server.on("clientError", answerClientError);
  server.on("checkExpectation", refuseExpectation);
  server.on("request", (request, response) => room.request(request, response));
  server.on("upgrade", (request, socket, head) => {
    if (asksForWebSocket(request)) room.upgrade(request, socket, head);
  });
  await listening(server, { host, port }, "--port");
  const unbound = boundConnections(server, clock, limits);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    room.close();
    const closed = once(server, "close");
    // HTTP's own close would cut off clients that have not read all of their answer yet.
    NetServer.prototype.close.call(server);
    connections.letGo();
    const cancel = clock.after(CLOSE_GRACE_MS, connections.cut);
    await closed;
    cancel();
    unbound();
    // Nothing listens any more; this ends the server's check for slow requests.
    server.close();
  }

  const closeOnce = () => (closing ??= close());
  return {
    number: (server.address() as AddressInfo).port,
    open: (serving) => room.open(serving),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** Tracks all connections, so that they can be ended. */
function followConnections(server: Server) {
  /** The newest answer on each connection that speaks HTTP. */
  const answers = new Map<Socket, ServerResponse | null>();
  const upgraded = new Set<Socket>();
  let isLetGo = false;
  server.on("connection", (socket) => {
    if (answers.has(socket)) return;
    answers.set(socket, null);
    socket.once("close", () => {
      answers.delete(socket);
      upgraded.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    if (answers.has(socket)) answers.set(socket, response);
    if (isLetGo) endWith(response);
  });
  server.on("upgrade", (request) => {
    if (!asksForWebSocket(request)) return;
    const { socket } = request;
    answers.delete(socket);
    upgraded.add(socket);
  });

  /** Ends the connection with this answer. A client that was told otherwise is cut off after it. */
  function endWith(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    response.once("close", () => response.req.socket.destroy());
  }

  return {
    /** Ends idle connections at once, and all others after their answer. */
    letGo: () => {
      isLetGo = true;
      for (const [socket, answer] of answers)
        if (answer === null || answer.writableFinished) socket.destroy();
        else endWith(answer);
    },
    cut: () => {
      for (const socket of [...answers.keys(), ...upgraded]) socket.destroy();
    },
  };
}
