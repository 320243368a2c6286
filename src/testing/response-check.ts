// Holds every answer of the HTTP side against the schema its route declares for that status.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import type { App } from "#api/deps.ts";
import { ErrorBodySchema } from "#protocol/resource-common.ts";

type Check = (value: unknown) => string[];

/** A JSON answer that its schema does not describe completely becomes a failed request. */
export function checkResponses(app: App): void {
  const checks = new Map<unknown, Check>();
  app.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || payload === "" || !isJson(reply)) return;
    const schema = declaredSchema(request, reply);
    const check = checks.getOrInsertComputed(schema, () => strictCheck(schema));
    const faults = check(JSON.parse(payload));
    if (faults.length === 0) return;
    throw new Error(`${request.method} ${request.url} ${reply.statusCode}: ${faults.join("; ")}`);
  });
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("application/json");
}

/** What is refused before any route is met has the common shape of errors. */
function declaredSchema(request: FastifyRequest, { statusCode }: FastifyReply): TSchema {
  if (statusCode >= 400) return ErrorBodySchema;
  const declared = request.routeOptions.schema?.response as Record<string, TSchema> | undefined;
  const schema = declared?.[statusCode];
  if (schema === undefined) throw new Error(`${request.url} declares no ${statusCode}`);
  return schema;
}

/** What keeps a value from being exactly of a schema, as lines; none when it is. */
export function strictCheck(schema: TSchema): Check {
  const compiled = Compile(closed(schema) as TSchema);
  return (value) => {
    if (compiled.Check(value)) return [];
    return compiled.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`);
  };
}

/** The same schema with no room for properties it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, value]) => [key, closed(value)] as const);
  const isOpen = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}
