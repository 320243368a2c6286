// Offers to upgrade to anything but a WebSocket are ignored, and the request is answered as if
// nothing had been offered (RFC 9110, section 7.8). Node itself forgets what has arrived behind such
// a request in the same piece of TCP: so its head is put back without the offer, and read again.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import { asksForWebSocket } from "#web/http/odd-requests.ts";

type Offers = {
  /** Option of the server. */
  shouldUpgradeCallback: (request: IncomingMessage) => boolean;
  ignore: (server: Server) => void;
};

export function openOffers(): Offers {
  /** Connections with an answer under way: until it is sent they cannot be read again. */
  const answering = new WeakSet<Socket>();
  /** Requests behind which nothing will be read. */
  const last = new WeakSet<IncomingMessage>();

  function shouldUpgradeCallback(request: IncomingMessage): boolean {
    if (asksForWebSocket(request)) return true;
    const canReadAgain = !hasBody(request) && !answering.has(request.socket);
    if (!canReadAgain) last.add(request);
    return canReadAgain;
  }

  function ignore(server: Server): void {
    server.on("request", (request, response) => {
      const { socket } = request;
      // The end of the connection tells the client to send again what came behind.
      if (last.has(request)) response.shouldKeepAlive = false;
      answering.add(socket);
      response.once("close", () => answering.delete(socket));
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

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** No byte longer than what has come, so that it is within the limit of heads again. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}:${value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
