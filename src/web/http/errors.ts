// Error responses. The body is always `{error, code?, account_url?}` and contains no internal
// details.

import { STATUS_CODES } from "node:http";

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";

import { ErrorBodySchema } from "#core/api/common-schemas.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE, splitRefusal } from "#core/protocol/errors.ts";
import type { StatusWithoutCode, HttpCode, HttpRefusal } from "#core/protocol/errors.ts";
import { requirementOf } from "#core/protocol/schema-requirement.ts";
import { validationIssues, UNKNOWN_FIELD } from "#core/protocol/validation-issues.ts";
import type { ValidationIssue } from "#core/protocol/validation-issues.ts";
import { isMissingReference, isStoreDown } from "#data/store/errors.ts";

import { QueueFullError } from "./read-queue.ts";

export const errorResponses = { "4xx": ErrorBodySchema, "5xx": ErrorBodySchema };

const RETRY_AFTER_S = 1;

/** Default challenge of a 401 response (RFC 6750, section 3). */
const CHALLENGE = "Bearer";
const INVALID_TOKEN_CHALLENGE = `${CHALLENGE} error="invalid_token"`;
const CHALLENGES: { [K in HttpCode]?: string } = {
  invalid_token: INVALID_TOKEN_CHALLENGE,
  invalid_session: INVALID_TOKEN_CHALLENGE,
};

/**
 * Sets the status of an error code and returns the body. `text` replaces the code's default text.
 */
export function refuseWithCode(
  reply: FastifyReply,
  refusal: HttpRefusal,
  text?: string,
): ErrorBody {
  const { code, status } = splitRefusal(refusal);
  if (status === 401) reply.header("WWW-Authenticate", CHALLENGES[code] ?? CHALLENGE);
  reply.code(status);
  return { error: text ?? ERROR_CATALOGUE[code].text, code };
}

/** Sets a status that has no error code and returns the body. */
export function refuseWithStatus(
  reply: FastifyReply,
  status: StatusWithoutCode,
  text: string,
): ErrorBody {
  reply.code(status);
  return { error: text };
}

export function refuseNotFound(
  reply: FastifyReply,
  resource:
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
  return refuseWithStatus(reply, 404, `There is no such ${resource}.`);
}

/**
 * Converts a thrown error into a response. Sets the status and returns the body. Handles invalid
 * input as well as internal errors.
 */
export function refuseError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorBody {
  if (error.validation !== undefined) return refuseInput(error, request, reply);
  const status = statusOf(error);
  const { bodyCode, unsupportedTypeText } = request.routeOptions.config;
  if (status === 416) reply.headers(contentRange(error));
  const customText =
    error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE" ? unsupportedTypeText : undefined;
  if (status === 400 && bodyCode !== undefined)
    return refuseWithCode(reply, bodyCode, textOf(error, status));
  if (status < 500) {
    reply.code(status);
    return { error: customText ?? textOf(error, status) };
  }
  if (error instanceof QueueFullError)
    return {
      ...refuseWithCode(withRetryAfter(reply), "rate_limited", TOO_MANY_PAGES),
      limit: PAGES_LIMIT,
    };
  if (isMissingReference(error)) {
    request.log.warn({ err: error }, "write refers to a deleted row");
    return refuseWithStatus(reply, 404, DELETED_REFERENCE);
  }
  request.log.error({ err: error }, "request failed");
  if (isStoreDown(error)) return refuseWithCode(withRetryAfter(reply), "store_unavailable");
  reply.code(500);
  return { error: textOf(error, 500) };
}

const DELETED_REFERENCE = "The resource that this request refers to was just deleted.";
const PAGES_LIMIT: keyof FixedLimits = "pages_waiting";
const TOO_MANY_PAGES = "Too many pages are being rendered for this address. Try again in a second.";

const withRetryAfter = (reply: FastifyReply) => reply.header("Retry-After", RETRY_AFTER_S);

/** Returns the Content-Range header for an unsatisfiable range (RFC 9110, section 15.5.17). */
const contentRange = (error: FastifyError & { headers?: Record<string, string> }) => ({
  "content-range": error.headers?.["Content-Range"],
});

function statusOf({ statusCode = 500 }: FastifyError): number {
  return statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}

export const POISONED_BODY = "BOUT_POISONED_BODY";
/** The error message contains the position of the syntax error. */
export const INVALID_JSON_BODY = "BOUT_INVALID_JSON_BODY";
export const COMPRESSED_BODY = "BOUT_COMPRESSED_BODY";
export const UNSUPPORTED_CHARSET = "BOUT_FOREIGN_CHARSET";

const ERROR_TEXTS: Record<string, string> = {
  [COMPRESSED_BODY]: "Compressed bodies are not accepted.",
  [UNSUPPORTED_CHARSET]: "The body must be in UTF-8.",
  [POISONED_BODY]: "The body has a forbidden key: __proto__ or constructor.prototype.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The body must be sent as Content-Type: application/json.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body's length doesn't match Content-Length.",
  FST_ERR_BAD_URL: "The URL isn't encoded correctly.",
};

function textOf(error: FastifyError, status: number): string {
  if (error.code === INVALID_JSON_BODY) return error.message;
  return ERROR_TEXTS[error.code] ?? `${STATUS_CODES[status]}.`;
}

/**
 * Refuses invalid input. Routes can give a field its own code and text in `fieldCodes` and
 * `fieldTexts`.
 */
function refuseInput(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ErrorBody {
  const { schema, config } = request.routeOptions;
  if (error.validationContext === "querystring") return refuseQuery(error, request, reply);
  const fieldErrors = validationIssues(schema?.body ?? {}, request.body);
  if (config.bodyCode !== undefined)
    return refuseWithCode(reply, config.bodyCode, fieldErrorsText(fieldErrors));
  const [fieldError] = fieldErrors;
  if (fieldError === undefined || fieldError.path === "")
    return refuseWithStatus(reply, 400, "The body must be a JSON object.");
  const { path, problem } = fieldError;
  if (problem === UNKNOWN_FIELD)
    return refuseWithStatus(reply, 400, `The field '${path}' ${problem}.`);
  const [field = ""] = path.split(/[.[]/);
  const code = config.fieldCodes?.[field];
  const isAbsent = (request.body as Record<string, unknown>)[field] === undefined;
  const customText = isAbsent ? undefined : config.fieldTexts?.[field];
  const text = customText ?? `The field '${path}' of the body ${problem}.`;
  if (code === undefined) return refuseWithStatus(reply, 400, text);
  return refuseWithCode(reply, code, isAbsent ? text : customText);
}

export function fieldErrorsText(fieldErrors: readonly ValidationIssue[]): string {
  const problems = fieldErrors.map(({ path, problem }) =>
    path === "" ? "the body must be a JSON object" : `'${path}' ${problem}`,
  );
  return `The request is invalid: ${problems.join("; ")}.`;
}

function refuseQuery(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ErrorBody {
  const field = firstField(error) ?? "";
  const query = request.query as Record<string, unknown>;
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as {
    properties?: Record<string, TSchema>;
  };
  const isRepeated = Array.isArray(query[field]);
  const fieldError = isRepeated
    ? "is given more than once"
    : requirementOf(properties[field], query[field]);
  return refuseWithStatus(reply, 400, `The query parameter '${field}' ${fieldError}.`);
}

function firstField({ validation }: FastifyError): string | null {
  const [first] = validation ?? [];
  const { requiredProperties } = (first?.params ?? {}) as { requiredProperties?: string[] };
  return requiredProperties?.[0] ?? first?.instancePath.split("/")[1] ?? null;
}
