// Mounts the embedded identity provider, which speaks in Requests and Responses.

import type { FastifyReply, FastifyRequest } from "fastify";

import type { Embedded } from "#outside/identity/embedded.ts";
import type { App } from "#web/http/deps.ts";

export type IdentityMount = {
  embedded: Pick<Embedded, "answer">;
  /** Addresses of the provider; a `*` at the end stands for everything below. */
  addresses: readonly string[];
  /** The address that asks; null for requests from inside the process. */
  callerOf: (request: FastifyRequest["raw"]) => string | null;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"] as const;
/** Only the path and the query of an address matter. */
const ANYWHERE = "http://ladder";
const INSIDE = "inside";

/** Leaves everything below the addresses to the provider: bodies, methods and preflights too. */
export function mountIdentity(app: App, mount: IdentityMount): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => {
      parsed(null, body);
    });
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = mount.callerOf(request.raw) ?? INSIDE;
      return print(reply, await mount.embedded.answer(toRequest(request), caller));
    };
    const config = { limitsItself: true };
    for (const url of mount.addresses) scope.route({ method: [...METHODS], url, config, handler });
    done();
  });
}

function toRequest({ method, url, headers, body }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const carries = body instanceof Uint8Array && body.byteLength > 0;
  const sent = carries ? { body: new Uint8Array(body) } : {};
  return new Request(new URL(url, ANYWHERE), { method, headers: given, ...sent });
}

async function print(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  return reply.send(response.body === null ? null : Buffer.from(await response.arrayBuffer()));
}
