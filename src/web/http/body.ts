// Request bodies: JSON in UTF-8, or none at all.

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

import { errorCodes } from "fastify";
import type { FastifyReply, FastifyRequest } from "fastify";

import { notJson, parseJson } from "#base/units/json-text.ts";

import type { App } from "./deps.ts";
import {
  COMPRESSED_BODY,
  FOREIGN_CHARSET,
  INVALID_JSON_BODY,
  POISONED_BODY,
  refuseWith,
} from "./errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = ["utf-8", "utf8"];

type Done = (error: Error | null, body?: unknown) => void;

/**
 * A body of any other type or encoding gets 415; bad UTF-8 and keys that pollute prototypes get
 * 400. An empty body counts as none, whatever its type.
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
        if (text === null) return done(failure(FOREIGN_CHARSET, 400));
        void parse(request, text, (error, value) => done(error && nearerFault(text), value));
      }
    },
  );
  app.addContentTypeParser("*", refuseUnlessEmpty);
  app.addHook("onRequest", (request, _reply, done) => {
    // Fastify would parse an empty body of a request that has a content type.
    if (hasNoBody(request.headers)) delete request.raw.headers["content-type"];
    const { isBodyUnread = false } = request.routeOptions.config;
    const code = isBodyUnread ? null : encodingFault(request.headers);
    // Thrown, because the identity provider has a shape of its own for it.
    if (code === null) done();
    else done(failure(code, 415));
  });
  app.addHook("preValidation", refuseOddBody);
}

/** Answers at the first byte; the rest is read and dropped. */
function refuseUnlessEmpty({ is404 }: FastifyRequest, payload: Readable, done: Done): void {
  let isDecided = false;
  const decide = (error: Error | null) => {
    if (!isDecided) done(error);
    isDecided = true;
  };
  payload.once("data", () =>
    decide(is404 ? null : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  );
  payload.once("end", () => decide(null)).once("error", decide);
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

const hasNoBody = ({
  "content-length": length = "0",
  "transfer-encoding": chunked,
}: IncomingHttpHeaders) => length === "0" && chunked === undefined;

function encodingFault(headers: IncomingHttpHeaders): string | null {
  if (hasNoBody(headers)) return null;
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding !== "identity") return COMPRESSED_BODY;
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? "utf-8";
  return UTF8.includes(charset) ? null : FOREIGN_CHARSET;
}

/**
 * The parser reports invalid JSON and keys that pollute prototypes alike; this tells them apart.
 */
function nearerFault(text: string): Error {
  const json = parseJson(text);
  if ("place" in json) return failure(INVALID_JSON_BODY, 400, `The body ${notJson(json.place)}.`);
  return failure(POISONED_BODY, 400);
}

/** Null for bytes that are not UTF-8. */
function decode(utf8: TextDecoder, body: Buffer): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

const failure = (code: string, statusCode: number, message = code): Error =>
  Object.assign(new Error(message), { code, statusCode });
