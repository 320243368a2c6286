// Request bodies: JSON in UTF-8, or none at all.

import type { IncomingHttpHeaders } from "node:http";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { App } from "./deps.ts";
import { COMPRESSED_BODY, FOREIGN_CHARSET, POISONED_BODY, refuseWith } from "./errors.ts";

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
  app.addHook("onRequest", (request, _reply, done) => {
    const { isBodyUnread = false } = request.routeOptions.config;
    const code = isBodyUnread ? null : encodingFault(request.headers);
    // Thrown, because the identity provider has a shape of its own for it.
    if (code === null) done();
    else done(Object.assign(new Error(code), { code, statusCode: 415 }));
  });
  app.addHook("preValidation", refuseOddBody);
}

/** A hook for routes with a schema: a body that is left out is an empty object. */
export function mayLackBody(request: { body: unknown }, _reply: unknown, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

/**
 * A hook: a body that a route takes none of may be left out or be an object. Others are judged by
 * their schemas.
 */
function refuseOddBody(
  { body, routeOptions: { config, schema } }: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const isPerson = config.credentials?.some((one) => one === "Browser" || one === "Admin") === true;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isPerson || body === undefined || isObject || schema?.body !== undefined) done();
  else void reply.send(refuseWith(reply, 400, "The body must be a JSON object."));
}

function encodingFault(headers: IncomingHttpHeaders): string | null {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding !== "identity") return COMPRESSED_BODY;
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? "utf-8";
  return UTF8.includes(charset) ? null : FOREIGN_CHARSET;
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
