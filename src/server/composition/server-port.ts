// The main port. It listens before the rest of the server is open and closes in bounded time,
// whatever its clients do.

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
import { openUpgradeOffers } from "./http-upgrade-offers.ts";
import { listen } from "./listen.ts";
import { openStartupQueue } from "./startup-queue.ts";
import type { RequestHandlers } from "./startup-queue.ts";

/** How long shutdown waits for pending responses and for bots to disconnect. */
export const CLOSE_GRACE_MS = 2000;

export type ServerPort = {
  /** The port number. Assigned by the system if 0 was requested. */
  number: number;
  /** Starts serving. Requests that arrive earlier are held until then. */
  serve(handlers: RequestHandlers): void;
  /** Stops accepting connections. Resolves when all connections have closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type ServerPortDeps = { clock: Pick<Clock, "now" | "after">; limits: FixedLimits };

/** Starts listening. Rejects if the address isn't available. */
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
    // `http.Server.close` would drop clients that haven't read their whole response.
    NetServer.prototype.close.call(server);
    connections.drainConnections();
    const cancel = clock.after(CLOSE_GRACE_MS, connections.destroyAll);
    await closed;
    cancel();
    stopLimiting();
    // The server no longer listens. This call stops the check for slow requests.
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

function trackConnections(server: Server) {
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

  /** If keep-alive headers were already sent, the connection is destroyed after the response. */
  function closeAfterResponse(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    response.once("close", () => response.req.socket.destroy());
  }

  return {
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
