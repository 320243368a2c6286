// Mounts the embedded identity provider, which speaks in Requests and Responses.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

import type { BodyFault, Embedded } from "#outside/identity/embedded.ts";
import type { App } from "#web/http/deps.ts";

export type IdentityMount = {
  embedded: Pick<Embedded, "answer" | "refuse" | "limits">;
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
  const { embedded } = mount;
  const callerOf = ({ raw }: FastifyRequest) => mount.callerOf(raw) ?? INSIDE;
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => {
      parsed(null, body);
    });
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      return print(reply, await embedded.answer(toRequest(request), callerOf(request)));
    };
    const limitsItself = ({ method, url }: FastifyRequest) => {
      const address = URL.parse(url, ANYWHERE);
      return address !== null && embedded.limits({ method, url: address.href });
    };
    const config = { limitsItself };
    scope.setErrorHandler<FastifyError>((error, request, reply) => {
      const fault = FAULTS[error.statusCode ?? 500];
      if (fault === undefined) throw error;
      return print(reply, embedded.refuse(withoutBody(request), callerOf(request), fault));
    });
    for (const url of mount.addresses) scope.route({ method: [...METHODS], url, config, handler });
    done();
  });
}

/** What is wrong with a body that never reaches the provider, by the status of the error. */
const FAULTS: { readonly [status: number]: BodyFault } = {
  400: "bad_json",
  413: "request_too_large",
  415: "unsupported_media_type",
};

const withoutBody = ({ method, url, headers }: FastifyRequest): Request =>
  toRequest({ method, url, headers, body: null });

type Received = Pick<FastifyRequest, "method" | "url" | "headers" | "body">;

function toRequest({ method, url, headers, body }: Received): Request {
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
