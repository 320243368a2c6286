// Local proxy that adds an agent key to requests, for clients that can't send one.

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import type { AddressInfo } from "node:net";

type KeyProxy = AsyncDisposable & {
  url: string;
};

export async function openKeyProxy(endpoint: URL, key: string): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) =>
    forwardRequest(endpoint, key, incoming, outgoing),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${endpoint.pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Replaces the proxy's host name with the endpoint's host name. Passes on any other host name,
 * which the endpoint rejects.
 */
function forwardRequest(
  endpoint: URL,
  key: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const proxyHost = `localhost:${incoming.socket.localPort}`;
  const { host: requestedHost, origin, ...otherHeaders } = incoming.headers;
  const headers = {
    ...otherHeaders,
    host: requestedHost === proxyHost ? endpoint.host : requestedHost,
    ...(origin !== undefined && {
      origin: origin === `http://${proxyHost}` ? endpoint.origin : origin,
    }),
    authorization: `Bearer ${key}`,
  };
  const sendRequest = endpoint.protocol === "https:" ? secureRequest : request;
  const upstreamRequest = sendRequest(
    endpoint,
    { method: incoming.method, headers },
    (upstreamResponse) => {
      outgoing.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(outgoing);
    },
  );
  upstreamRequest.once("error", () => outgoing.destroy());
  incoming.pipe(upstreamRequest);
}
