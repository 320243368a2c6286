// Ignores upgrade offers for protocols other than WebSocket and handles the request normally (RFC
// 9110, section 7.8). Node drops any data that follows such a request in the same TCP chunk. To
// keep that data, the request head is put back without the upgrade offer and parsed again.
//
// A WebSocket upgrade is accepted only after all earlier requests on the connection have been
// answered, because their responses would mix with WebSocket frames.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import { isWebSocketUpgrade } from "#web/http/malformed-requests.ts";

type UpgradeOffers = {
  /** Pass to `createServer`. */
  shouldUpgradeCallback: (request: IncomingMessage) => boolean;
  ignoreUpgrades: (server: Server) => void;
};

export function openUpgradeOffers(): UpgradeOffers {
  /**
   * Number of pending responses per connection. Nothing else may be written until they are sent.
   */
  const pendingResponses = new WeakMap<Socket, number>();
  /** Requests after which nothing more is read from the connection. */
  const finalRequests = new WeakSet<IncomingMessage>();

  function shouldUpgradeCallback(request: IncomingMessage): boolean {
    const isIdle = !pendingResponses.has(request.socket);
    const isAccepted = isWebSocketUpgrade(request) ? isIdle : isIdle && canReparse(request);
    if (!isAccepted) finalRequests.add(request);
    return isAccepted;
  }

  function ignoreUpgrades(server: Server): void {
    server.on("request", (request, response) => {
      const { socket } = request;
      // Closing the connection makes the client resend its pipelined requests.
      if (finalRequests.has(request)) response.shouldKeepAlive = false;
      pendingResponses.set(socket, (pendingResponses.get(socket) ?? 0) + 1);
      response.once("close", () => {
        const remaining = (pendingResponses.get(socket) ?? 1) - 1;
        if (remaining === 0) pendingResponses.delete(socket);
        else pendingResponses.set(socket, remaining);
      });
    });
    server.on("upgrade", (request, _socket, rest) => {
      if (isWebSocketUpgrade(request)) return;
      const { socket } = request;
      socket.unshift(Buffer.concat([headWithoutOffer(request), rest]));
      server.emit("connection", socket);
    });
  }

  return { shouldUpgradeCallback, ignoreUpgrades };
}

/**
 * Node reads nothing after a request with a body, and HTTP/1.0 connections end after one request.
 */
const canReparse = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === "1.1" &&
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0";

/** The result must not be longer than the original, or it could exceed the header size limit. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}:${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
