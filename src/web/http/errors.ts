// How a request is refused: always `{error, code?, account_url?}`, never with anything internal.

import { STATUS_CODES } from "node:http";

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";

import { ERRORS, refusalParts } from "#core/protocol/errors.ts";
import type { BareStatus, HttpCode, HttpRefusal } from "#core/protocol/errors.ts";
import { faultsIn, SURPLUS } from "#core/protocol/faults.ts";
import type { PlacedFault } from "#core/protocol/faults.ts";
import { requirementOf } from "#core/protocol/requirement.ts";
import { ErrorBodySchema } from "#core/resources/common.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import { isMissingReference, isStoreDown } from "#data/store/errors.ts";

import { Crowded } from "./read-queue.ts";

/** What any route may answer instead of its resource. */
export const refusals = { "4xx": ErrorBodySchema, "5xx": ErrorBodySchema };

/** Seconds after which it makes sense to try again. */
const RETRY_AFTER_S = 1;

/** Sent to a client without a credential, or with an unknown one (RFC 6750, 3). */
const CHALLENGE = "Bearer";
const WRONG = `${CHALLENGE} error="invalid_token"`;
const CHALLENGE_OF: { [K in HttpCode]?: string } = { invalid_token: WRONG, invalid_session: WRONG };

/** Sets the status of a code and returns the body to send. `text` replaces the code's own text. */
export function refuse(reply: FastifyReply, refusal: HttpRefusal, text?: string): ErrorBody {
  const { code, status } = refusalParts(refusal);
  if (status === 401) reply.header("WWW-Authenticate", CHALLENGE_OF[code] ?? CHALLENGE);
  reply.code(status);
  return { error: text ?? ERRORS[code].text, code };
}

/** The same for a refusal without a code. */
export function refuseWith(reply: FastifyReply, status: BareStatus, text: string): ErrorBody {
  reply.code(status);
  return { error: text };
}

/** A 404 for a resource that the request names. */
export function missing(
  reply: FastifyReply,
  what:
    | "ladder"
    | "season"
    | "match"
    | "version"
    | "user"
    | "event"
    | "image"
    | "map"
    | "account"
    | "key"
    | "program"
    | "practice match"
    | "authorization"
    | "invitation"
    | "preset"
    | "announcement"
    | "incident"
    | "capture"
    | "audit entry",
) {
  return refuseWith(reply, 404, `There is no such ${what}.`);
}

/**
 * Says what is wrong by an error that was thrown: bad input found by the framework, or a fault of
 * ours. Sets the status and returns the body to send.
 */
export function refuseError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorBody {
  if (error.validation !== undefined) return refuseInput(error, request, reply);
  const status = statusOf(error);
  const { bodyCode, mediaText } = request.routeOptions.config;
  if (status === 416) reply.headers(rangeOf(error));
  const own = error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE" ? mediaText : undefined;
  if (status === 400 && bodyCode !== undefined)
    return refuse(reply, bodyCode, textOf(error, status));
  if (status < 500) {
    reply.code(status);
    return { error: own ?? textOf(error, status) };
  }
  if (error instanceof Crowded)
    return { ...refuse(retrying(reply), "rate_limited", CROWDED), limit: PAGES_LIMIT };
  if (isMissingReference(error)) {
    request.log.warn({ err: error }, "a write refers to a row that is gone");
    return refuseWith(reply, 404, GONE);
  }
  request.log.error({ err: error }, "request failed");
  if (isStoreDown(error)) return refuse(retrying(reply), "store_unavailable");
  reply.code(500);
  return { error: textOf(error, 500) };
}

const GONE = "What this request refers to was just deleted.";
const PAGES_LIMIT: keyof FixedLimits = "pages_waiting";
const CROWDED = "Too many pages for this address are being made. Try again in a second.";

const retrying = (reply: FastifyReply) => reply.header("Retry-After", RETRY_AFTER_S);

/** How long a file is that lacks the part that was asked for (RFC 9110, 15.5.17). */
const rangeOf = (error: FastifyError & { headers?: Record<string, string> }) => ({
  "content-range": error.headers?.["Content-Range"],
});

function statusOf({ statusCode = 500 }: FastifyError): number {
  return statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}

/** The code of the error for a body that JSON.parse accepts but nobody should. */
export const POISONED_BODY = "BOUT_POISONED_BODY";
/** The code of an error whose message says where the JSON of a body is wrong. */
export const INVALID_JSON_BODY = "BOUT_INVALID_JSON_BODY";
/** Those for bodies in another encoding. */
export const COMPRESSED_BODY = "BOUT_COMPRESSED_BODY";
export const FOREIGN_CHARSET = "BOUT_FOREIGN_CHARSET";

const TEXTS: Record<string, string> = {
  [COMPRESSED_BODY]: "A compressed body is not accepted.",
  [FOREIGN_CHARSET]: "The body must be in UTF-8.",
  [POISONED_BODY]:
    "The body has a key that changes prototypes: __proto__, or constructor.prototype.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The body must be sent as Content-Type: application/json.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as Content-Length says.",
  FST_ERR_BAD_URL: "The address is not well encoded.",
};

function textOf(error: FastifyError, status: number): string {
  if (error.code === INVALID_JSON_BODY) return error.message;
  return TEXTS[error.code] ?? `${STATUS_CODES[status]}.`;
}

/** A field may have its own code and text, listed in the route's `fieldCodes` and `fieldTexts`. */
function refuseInput(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ErrorBody {
  const { schema, config } = request.routeOptions;
  if (error.validationContext === "querystring") return refuseQuery(error, request, reply);
  const faults = faultsIn(schema?.body ?? {}, request.body);
  if (config.bodyCode !== undefined) return refuse(reply, config.bodyCode, faultsText(faults));
  const [fault] = faults;
  if (fault === undefined || fault.path === "")
    return refuseWith(reply, 400, "The body must be a JSON object.");
  const { path, problem } = fault;
  if (problem === SURPLUS) return refuseWith(reply, 400, `The field '${path}' ${problem}.`);
  const [field = ""] = path.split(/[.[]/);
  const code = config.fieldCodes?.[field];
  const isAbsent = (request.body as Record<string, unknown>)[field] === undefined;
  const own = isAbsent ? undefined : config.fieldTexts?.[field];
  const text = own ?? `The field '${path}' of the body ${problem}.`;
  if (code === undefined) return refuseWith(reply, 400, text);
  return refuse(reply, code, isAbsent ? text : own);
}

/** All that is wrong with a body, as one sentence. */
export function faultsText(faults: readonly PlacedFault[]): string {
  const words = faults.map(({ path, problem }) =>
    path === "" ? "the body must be a JSON object" : `'${path}' ${problem}`,
  );
  return `Of what was sent, ${words.join("; ")}.`;
}

function refuseQuery(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ErrorBody {
  const field = firstField(error) ?? "";
  const query = request.query as Record<string, unknown>;
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as {
    properties?: Record<string, TSchema>;
  };
  const isRepeated = Array.isArray(query[field]);
  const fault = isRepeated
    ? "is given more than once"
    : requirementOf(properties[field], query[field]);
  return refuseWith(reply, 400, `The query parameter '${field}' ${fault}.`);
}

function firstField({ validation }: FastifyError): string | null {
  const [first] = validation ?? [];
  const { requiredProperties } = (first?.params ?? {}) as { requiredProperties?: string[] };
  return requiredProperties?.[0] ?? first?.instancePath.split("/")[1] ?? null;
}
