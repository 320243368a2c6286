import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

import { errorCodes } from "fastify";
import type { FastifyReply, FastifyRequest } from "fastify";

import { invalidJsonText, parseJson } from "#base/util/parse-json.ts";

import type { App } from "./deps.ts";
import {
  COMPRESSED_BODY,
  UNSUPPORTED_CHARSET,
  INVALID_JSON_BODY,
  POISONED_BODY,
  refuseWithStatus,
} from "./errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = ["utf-8", "utf8"];

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Accepts JSON bodies only. Other types and encodings get 415. Invalid UTF-8 and keys that pollute
 * prototypes get 400. An empty body counts as missing, whatever its type.
 */
export function addJsonParser(app: App): void {
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
        if (text === null) return done(bodyError(UNSUPPORTED_CHARSET, 400));
        void parse(request, text, (error, value) => done(error && jsonError(text), value));
      }
    },
  );
  app.addContentTypeParser("*", refuseUnlessEmpty);
  app.addHook("onRequest", (request, _reply, done) => {
    // With a content type, Fastify would parse an empty body.
    if (hasNoBody(request.headers)) delete request.raw.headers["content-type"];
    const { isBodyUnread = false } = request.routeOptions.config;
    const code = isBodyUnread ? null : encodingError(request.headers);
    // Thrown instead of sent, because the identity provider formats this error differently.
    if (code === null) done();
    else done(bodyError(code, 415));
  });
  app.addHook("preValidation", refuseNonObjectBody);
}

/** Responds at the first byte. The rest of the body is discarded. */
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

/** A hook that treats a missing body as an empty object. For routes with a body schema. */
export function allowMissingBody(
  request: { body: unknown },
  _reply: unknown,
  done: () => void,
): void {
  if (request.body === undefined) request.body = {};
  done();
}

/**
 * A hook that requires the body to be missing or an object. Routes with a body schema validate it
 * instead.
 */
function refuseNonObjectBody(
  { body, routeOptions: { config, schema } }: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const isAccountRoute =
    config.credentials?.some((credential) => credential === "Browser" || credential === "Admin") ===
    true;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isAccountRoute || body === undefined || isObject || schema?.body !== undefined) done();
  else void reply.send(refuseWithStatus(reply, 400, "The body must be a JSON object."));
}

const hasNoBody = ({
  "content-length": length = "0",
  "transfer-encoding": transferEncoding,
}: IncomingHttpHeaders) => length === "0" && transferEncoding === undefined;

function encodingError(headers: IncomingHttpHeaders): string | null {
  if (hasNoBody(headers)) return null;
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding !== "identity") return COMPRESSED_BODY;
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? "utf-8";
  return UTF8.includes(charset) ? null : UNSUPPORTED_CHARSET;
}

/**
 * The parser reports invalid JSON and polluting keys as the same error. Parsing again tells them
 * apart.
 */
function jsonError(text: string): Error {
  const json = parseJson(text);
  if ("position" in json)
    return bodyError(INVALID_JSON_BODY, 400, `The body ${invalidJsonText(json.position)}.`);
  return bodyError(POISONED_BODY, 400);
}

/** Returns null if the bytes aren't UTF-8. */
function decode(utf8: TextDecoder, body: Buffer): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

const bodyError = (code: string, statusCode: number, message = code): Error =>
  Object.assign(new Error(message), { code, statusCode });
