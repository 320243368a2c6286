// A proxy on this machine that adds an agent key, for programs that cannot send one.

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import type { AddressInfo } from "node:net";

type KeyProxy = AsyncDisposable & {
  /** Where it stands for the endpoint. */
  url: string;
};

export async function openKeyProxy(endpoint: URL, key: string): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => pass(endpoint, key, incoming, outgoing));
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

/** The proxy's own name becomes the endpoint's; any other is passed on, and so refused. */
function pass(
  endpoint: URL,
  key: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const own = `localhost:${incoming.socket.localPort}`;
  const { host: asked, origin, ...rest } = incoming.headers;
  const headers = {
    ...rest,
    host: asked === own ? endpoint.host : asked,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? endpoint.origin : origin }),
    authorization: `Bearer ${key}`,
  };
  const send = endpoint.protocol === "https:" ? secureRequest : request;
  const onward = send(endpoint, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.once("error", () => outgoing.destroy());
  incoming.pipe(onward);
}
