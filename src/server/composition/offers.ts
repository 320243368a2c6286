// Offers to upgrade to anything but a WebSocket are ignored, and the request is answered as if
// nothing had been offered (RFC 9110, section 7.8). Node itself forgets what has arrived behind such
// a request in the same piece of TCP: so its head is put back without the offer, and read again.
//
// An upgrade to WebSocket is taken only when every earlier request of its connection is answered:
// otherwise those answers would be written among the frames.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import { asksForWebSocket } from "#web/http/odd-requests.ts";

type Offers = {
  /** Option of the server. */
  shouldUpgradeCallback: (request: IncomingMessage) => boolean;
  ignore: (server: Server) => void;
};

export function openOffers(): Offers {
  /** Answers under way on a connection: until they are sent, nothing else may be said on it. */
  const answering = new WeakMap<Socket, number>();
  /** Requests behind which nothing will be read. */
  const last = new WeakSet<IncomingMessage>();

  function shouldUpgradeCallback(request: IncomingMessage): boolean {
    const isFree = !answering.has(request.socket);
    const isHeard = asksForWebSocket(request) ? isFree : isFree && canReadAgain(request);
    if (!isHeard) last.add(request);
    return isHeard;
  }

  function ignore(server: Server): void {
    server.on("request", (request, response) => {
      const { socket } = request;
      // The end of the connection tells the client to send again what came behind.
      if (last.has(request)) response.shouldKeepAlive = false;
      answering.set(socket, (answering.get(socket) ?? 0) + 1);
      response.once("close", () => {
        const left = (answering.get(socket) ?? 1) - 1;
        if (left === 0) answering.delete(socket);
        else answering.set(socket, left);
      });
    });
    server.on("upgrade", (request, _socket, rest) => {
      if (asksForWebSocket(request)) return;
      const { socket } = request;
      socket.unshift(Buffer.concat([headWithoutOffer(request), rest]));
      server.emit("connection", socket);
    });
  }

  return { shouldUpgradeCallback, ignore };
}

/** Behind a body, or a request of HTTP/1.0 that ends its connection, nothing is read again. */
const canReadAgain = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === "1.1" &&
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0";

/** No byte longer than what has come, so that it is within the limit of heads again. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}:${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
