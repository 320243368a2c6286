// Request bodies: JSON in UTF-8, or none at all.

import type { FastifyRequest } from "fastify";

import type { App } from "./deps.ts";
import { refuseWith } from "./errors.ts";

type Done = (error: Error | null, body?: unknown) => void;

/** Bodies of any other type are 415, bad UTF-8 and keys that attack prototypes are 400. */
export function acceptJson(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done: Done) => {
      if (body.length === 0) done(null, undefined);
      else void parse(request, decode(utf8, body), done);
    },
  );
  app.addHook("onRequest", (request, reply, done) => {
    const { "content-encoding": encoding = "identity" } = request.headers;
    if (encoding === "identity") done();
    else void reply.send(refuseWith(reply, 415, "A compressed body is not accepted."));
  });
}

/** Text that no parser takes stands for bytes that are no text. */
function decode(utf8: TextDecoder, body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    return "not UTF-8";
  }
}
