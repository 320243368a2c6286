import { Type } from "typebox";

import { ACCOUNT_REFUSALS, ADMIN_REFUSALS, BOT_REFUSALS } from "#core/accounts/authentication.ts";
import { ErrorBodySchema } from "#core/api/common-schemas.ts";
import { ERROR_CATALOGUE, splitRefusal } from "#core/protocol/errors.ts";
import type { HttpCode } from "#core/protocol/errors.ts";

import { tagOf } from "./api-section.ts";
import type { ApiSection } from "./api-section.ts";
import type { Credential } from "./credentials.ts";
import type { JsonSchema } from "./json-schema.ts";
import { absoluteLinks } from "./links.ts";
import type { ContractSchemas } from "./openapi-schemas.ts";
import type { Operation } from "./operation.ts";
import { pascal } from "./schema-titles.ts";

const STATUS_TEXTS: Record<number, string> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted for later processing.",
  304: "Not modified since the response whose ETag is in `If-None-Match`.",
  400: "A parameter, the address or the body is malformed.",
  404: "The resource named by the address or a parameter doesn't exist.",
  413: "The body is too large.",
  414: "A path segment is longer than any name can be.",
  415: "The body is not uncompressed JSON in UTF-8.",
  429: "A rate limit was exceeded.",
  500: "Internal server error.",
};

const BARE_TEXTS: Record<number, string> = {
  403: "The caller isn't allowed to do this.",
  409: "The current state doesn't allow this.",
  503: "A required service is currently unavailable.",
};

export function describeOperation(
  operation: Operation,
  section: ApiSection | undefined,
  schemas: ContractSchemas,
  baseUrl: string,
): JsonSchema {
  const { id, summary, schema } = operation;
  return {
    operationId: id,
    summary: summary,
    description: section ? absoluteLinks(section.description, section.page, baseUrl) : summary,
    ...(section && { tags: [tagOf(section.page)] }),
    security: securityOf(operation),
    ...(hasInput(operation) && { parameters: parametersOf(operation, schemas) }),
    ...(schema.body !== undefined && {
      requestBody: {
        required: needsBody(operation),
        content: contentOf(
          ["application/json"],
          schemas.schemaFor(schema.body, `${pascal(id)}Request`),
          section?.request,
        ),
      },
    }),
    ...(operation.bodyTypes.length > 0 && { requestBody: fileBody(operation) }),
    responses: {
      ...errorResponsesOf(operation, schemas),
      ...declaredResponses(operation, section, schemas),
    },
  };
}

const fileBody = ({ bodyTypes }: Operation): JsonSchema => ({
  required: true,
  content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: fileSchema(type) }])),
});

/** Operator routes accept a missing body if no field is required. */
function needsBody({ credentials, schema }: Operation): boolean {
  const { required = [] } = schema.body as { required?: readonly string[] };
  return required.length > 0 || !credentials.includes("Admin");
}

function securityOf({ credentials, alsoRequires }: Operation): object[] {
  return credentials.map((name) => ({
    ...(name !== "none" && { [name]: [] }),
    ...(alsoRequires !== null && { [alsoRequires]: [] }),
  }));
}

function hasInput({ schema }: Operation): boolean {
  return schema.params !== undefined || schema.querystring !== undefined;
}

const PARAMETER_LOCATIONS = { params: "path", querystring: "query", headers: "header" } as const;

type Properties = { properties?: Record<string, JsonSchema>; required?: readonly string[] };

function parametersOf({ id, schema }: Operation, schemas: ContractSchemas): JsonSchema[] {
  return (["params", "querystring", "headers"] as const).flatMap((part) => {
    const { properties = {}, required = [] } = (schema[part] ?? {}) as Properties;
    return Object.entries(properties).map(([name, { description, ...value }]) => ({
      name: name === "*" ? "path" : name,
      in: PARAMETER_LOCATIONS[part],
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: schemas.schemaFor(value, pascal(`${id} ${name}`)),
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

const fileSchema = (type: string): JsonSchema =>
  TEXT_TYPE.test(type) ? { type: "string" } : { type: "string", format: "binary" };

const titleOf = (id: string, status: number): string =>
  `${pascal(id)}Response${status < 300 ? "" : status}`;

function declaredResponses(
  { id, method, schema, types, credentials }: Operation,
  section: ApiSection | undefined,
  schemas: ContractSchemas,
): JsonSchema {
  const declared = Object.entries(schema.response).filter(([status]) => /^\d+$/.test(status));
  const isCacheable = method === "GET" && credentials.length === 0;
  const entries = declared.map(([status, body]) => {
    const number = Number(status);
    const hasTag = isCacheable && number < 400;
    const headers = hasTag ? { headers: { ETag: ETAG_HEADER } } : {};
    const content = contentOf(
      types,
      schemas.schemaFor(body, titleOf(id, number)),
      section?.response,
    );
    const description = STATUS_TEXTS[number] ?? BARE_TEXTS[number];
    return [status, { description, ...headers, content }];
  });
  const unchanged = isCacheable ? { 304: { description: STATUS_TEXTS[304] } } : {};
  return { ...(Object.fromEntries(entries) as JsonSchema), ...unchanged };
}

const ETAG_HEADER = {
  description: "Send it back as `If-None-Match`.",
  schema: { type: "string" },
};
const RETRY_SECONDS = Type.Integer({ minimum: 1 });
const RETRYABLE_STATUSES = [429, 503];

function errorResponsesOf(operation: Operation, schemas: ContractSchemas): JsonSchema {
  const responses = [...codesByStatus(operation)].map(([status, codes]) => {
    const schema = schemas.schemaFor(ErrorBodySchema, "ApiError");
    const retry = {
      description: "Seconds to wait.",
      schema: schemas.schemaFor(RETRY_SECONDS, "RetryAfter"),
    };
    const examples =
      codes.length === 0 ? {} : { examples: Object.fromEntries(codes.map(exampleOf)) };
    const response = {
      description: statusText(operation, status) ?? reasonsOf(operation, status, codes),
      ...(RETRYABLE_STATUSES.includes(status) && { headers: { "Retry-After": retry } }),
      content: { "application/json": { schema, ...examples } },
    };
    return [String(status), response] as const;
  });
  return Object.fromEntries(responses);
}

const WRONG_FILE_TYPE = "The body has an unsupported type, or doesn't match its declared type.";

const statusText = ({ bodyTypes }: Operation, status: number): string | undefined =>
  status === 415 && bodyTypes.length > 0 ? WRONG_FILE_TYPE : STATUS_TEXTS[status];

function reasonsOf(
  { errorCodes, credentials }: Operation,
  status: number,
  codes: readonly HttpCode[],
): string {
  const isPrivate = credentials.some((refusal) => refusal === "Browser" || refusal === "Admin");
  const isBare = errorCodes.some((refusal) => refusal === status) || (isPrivate && status === 403);
  const texts = codes.map((code) => ERROR_CATALOGUE[code].text);
  return (isBare ? [BARE_TEXTS[status], ...texts] : texts).join(" ");
}

function exampleOf(code: HttpCode): [HttpCode, object] {
  return [code, { value: { error: ERROR_CATALOGUE[code].text, code } }];
}

function codesByStatus(operation: Operation): Map<number, HttpCode[]> {
  const { schema, errorCodes, credentials, method } = operation;
  const accepts = (credential: Credential) => credentials.includes(credential);
  const operationErrors = [
    ...(hasInput(operation) || method !== "GET" ? [400] : []),
    ...(accepts("BotBearer") ? BOT_REFUSALS : []),
    ...(accepts("Browser") ? ([...ACCOUNT_REFUSALS, 403] as const) : []),
    ...(accepts("Admin") ? ([...ADMIN_REFUSALS, 403] as const) : []),
    ...errorCodes,
    ...(schema.params === undefined ? [] : [414]),
    ...(method === "GET" ? [] : [413, 415]),
    "rate_limited" as const,
    500,
    "store_unavailable" as const,
  ];
  const byStatus = new Map<number, HttpCode[]>();
  const codesOf = (status: number) => byStatus.getOrInsertComputed(status, () => []);
  for (const refusal of operationErrors) {
    if (typeof refusal === "number") {
      codesOf(refusal);
    } else {
      const { code, status } = splitRefusal(refusal);
      codesOf(status).push(code);
    }
  }
  return byStatus;
}
