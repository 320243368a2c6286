// The whole HTTP side on one page.

import fastify, { LogController } from "fastify";
import type { FastifyReply, FastifyRequest } from "fastify";

import { accountBotRoutes } from "#web/account/account-bot.ts";
import { accountRoutes } from "#web/account/account.ts";
import { agentKeyRoutes } from "#web/account/agent-key.ts";
import { leavingRoutes } from "#web/account/leave.ts";
import { noAccountRoutes } from "#web/account/no-accounts.ts";
import { programRoutes } from "#web/account/program.ts";
import { starRoutes } from "#web/account/star.ts";
import { unsubscribeRoutes } from "#web/account/unsubscribe.ts";
import { adminAccountRoutes } from "#web/admin/admin-account.ts";
import { analyticsRoutes } from "#web/admin/analytics.ts";
import { adminAnnouncementRoutes } from "#web/admin/announcement.ts";
import { emailRoutes } from "#web/admin/emails.ts";
import { healthRoutes } from "#web/admin/health.ts";
import { moderationRoutes } from "#web/admin/moderated-bot.ts";
import { overviewRoutes } from "#web/admin/overview.ts";
import { ownerRoutes } from "#web/admin/owner.ts";
import { profilingRoutes } from "#web/admin/profiling.ts";
import { settingsRoutes } from "#web/admin/settings.ts";
import { signUpRoutes } from "#web/admin/sign-up.ts";
import { trimRoutes } from "#web/admin/trim.ts";
import { usageRoutes } from "#web/admin/usage.ts";
import { decorateAuth } from "#web/auth/auth.ts";
import { recordRoutes } from "#web/bots/bot-record.ts";
import { botRoutes } from "#web/bots/bot.ts";
import { compareRoutes } from "#web/bots/compare.ts";
import { ratingRoutes } from "#web/bots/rating-history.ts";
import { styleRoutes } from "#web/bots/style.ts";
import { changelogRoutes } from "#web/docs/changelog.ts";
import { discoveryRoutes } from "#web/docs/discovery-routes.ts";
import { docsRoutes } from "#web/docs/docs.ts";
import { downloadRoutes } from "#web/docs/download.ts";
import { accountEventRoutes } from "#web/events/account-event.ts";
import { adminEventRoutes } from "#web/events/admin-event.ts";
import { eventRoutes } from "#web/events/event.ts";
import { answerErrors } from "#web/http/answer-error.ts";
import { acceptJson } from "#web/http/body.ts";
import { answerClientError } from "#web/http/client-error.ts";
import { compressConstants } from "#web/http/compression.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answerUnchanged } from "#web/http/etag.ts";
import { allowProvider, promiseTls, setHeaders, settleHeaders } from "#web/http/headers.ts";
import {
  boundPipelines,
  closeUnread,
  refuseExpectation,
  refuseHostless,
} from "#web/http/odd-requests.ts";
import { limitRates } from "#web/http/rate-limit.ts";
import { openQueue } from "#web/http/read-queue.ts";
import { timeRequests } from "#web/http/request-times.ts";
import { answerUnmatched, isLedOn, watchRoutes } from "#web/http/routes.ts";
import type { RouteTable } from "#web/http/routes.ts";
import { serverOptions } from "#web/http/server-options.ts";
import { compileValidator } from "#web/http/validator.ts";
import { accountLadderRoutes } from "#web/ladders/account-ladder.ts";
import { adminLadderRoutes } from "#web/ladders/admin-ladder.ts";
import { archiveRoutes } from "#web/ladders/archive.ts";
import { openDoor } from "#web/ladders/door.ts";
import type { LadderDeps } from "#web/ladders/door.ts";
import { keepEmbedded } from "#web/pages/embedded.ts";
import { askInside, requestInside } from "#web/pages/page-data.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";
import type { Pages } from "#web/pages/pages.ts";
import { auditRoutes } from "#web/reports/audit.ts";
import { eventReportRoutes } from "#web/reports/event-reports.ts";
import { ladderReportRoutes } from "#web/reports/ladder-reports.ts";

import { announcementRoutes } from "./announcement.ts";
import { indexRoutes } from "./api-index.ts";
import { healthzRoutes } from "./healthz.ts";
import { ladderResultRoutes } from "./ladder-results.ts";
import { ladderRoutes } from "./ladder.ts";
import { keepStandings } from "./leaderboard-rows.ts";
import { leaderboardRoutes } from "./leaderboard.ts";
import { lobbyRoutes } from "./lobby.ts";
import { matchRoutes } from "./match.ts";
import { meRoutes } from "./me.ts";
import type { MeDeps } from "./me.ts";
import { practiceRoutes } from "./practice.ts";
import { registrationRoutes } from "./registration.ts";
import { replayRoutes } from "./replay.ts";
import { searchRoutes } from "./search.ts";
import { seasonMatchupRoutes } from "./season-matchups.ts";
import { seasonResultRoutes } from "./season-results.ts";
import { seasonRoutes } from "./season.ts";
import { standingsRoutes } from "./standings.ts";
import { statusRoutes } from "./status.ts";
import { userRoutes } from "./user.ts";

/** Log levels at which each answer is logged. */
const TALKATIVE = ["trace", "debug"];

/** The application, not listening yet: routes may be added until it is ready. */
export function buildApp(deps: ApiDeps): App {
  const limits = deps.limits();
  const http = serverOptions(limits);
  const answer = answerErrors((what) => pages.instead(what));
  const app: App = fastify({
    loggerInstance: deps.log,
    // The log does not distinguish requests, so none needs a logger of its own.
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.json_body_bytes,
    requestTimeout: http.requestTimeout,
    keepAliveTimeout: http.keepAliveTimeout,
    http,
    routerOptions: { maxParamLength: limits.path_part_chars },
    clientErrorHandler: answerClientError,
    // These errors occur before any hook runs.
    frameworkErrors: (error, request, reply) =>
      setHeaders(request, reply, () => void answer(error, request, reply)),
  });
  app.server.on("checkExpectation", refuseExpectation);
  const table = watchRoutes(app);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(answer);
  const now = () => deps.clock().getTime();
  const pages = openPages(deps.site, { ...deps, api: askInside(app), now }, deps.cache);
  addHooks(app, deps, table, pages);
  // The caller may watch the routes as they are added.
  app.after(() => addRoutes(app, deps, table, pages));
  return app;
}

/** These hooks run for every request; they call back because promises take more time. */
function addHooks(app: App, deps: ApiDeps, table: RouteTable, { noPage, instead }: Pages): void {
  const { accounts, admission, limits, log, settings } = deps;
  app.addHook("onRequest", boundPipelines(limits().pipelined_requests));
  app.addHook("onRequest", setHeaders);
  const promise = promiseTls(settings.baseUrl);
  if (promise !== null) app.addHook("onRequest", promise);
  if (accounts !== null)
    app.addHook("onRequest", allowProvider(accounts.provider, settings.baseUrl));
  if (admission !== null)
    app.addHook(
      "onRequest",
      limitRates(admission, () => instead("busy")),
    );
  app.addHook("onRequest", refuseHostless);
  const queue = openQueue();
  app.addHook("onRequest", (_request, _reply, done) => queue(done));
  app.addHook("onRequest", (request, reply, done) => {
    if (isLedOn(table, request, reply)) return;
    if (request.is404) answerUnmatched(table, noPage, request, reply);
    else done();
  });
  // For files that are not there: their addresses have a route.
  app.setNotFoundHandler((request, reply) => answerUnmatched(table, noPage, request, reply));
  acceptJson(app);
  decorateAuth(app);
  const { requests } = deps.metrics;
  app.addHook("onSend", (_request, reply, payload, done) => {
    requests.countRefusal(reply, payload);
    done(null, payload);
  });
  app.addHook("onSend", closeUnread(limits().json_body_bytes));
  app.addHook("onSend", settleHeaders);
  app.addHook("onSend", answerUnchanged);
  app.addHook("onSend", compressConstants());
  app.addHook("onResponse", (request, reply, done) => {
    requests.count(request, reply);
    done();
  });
  app.addHook("onResponse", keepEmbedded(deps));
  if (deps.profiling !== null) app.addHook("onResponse", timeRequests(deps.profiling.note));
  if (TALKATIVE.includes(log.level)) app.addHook("onResponse", logResponse);
}

function addRoutes(app: App, given: ApiDeps, table: RouteTable, pages: Pages): void {
  const deps = { ...given, standings: keepStandings(given) };
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

function addAccountRoutes(app: App, given: MeDeps): void {
  const { accounts } = given;
  if (accounts === null) {
    noAccountRoutes(app, given);
    return;
  }
  const deps = { ...given, accounts, door: openDoor(given) };
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
  programRoutes(app, deps);
  starRoutes(app, deps);
  accountLadderRoutes(app, deps);
  accountEventRoutes(app, deps);
  adminEventRoutes(app, deps);
  leavingRoutes(app, deps);
  const { mcpEndpoint } = deps.settings;
  if (mcpEndpoint !== null) void app.register(mcpPlugin(deps, mcpEndpoint));
}

/** Loaded only where it is served: the SDK takes a tenth of a second and 25 MB. */
function mcpPlugin(deps: MeDeps & LadderDeps, endpoint: string) {
  return async (app: App) => {
    const { mcpRoutes } = await import("#web/mcp/mcp.ts");
    mcpRoutes(app, { ...deps, endpoint, inside: (path) => requestInside(app, path) });
  };
}

/**
 * By route, never by address: an address may contain a secret or text that a stranger wants logged.
 */
function logResponse(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { method, routeOptions, log } = request;
  const ms = Math.round(reply.elapsedTime);
  log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms }, "answered");
  done();
}
