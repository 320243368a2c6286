// The HTTP side on one page.

import etag from "@fastify/etag";
import helmet from "@fastify/helmet";
import fastify, { LogController } from "fastify";
import type { FastifyReply, FastifyRequest } from "fastify";

import { indexRoutes } from "./api-index.ts";
import { decorateAuth } from "./auth.ts";
import { acceptJson } from "./body.ts";
import { botRoutes } from "./bot.ts";
import { answerClientError } from "./client-error.ts";
import type { ApiDeps, App } from "./deps.ts";
import { docsRoutes } from "./docs.ts";
import { answerError } from "./errors.ts";
import { keepFullAnswer, SECURITY_HEADERS, setAccessHeaders } from "./headers.ts";
import { leaderboardRoutes } from "./leaderboard.ts";
import { lobbyRoutes } from "./lobby.ts";
import { matchRoutes } from "./match.ts";
import { meRoutes } from "./me.ts";
import { registrationRoutes } from "./registration.ts";
import { replayRoutes } from "./replay.ts";
import { answerUnmatched, watchRoutes } from "./routes.ts";
import type { RouteTable } from "./routes.ts";
import { statusRoutes } from "./status.ts";
import { compileValidator } from "./validator.ts";

/** A label of 32 characters of four bytes each, percent-encoded, and room to spare. */
const PATH_PART_MAX = 512;
/** A whole request must have arrived after this time, its headers after the second. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;

/** The application, listening nowhere yet: more routes may be added before it is ready. */
export function buildApp(deps: ApiDeps): App {
  const app: App = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.limits.json_body_bytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: PATH_PART_MAX },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  const table = watchRoutes(app);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(answerError);
  app.register(helmet, SECURITY_HEADERS);
  // Hooks run in the order of their making: these come between those of the two plugins.
  app.after(() => {
    addHooks(app, table);
    app.register(etag);
    addRoutes(app, deps, table);
  });
  return app;
}

function addHooks(app: App, table: RouteTable): void {
  app.addHook("onRequest", setAccessHeaders);
  app.addHook("onRequest", async (request, reply) =>
    request.is404 ? answerUnmatched(table, request, reply) : undefined,
  );
  acceptJson(app);
  decorateAuth(app);
  app.addHook("onSend", keepFullAnswer);
  app.addHook("onResponse", logResponse);
}

function addRoutes(app: App, deps: ApiDeps, table: RouteTable): void {
  indexRoutes(app, deps, table);
  statusRoutes(app, deps);
  lobbyRoutes(app, deps);
  leaderboardRoutes(app, deps);
  matchRoutes(app, deps);
  botRoutes(app, deps);
  registrationRoutes(app, deps);
  meRoutes(app, deps);
  replayRoutes(app, deps);
  docsRoutes(app, deps);
}

/** By route, never by address: an address may hold a secret, or what a stranger wants logged. */
async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method, routeOptions } = request;
  const ms = Math.round(reply.elapsedTime);
  request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, "answered");
}
