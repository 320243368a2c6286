import fastify, { LogController } from "fastify";
import type { FastifyReply, FastifyRequest } from "fastify";

import { accountBotRoutes } from "#web/account/account-bot.ts";
import { accountDeletionRoutes } from "#web/account/account-deletion.ts";
import { accountRoutes } from "#web/account/account.ts";
import { accountsDisabledRoutes } from "#web/account/accounts-disabled.ts";
import { agentKeyRoutes } from "#web/account/agent-key.ts";
import { connectedAppRoutes } from "#web/account/connected-apps.ts";
import { starRoutes } from "#web/account/starred-matches.ts";
import { unsubscribeRoutes } from "#web/account/unsubscribe.ts";
import { adminAccountRoutes } from "#web/admin/admin-account.ts";
import { adminAnnouncementRoutes } from "#web/admin/admin-announcements.ts";
import { analyticsRoutes } from "#web/admin/analytics.ts";
import { moderationRoutes } from "#web/admin/bot-moderation.ts";
import { emailRoutes } from "#web/admin/emails.ts";
import { healthRoutes } from "#web/admin/health.ts";
import { overviewRoutes } from "#web/admin/overview.ts";
import { ownerRoutes } from "#web/admin/owner-keys.ts";
import { profilingRoutes } from "#web/admin/profiling.ts";
import { trimRoutes } from "#web/admin/replay-trimming.ts";
import { settingsRoutes } from "#web/admin/settings.ts";
import { signUpRoutes } from "#web/admin/unconfirmed-sign-ups.ts";
import { usageRoutes } from "#web/admin/usage.ts";
import { decorateAuth } from "#web/auth/auth-hooks.ts";
import { recordRoutes } from "#web/bots/bot-record.ts";
import { styleRoutes } from "#web/bots/bot-style.ts";
import { botRoutes } from "#web/bots/bot.ts";
import { compareRoutes } from "#web/bots/compare-versions.ts";
import { ratingRoutes } from "#web/bots/rating-history.ts";
import { changelogRoutes } from "#web/docs/changelog.ts";
import { discoveryRoutes } from "#web/docs/discovery-routes.ts";
import { docsRoutes } from "#web/docs/docs.ts";
import { downloadRoutes } from "#web/docs/download.ts";
import { adminEventRoutes } from "#web/events/admin-event.ts";
import { accountEventRoutes } from "#web/events/event-progress-routes.ts";
import { eventRoutes } from "#web/events/event.ts";
import { addJsonParser } from "#web/http/body.ts";
import { handleClientError } from "#web/http/client-error.ts";
import { compressConstants } from "#web/http/compression.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { errorHandler } from "#web/http/error-handler.ts";
import { replyIfUnchanged } from "#web/http/etag.ts";
import {
  allowProvider,
  strictTransportSecurity,
  setHeaders,
  setNotFoundHeaders,
} from "#web/http/headers.ts";
import {
  limitPipelining,
  closeUnreadBodies,
  refuseExpectation,
  refuseMissingHost,
} from "#web/http/malformed-requests.ts";
import { rateLimitHook } from "#web/http/rate-limit.ts";
import { openRequestQueue } from "#web/http/read-queue.ts";
import { timeRequests } from "#web/http/request-times.ts";
import { handleUnmatched, redirectToCanonical, trackRoutes } from "#web/http/route-table.ts";
import type { RouteTable } from "#web/http/route-table.ts";
import { serverOptions } from "#web/http/server-options.ts";
import { compileValidator } from "#web/http/validator.ts";
import { accountLadderRoutes } from "#web/ladders/account-ladder.ts";
import { adminLadderRoutes } from "#web/ladders/admin-ladder.ts";
import { archiveRoutes } from "#web/ladders/ladder-archive.ts";
import { openLadderMutex } from "#web/ladders/ladder-mutex.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";
import { pinEmbeddedReplays } from "#web/pages/embedded-replays.ts";
import { openPublicApi, requestInternally } from "#web/pages/page-data.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";
import type { Pages } from "#web/pages/pages.ts";
import { auditRoutes } from "#web/reports/audit.ts";
import { eventReportRoutes } from "#web/reports/event-reports.ts";
import { ladderReportRoutes } from "#web/reports/ladder-reports.ts";

import { indexRoutes } from "./api-index.ts";
import { healthzRoutes } from "./healthz.ts";
import { ladderResultRoutes } from "./ladder-results.ts";
import { ladderRoutes } from "./ladder.ts";
import { leaderboardRoutes } from "./leaderboard.ts";
import { lobbyRoutes } from "./lobby.ts";
import { matchRoutes } from "./match.ts";
import { meRoutes } from "./me.ts";
import type { MeDeps } from "./me.ts";
import { announcementRoutes } from "./notices.ts";
import { practiceRoutes } from "./practice.ts";
import { registrationRoutes } from "./registration.ts";
import { replayRoutes } from "./replay.ts";
import { searchRoutes } from "./search.ts";
import { seasonMatchupRoutes } from "./season-matchups.ts";
import { seasonResultRoutes } from "./season-results.ts";
import { seasonRoutes } from "./season.ts";
import { openStandings } from "./standings-entries.ts";
import { standingsRoutes } from "./standings.ts";
import { statusRoutes } from "./status.ts";
import { userRoutes } from "./user.ts";

const VERBOSE_LEVELS = ["trace", "debug"];

/** Builds the app without listening. Callers may add routes until the app is ready. */
export function buildApp(deps: ApiDeps): App {
  const limits = deps.limits();
  const nodeOptions = serverOptions(limits);
  const handleError = errorHandler((reason) => pages.errorPage(reason));
  const app: App = fastify({
    loggerInstance: deps.log,
    // All requests share one logger, because log lines don't identify requests.
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.json_body_bytes,
    requestTimeout: nodeOptions.requestTimeout,
    keepAliveTimeout: nodeOptions.keepAliveTimeout,
    http: nodeOptions,
    routerOptions: { maxParamLength: limits.path_part_chars },
    clientErrorHandler: handleClientError,
    // Fastify raises these errors before any hook runs.
    frameworkErrors: (error, request, reply) =>
      setHeaders(request, reply, () => void handleError(error, request, reply)),
  });
  app.server.on("checkExpectation", refuseExpectation);
  const table = trackRoutes(app);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(handleError);
  const now = () => deps.clock().getTime();
  const pages = openPages(deps.site, { ...deps, api: openPublicApi(app), now }, deps.cache);
  addHooks(app, deps, table, pages);
  // Deferred, so that the caller can add an `onRoute` hook first.
  app.after(() => addRoutes(app, deps, table, pages));
  return app;
}

/**
 * Adds the hooks that run for every request. They use callbacks, which are faster than promises.
 */
function addHooks(
  app: App,
  deps: ApiDeps,
  table: RouteTable,
  { notFoundPage, errorPage }: Pages,
): void {
  const { accounts, admission, limits, log, settings } = deps;
  app.addHook("onRequest", limitPipelining(limits().pipelined_requests));
  app.addHook("onRequest", setHeaders);
  const tlsHook = strictTransportSecurity(settings.baseUrl);
  if (tlsHook !== null) app.addHook("onRequest", tlsHook);
  if (accounts !== null)
    app.addHook("onRequest", allowProvider(accounts.provider, settings.baseUrl));
  if (admission !== null)
    app.addHook(
      "onRequest",
      rateLimitHook(admission, () => errorPage("busy")),
    );
  app.addHook("onRequest", refuseMissingHost);
  const enqueue = openRequestQueue();
  app.addHook("onRequest", (_request, _reply, done) => enqueue(done));
  app.addHook("onRequest", (request, reply, done) => {
    if (redirectToCanonical(table, request, reply)) return;
    if (request.is404) handleUnmatched(table, notFoundPage, request, reply);
    else done();
  });
  // Also handles missing files, whose path does match a route.
  app.setNotFoundHandler((request, reply) => handleUnmatched(table, notFoundPage, request, reply));
  addJsonParser(app);
  decorateAuth(app);
  const { requests } = deps.metrics;
  app.addHook("onSend", (_request, reply, payload, done) => {
    requests.countError(reply, payload);
    done(null, payload);
  });
  app.addHook("onSend", closeUnreadBodies(limits().json_body_bytes));
  app.addHook("onSend", setNotFoundHeaders);
  app.addHook("onSend", replyIfUnchanged);
  app.addHook("onSend", compressConstants());
  app.addHook("onResponse", (request, reply, done) => {
    requests.count(request, reply);
    done();
  });
  app.addHook("onResponse", pinEmbeddedReplays(deps));
  if (deps.profiling !== null) app.addHook("onResponse", timeRequests(deps.profiling.record));
  if (VERBOSE_LEVELS.includes(log.level)) app.addHook("onResponse", logResponse);
}

function addRoutes(app: App, baseDeps: ApiDeps, table: RouteTable, pages: Pages): void {
  const deps = { ...baseDeps, standings: openStandings(baseDeps) };
  indexRoutes(app, deps, table);
  healthzRoutes(app, deps);
  statusRoutes(app, deps);
  lobbyRoutes(app, deps);
  leaderboardRoutes(app, deps);
  standingsRoutes(app, deps);
  matchRoutes(app, deps);
  botRoutes(app, deps);
  ratingRoutes(app, deps);
  recordRoutes(app, deps);
  styleRoutes(app, deps);
  compareRoutes(app, deps);
  seasonRoutes(app, deps);
  seasonResultRoutes(app, deps);
  seasonMatchupRoutes(app, deps);
  searchRoutes(app, deps);
  registrationRoutes(app, deps);
  meRoutes(app, deps);
  practiceRoutes(app, deps);
  replayRoutes(app, deps);
  ladderRoutes(app, deps);
  ladderResultRoutes(app, deps);
  archiveRoutes(app, deps);
  userRoutes(app, deps);
  addAccountRoutes(app, deps);
  unsubscribeRoutes(app, deps, pages);
  eventRoutes(app, deps);
  announcementRoutes(app, deps);
  changelogRoutes(app, deps);
  downloadRoutes(app, deps);
  docsRoutes(app, deps, pages);
  discoveryRoutes(app, deps, table);
  void app.register(pageRoutes(deps.site, pages));
}

function addAccountRoutes(app: App, baseDeps: MeDeps): void {
  const { accounts } = baseDeps;
  if (accounts === null) {
    accountsDisabledRoutes(app, baseDeps);
    return;
  }
  const deps = { ...baseDeps, accounts, mutex: openLadderMutex(baseDeps) };
  moderationRoutes(app, deps);
  adminAccountRoutes(app, deps);
  signUpRoutes(app, deps);
  ownerRoutes(app, deps);
  overviewRoutes(app, deps);
  auditRoutes(app, deps);
  ladderReportRoutes(app, deps);
  eventReportRoutes(app, deps);
  healthRoutes(app, deps);
  profilingRoutes(app, deps);
  analyticsRoutes(app, deps);
  usageRoutes(app, deps);
  trimRoutes(app, deps);
  emailRoutes(app, deps);
  settingsRoutes(app, deps);
  adminAnnouncementRoutes(app, deps);
  adminLadderRoutes(app, deps);
  accountRoutes(app, deps);
  accountBotRoutes(app, deps);
  agentKeyRoutes(app, deps);
  connectedAppRoutes(app, deps);
  starRoutes(app, deps);
  accountLadderRoutes(app, deps);
  accountEventRoutes(app, deps);
  adminEventRoutes(app, deps);
  accountDeletionRoutes(app, deps);
  const { mcpEndpoint } = deps.settings;
  if (mcpEndpoint !== null) void app.register(mcpPlugin(deps, mcpEndpoint));
}

/** Loads the MCP SDK only if the endpoint is served: loading takes 100 ms and 25 MB. */
function mcpPlugin(deps: MeDeps & LadderDeps, endpoint: string) {
  return async (app: App) => {
    const { mcpRoutes } = await import("#web/mcp/mcp.ts");
    mcpRoutes(app, { ...deps, endpoint, request: (path) => requestInternally(app, path) });
  };
}

/** Logs the route instead of the URL, which may contain a secret or injected text. */
function logResponse(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { method, routeOptions, log } = request;
  const ms = Math.round(reply.elapsedTime);
  log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, "answered");
  done();
}
