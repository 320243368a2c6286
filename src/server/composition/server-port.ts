// The main port. Listens before the rest of the server is open, and closes in bounded time
// regardless of its clients.

import { once } from "node:events";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

import type { Clock } from "#base/clock/clock.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import { handleClientError } from "#web/http/client-error.ts";
import { isWebSocketUpgrade, refuseExpectation } from "#web/http/malformed-requests.ts";
import { serverOptions } from "#web/http/server-options.ts";

import { limitConnections } from "./connection-limits.ts";
import { listen } from "./listen.ts";
import { openStartupQueue } from "./startup-queue.ts";
import type { RequestHandlers } from "./startup-queue.ts";
import { openUpgradeOffers } from "./upgrade-offers.ts";

/** Max time for pending responses, and for bots to leave, at shutdown. */
export const CLOSE_GRACE_MS = 2000;

export type ServerPort = {
  /** Chosen by the system if the port was 0. */
  number: number;
  /** Starts serving. Until then, arrivals wait. */
  serve(handlers: RequestHandlers): void;
  /** Stops accepting connections and resolves once the last one has ended. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type ServerPortDeps = { clock: Pick<Clock, "now" | "after">; limits: FixedLimits };

/** Rejects if the address can't be listened on. */
export async function openServerPort(
  { host, port }: { host: string; port: number },
  { clock, limits }: ServerPortDeps,
): Promise<ServerPort> {
  const offers = openUpgradeOffers();
  const { shouldUpgradeCallback } = offers;
  const server = createServer({ ...serverOptions(limits), shouldUpgradeCallback });
  const startupQueue = openStartupQueue(clock);
  const connections = trackConnections(server);
  offers.ignoreUpgrades(server);
  server.on("clientError", handleClientError);
  server.on("checkExpectation", refuseExpectation);
  server.on("request", (request, response) => startupQueue.request(request, response));
  server.on("upgrade", (request, socket, head) => {
    if (isWebSocketUpgrade(request)) startupQueue.upgrade(request, socket, head);
  });
  await listen(server, { host, port }, "--port");
  const stopLimiting = limitConnections(server, clock, limits);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    startupQueue.close();
    const closed = once(server, "close");
    // HTTP's own close would drop clients that haven't read all of their response yet.
    NetServer.prototype.close.call(server);
    connections.drainConnections();
    const cancel = clock.after(CLOSE_GRACE_MS, connections.destroyAll);
    await closed;
    cancel();
    stopLimiting();
    // Nothing listens any more; this stops the check for slow requests.
    server.close();
  }

  const closeOnce = () => (closing ??= close());
  return {
    number: (server.address() as AddressInfo).port,
    serve: (handlers) => startupQueue.open(handlers),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** Tracks all connections so that they can be closed. */
function trackConnections(server: Server) {
  /** Latest response on each HTTP connection. */
  const responses = new Map<Socket, ServerResponse | null>();
  const upgraded = new Set<Socket>();
  let isDraining = false;
  server.on("connection", (socket) => {
    if (responses.has(socket)) return;
    responses.set(socket, null);
    socket.once("close", () => {
      responses.delete(socket);
      upgraded.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    if (responses.has(socket)) responses.set(socket, response);
    if (isDraining) closeAfterResponse(response);
  });
  server.on("upgrade", (request) => {
    if (!isWebSocketUpgrade(request)) return;
    const { socket } = request;
    responses.delete(socket);
    upgraded.add(socket);
  });

  /**
   * Closes the connection after this response. If its headers say keep-alive, the connection is
   * destroyed afterwards.
   */
  function closeAfterResponse(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    response.once("close", () => response.req.socket.destroy());
  }

  return {
    /** Closes idle connections immediately and others after their response. */
    drainConnections: () => {
      isDraining = true;
      for (const [socket, response] of responses)
        if (response === null || response.writableFinished) socket.destroy();
        else closeAfterResponse(response);
    },
    destroyAll: () => {
      for (const socket of [...responses.keys(), ...upgraded]) socket.destroy();
    },
  };
}
