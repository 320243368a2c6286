// One operation as shown in the contract.

import { Type } from "typebox";

import { ACCOUNT_REFUSALS, ADMIN_REFUSALS, BOT_REFUSALS } from "#core/accounts/asker.ts";
import { ERRORS, refusalParts } from "#core/protocol/errors.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { ErrorBodySchema } from "#core/resources/common.ts";

import type { ApiSection } from "./api-section.ts";
import type { Credential } from "./credentials.ts";
import type { JsonSchema } from "./json-schema.ts";
import { absoluteLinks } from "./links.ts";
import type { ContractSchemas } from "./openapi-schemas.ts";
import type { Operation } from "./operation.ts";
import { pascal } from "./schema-titles.ts";
import { tagOf } from "./tags.ts";

const STATUS_TEXTS: Record<number, string> = {
  200: "The answer.",
  201: "Made.",
  202: "Noted. It happens later.",
  304: "Not changed since the answer whose ETag `If-None-Match` names.",
  400: "A parameter, the address or the body is malformed.",
  404: "What the address or a parameter names does not exist.",
  413: "The body is too large.",
  414: "A part of the path is longer than any name can be.",
  415: "The body is not uncompressed JSON in UTF-8.",
  429: "A limit is used up.",
  500: "A fault of the server.",
};

/** Texts for operations that refuse with a bare status, where a code would say more. */
const BARE_TEXTS: Record<number, string> = {
  403: "Whoever asks may not do this.",
  409: "As things stand this cannot be done.",
  503: "Something that this needs is not to be had just now.",
};

export function describeOperation(
  operation: Operation,
  section: ApiSection | undefined,
  schemas: ContractSchemas,
  baseUrl: string,
): JsonSchema {
  const { id, about, path, schema } = operation;
  return {
    operationId: id,
    summary: about,
    description: absoluteLinks(section?.about ?? about, "api", baseUrl),
    tags: [tagOf(path)],
    security: securityOf(operation),
    ...(hasInput(operation) && { parameters: parametersOf(operation, schemas) }),
    ...(schema.body !== undefined && {
      requestBody: {
        required: needsBody(operation),
        content: contentOf(
          ["application/json"],
          schemas.of(schema.body, `${pascal(id)}Request`),
          section?.request,
        ),
      },
    }),
    ...(operation.takes.length > 0 && { requestBody: fileBody(operation) }),
    responses: {
      ...badResponses(operation, schemas),
      ...declaredResponses(operation, section, schemas),
    },
  };
}

const fileBody = ({ takes }: Operation): JsonSchema => ({
  required: true,
  content: Object.fromEntries(takes.map((type) => [type, { schema: fileSchema(type) }])),
});

/** Operators may leave a body out in which nothing is needed. */
function needsBody({ credentials, schema }: Operation): boolean {
  const { required = [] } = schema.body as { required?: readonly string[] };
  return required.length > 0 || !credentials.includes("Admin");
}

function securityOf({ credentials, needsToo }: Operation): object[] {
  return credentials.map((name) => ({
    ...(name !== "none" && { [name]: [] }),
    ...(needsToo !== null && { [needsToo]: [] }),
  }));
}

function hasInput({ schema }: Operation): boolean {
  return schema.params !== undefined || schema.querystring !== undefined;
}

const PLACES = { params: "path", querystring: "query", headers: "header" } as const;

type Properties = { properties?: Record<string, JsonSchema>; required?: readonly string[] };

function parametersOf({ id, schema }: Operation, schemas: ContractSchemas): JsonSchema[] {
  return (["params", "querystring", "headers"] as const).flatMap((part) => {
    const { properties = {}, required = [] } = (schema[part] ?? {}) as Properties;
    return Object.entries(properties).map(([name, { description, ...value }]) => ({
      name: name === "*" ? "path" : name,
      in: PLACES[part],
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: schemas.of(value, pascal(`${id} ${name}`)),
    }));
  });
}

function contentOf(types: readonly string[], schema: JsonSchema, example?: unknown): JsonSchema {
  const hasExample = (type: string) => type === "application/json" && example !== undefined;
  return Object.fromEntries(
    types.map((type) => [
      type,
      type === "application/json"
        ? { schema, ...(hasExample(type) && { example }) }
        : { schema: fileSchema(type) },
    ]),
  );
}

const TEXT_TYPE = /^text\/|^application\/xml$|\+xml$/;

/** The body of a file: text as a string, all others as bytes. */
const fileSchema = (type: string): JsonSchema =>
  TEXT_TYPE.test(type) ? { type: "string" } : { type: "string", format: "binary" };

const titleOf = (id: string, status: number): string =>
  `${pascal(id)}Response${status < 300 ? "" : status}`;

/** Those that the route itself describes. */
function declaredResponses(
  { id, method, schema, types, credentials }: Operation,
  section: ApiSection | undefined,
  schemas: ContractSchemas,
): JsonSchema {
  const declared = Object.entries(schema.response).filter(([status]) => /^\d+$/.test(status));
  const isCacheable = method === "GET" && credentials.length === 0;
  const good = declared.map(([status, body]) => {
    const number = Number(status);
    const hasTag = isCacheable && number < 400;
    const headers = hasTag ? { headers: { ETag: ETAG_HEADER } } : {};
    const content = contentOf(types, schemas.of(body, titleOf(id, number)), section?.answer);
    const description = STATUS_TEXTS[number] ?? BARE_TEXTS[number];
    return [status, { description, ...headers, content }];
  });
  const unchanged = isCacheable ? { 304: { description: STATUS_TEXTS[304] } } : {};
  return { ...(Object.fromEntries(good) as JsonSchema), ...unchanged };
}

const ETAG_HEADER = {
  description: "Send it back as `If-None-Match`.",
  schema: { type: "string" },
};
const RETRY_SECONDS = Type.Integer({ minimum: 1 });
const WAITING = [429, 503];

function badResponses(operation: Operation, schemas: ContractSchemas): JsonSchema {
  const responses = [...codesByStatus(operation)].map(([status, own]) => {
    const schema = schemas.of(ErrorBodySchema, "ApiError");
    const retry = {
      description: "Seconds to wait.",
      schema: schemas.of(RETRY_SECONDS, "RetryAfter"),
    };
    const examples = own.length === 0 ? {} : { examples: Object.fromEntries(own.map(exampleOf)) };
    const response = {
      description: textOf(operation, status) ?? reasonsOf(operation, status, own),
      ...(WAITING.includes(status) && { headers: { "Retry-After": retry } }),
      content: { "application/json": { schema, ...examples } },
    };
    return [String(status), response] as const;
  });
  return Object.fromEntries(responses);
}

const OTHER_FILE = "The body is of another type, or not of the one that it says.";

const textOf = ({ takes }: Operation, status: number): string | undefined =>
  status === 415 && takes.length > 0 ? OTHER_FILE : STATUS_TEXTS[status];

function reasonsOf(
  { refuses, credentials }: Operation,
  status: number,
  codes: readonly HttpCode[],
): string {
  const isPrivate = credentials.some((one) => one === "Browser" || one === "Admin");
  const isBare = refuses.some((one) => one === status) || (isPrivate && status === 403);
  const texts = codes.map((code) => ERRORS[code].text);
  return (isBare ? [BARE_TEXTS[status], ...texts] : texts).join(" ");
}

function exampleOf(code: HttpCode): [HttpCode, object] {
  return [code, { value: { error: ERRORS[code].text, code } }];
}

/** Every status of the operation's refusals, with its codes. */
function codesByStatus(operation: Operation): Map<number, HttpCode[]> {
  const { schema, refuses, credentials, method } = operation;
  const takes = (credential: Credential) => credentials.includes(credential);
  const named = [
    ...(hasInput(operation) || method !== "GET" ? [400] : []),
    ...(takes("BotBearer") ? BOT_REFUSALS : []),
    ...(takes("Browser") ? ([...ACCOUNT_REFUSALS, 403] as const) : []),
    ...(takes("Admin") ? ([...ADMIN_REFUSALS, 403] as const) : []),
    ...refuses,
    ...(schema.params === undefined ? [] : [414]),
    ...(method === "GET" ? [] : [413, 415]),
    "rate_limited" as const,
    500,
    "store_unavailable" as const,
  ];
  const byStatus = new Map<number, HttpCode[]>();
  const codesOf = (status: number) => byStatus.getOrInsertComputed(status, () => []);
  for (const one of named) {
    if (typeof one === "number") {
      codesOf(one);
    } else {
      const { code, status } = refusalParts(one);
      codesOf(status).push(code);
    }
  }
  return byStatus;
}
