// Mounts the embedded identity provider, which uses web Request and Response objects.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

import type { BodyErrorCode, EmbeddedProvider } from "#adapters/identity/embedded-provider.ts";
import type { App } from "#web/http/deps.ts";

export type IdentityMount = {
  embedded: Pick<EmbeddedProvider, "respond" | "respondBodyError" | "isRateLimited">;
  /** Provider routes. A trailing `*` matches everything below. */
  addresses: readonly string[];
  callerOf: (request: FastifyRequest["raw"]) => string | null;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"] as const;
/** Only path and query are used, so any origin works. */
const PLACEHOLDER_ORIGIN = "http://ladder";
const INTERNAL_CALLER = "inside";

/**
 * Forwards all requests below the addresses to the provider, with any method or body and including
 * preflights.
 */
export function mountIdentity(app: App, mount: IdentityMount): void {
  const { embedded } = mount;
  const callerOf = ({ raw }: FastifyRequest) => mount.callerOf(raw) ?? INTERNAL_CALLER;
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, onParsed) => {
      onParsed(null, body);
    });
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      return sendResponse(reply, await embedded.respond(toRequest(request), callerOf(request)));
    };
    const hasOwnRateLimit = ({ method, url }: FastifyRequest) => {
      const address = URL.parse(url, PLACEHOLDER_ORIGIN);
      return address !== null && embedded.isRateLimited({ method, url: address.href });
    };
    const config = { hasOwnRateLimit };
    scope.setErrorHandler<FastifyError>((error, request, reply) => {
      const bodyError = BODY_ERRORS[error.statusCode ?? 500];
      if (bodyError === undefined) throw error;
      return sendResponse(
        reply,
        embedded.respondBodyError(withoutBody(request), callerOf(request), bodyError),
      );
    });
    for (const url of mount.addresses) scope.route({ method: [...METHODS], url, config, handler });
    done();
  });
}

/** Error code by status, for a body that Fastify rejects before it reaches the provider. */
const BODY_ERRORS: { readonly [status: number]: BodyErrorCode } = {
  400: "bad_json",
  413: "request_too_large",
  415: "unsupported_media_type",
};

const withoutBody = ({ method, url, headers }: FastifyRequest): Request =>
  toRequest({ method, url, headers, body: null });

type ReceivedRequest = Pick<FastifyRequest, "method" | "url" | "headers" | "body">;

function toRequest({ method, url, headers, body }: ReceivedRequest): Request {
  const headerEntries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((headerValue): [string, string] => [name, headerValue]),
  );
  const hasBody = body instanceof Uint8Array && body.byteLength > 0;
  const bodyInit = hasBody ? { body: new Uint8Array(body) } : {};
  return new Request(new URL(url, PLACEHOLDER_ORIGIN), {
    method,
    headers: headerEntries,
    ...bodyInit,
  });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  return reply.send(response.body === null ? null : Buffer.from(await response.arrayBuffer()));
}
