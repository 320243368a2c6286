// Request bodies: JSON in UTF-8, or none at all.

import type { IncomingHttpHeaders } from "node:http";

import type { FastifyRequest } from "fastify";

import type { App } from "./deps.ts";
import { POISONED_BODY, refuseWith } from "./errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = ["utf-8", "utf8"];

type Done = (error: Error | null, body?: unknown) => void;

/**
 * A body of any other type or encoding gets 415; bad UTF-8 and keys that pollute prototypes get
 * 400.
 */
export function acceptJson(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request: FastifyRequest, body: Buffer, done: Done) => {
      if (body.length === 0) done(null, undefined);
      else {
        const text = decode(utf8, body);
        void parse(request, text, (error, value) => done(error && nearerFault(error, text), value));
      }
    },
  );
  app.addHook("onRequest", (request, reply, done) => {
    const fault = encodingFault(request.headers);
    if (fault === null) done();
    else void reply.send(refuseWith(reply, 415, fault));
  });
}

function encodingFault(headers: IncomingHttpHeaders): string | null {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding !== "identity") return "A compressed body is not accepted.";
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? "utf-8";
  return UTF8.includes(charset) ? null : "The body must be in UTF-8.";
}

/**
 * The parser reports invalid JSON and keys that pollute prototypes alike; this tells them apart.
 */
function nearerFault(error: Error, text: string): Error {
  try {
    JSON.parse(text);
  } catch {
    return error;
  }
  return Object.assign(new Error(POISONED_BODY), { code: POISONED_BODY, statusCode: 400 });
}

/** For bytes that are not text, returns text that no parser accepts. */
function decode(utf8: TextDecoder, body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    return "not UTF-8";
  }
}
