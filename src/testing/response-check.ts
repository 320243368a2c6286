// Holds every request and every answer of the HTTP side against the contract at /openapi.json.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import type { App } from "#http/deps.ts";
import { ErrorBodySchema } from "#resources/common.ts";

import { openContract } from "./contract.ts";
import type { OpenContract, Operation } from "./contract.ts";

type Check = (value: unknown) => string[];

const CONTRACT = "/openapi.json";

/** An exchange that the contract does not describe completely becomes a failed request. */
export function checkResponses(app: App): void {
  let contract: Promise<OpenContract> | null = null;
  app.addHook("onSend", async (request, reply, payload) => {
    if (request.url === CONTRACT) return;
    contract ??= app.inject(CONTRACT).then((answer) => openContract(answer.json()));
    const faults = faultsOf(await contract, request, reply, payload);
    if (faults.length === 0) return;
    throw new Error(`${request.method} ${request.url} ${reply.statusCode}: ${faults.join("; ")}`);
  });
}

function faultsOf(
  contract: OpenContract,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): string[] {
  const { url: route } = request.routeOptions;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const operation = route === undefined ? null : contract.operation(method, templateOf(route));
  // Addresses with a slash too many, or of a former name, lead on and have no body.
  if (LEADS_ON.includes(reply.statusCode)) return [];
  // What is refused before any route is met has the common shape of errors.
  if (request.is404 || isHtml(reply)) return payload ? errorFaults(reply, payload) : [];
  if (operation === null) {
    if (reply.statusCode >= 400 && payload) return errorFaults(reply, payload);
    return isData(reply) ? ["the contract does not know this operation"] : [];
  }
  return [
    ...answerFaults(operation, reply, payload),
    ...(reply.statusCode < 400 ? requestFaults(operation, request) : []),
  ];
}

const LEADS_ON = [301, 308];

const templateOf = (route: string): string =>
  route.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}");

const typeOf = (reply: FastifyReply): string =>
  String(reply.getHeader("content-type")).split(";", 1)[0];

/** Styles, scripts and pictures of the site are files, and no operation. */
const isData = (reply: FastifyReply): boolean => typeOf(reply) === "application/json";

/** Pages for people are no part of the contract. */
const isHtml = (reply: FastifyReply): boolean => typeOf(reply) === "text/html";

const errorCheck = strictCheck(ErrorBodySchema);

function errorFaults(reply: FastifyReply, payload: unknown): string[] {
  return isHtml(reply) ? [] : errorCheck(JSON.parse(payload as string));
}

function answerFaults(operation: Operation, reply: FastifyReply, payload: unknown): string[] {
  const { statusCode } = reply;
  const answer = operation.answer(statusCode);
  if (answer === null) return [`the contract does not know ${statusCode} here`];
  // Of a HEAD that is answered 304 the framework has yet to take the body away.
  if (payload === undefined || payload === null || payload === "" || statusCode === 304) return [];
  const type = typeOf(reply);
  const schema = answer.content[type];
  if (schema === undefined) return [`the contract does not know ${type} for ${statusCode}`];
  if (!isData(reply)) return [];
  const value: unknown = JSON.parse(payload as string);
  const { code } = value as { code?: string };
  const isKnown = statusCode < 400 || code === undefined || answer.codes.includes(code);
  const unknown = isKnown ? [] : [`the contract does not name the code ${code}`];
  return [...unknown, ...checkOf(schema)(value)];
}

/** What was let in keeps to the parameters and the body of the contract. */
function requestFaults(operation: Operation, request: FastifyRequest): string[] {
  const query = Object.fromEntries(new URL(request.url, "http://x").searchParams);
  const params = request.params as Record<string, string>;
  const given = { path: { ...params, path: params["*"] }, query } as const;
  const parameters = operation.parameters.flatMap(({ name, place, required, schema }) => {
    const value = (given[place] as Record<string, string | undefined>)[name];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    const { type } = schema as { type?: string };
    return checkOf(schema)(type === "integer" || type === "number" ? Number(value) : value);
  });
  const { body } = operation;
  return body === null ? parameters : [...parameters, ...looseCheck(body)(request.body)];
}

const checks = new WeakMap<TSchema, Check>();
const looseChecks = new WeakMap<TSchema, Check>();

function checkOf(schema: TSchema): Check {
  return checks.getOrInsertComputed(schema, () => strictCheck(schema));
}

/** Fields that a body may carry are not all named. */
function looseCheck(schema: TSchema): Check {
  return looseChecks.getOrInsertComputed(schema, () => compiledCheck(schema));
}

/** What keeps a value from being exactly of a schema, as lines; none when it is. */
export function strictCheck(schema: TSchema): Check {
  return compiledCheck(closed(schema) as TSchema);
}

function compiledCheck(schema: TSchema): Check {
  const compiled = Compile(schema);
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
