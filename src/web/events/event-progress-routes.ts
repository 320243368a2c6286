import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import { EventProgressSchema, RevealedSchema } from "#core/api/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { earningObstacle, unavailableOpponents } from "#core/events/readiness.ts";
import { requestRefusal, revealRefusal } from "#core/events/refusals.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import { OneOf } from "#core/protocol/schema-fight.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditPerson } from "#web/auth/audit-entry.ts";
import { requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import {
  dropStaleRequest,
  withRequestReconciliation,
  findActiveRequest,
  cancelOpponentRequest,
} from "./active-requests.ts";
import {
  findAchievement,
  AchievementParams,
  EventParams,
  refuseUnknownAchievement,
  eventAuditEntry,
} from "./event-route-helpers.ts";
import { eventContext, eventLadder, eventMembership } from "./event-view.ts";
import { eventProgress, nextRequestAt } from "./progress-view.ts";

const credentials = ["Browser"] as const;

export function accountEventRoutes(app: App, deps: ApiDeps): void {
  progressRoute(app, deps);
  revealRoute(app, deps);
  requestRoute(app, deps);
  cancelRoute(app, deps);
}

function progressRoute(app: App, deps: ApiDeps): void {
  const schema = { params: EventParams, response: okResponses(EventProgressSchema) };
  const config = {
    endpoint: "account_event",
    summary: "An event for the account: five cards with progress, its bots, its opponent request",
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/achievements";
  app.get(url, options, async ({ params, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    return eventProgress(deps, event, assertSignedIn(caller).account.id);
  });
}

function revealRoute(app: App, deps: ApiDeps): void {
  const schema = { params: AchievementParams, response: okResponses(RevealedSchema) };
  const config = {
    endpoint: "account_event_reveal",
    summary: "Reveals the flag of an achievement that the account has earned",
    credentials,
    errorCodes: [
      ...([404, "enrollment_required", "achievement_revoked"] as const),
      ...(["achievement_locked", "flag_unavailable"] as const),
    ],
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/achievements/:id/reveal";
  app.post(url, options, async ({ params, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    const achievement = findAchievement(event, params.id);
    if (achievement === null) return refuseUnknownAchievement(reply);
    const person = assertSignedIn(caller);
    const { id: accountId } = person.account;
    const awards = await deps.store.awards.listByAccount(accountId, event.id);
    const award = awards.find(({ achievementId }) => achievementId === achievement.id) ?? null;
    const flag = deps.flags.get(event, achievement.id);
    const isMember = (await eventMembership(deps, event, accountId)) === "active";
    const refusal = revealRefusal({ isMember, award, hasFlag: flag !== null });
    if (refusal !== null) return refuseWithCode(reply, refusal);
    const detail = { achievement: achievement.id, name: achievement.name };
    const summary = { detail, person: auditPerson(person.account) };
    await deps.store.audit.add([eventAuditEntry(deps, person, "event.revealed", event, summary)]);
    return {
      event_id: event.id,
      achievement_id: achievement.id,
      flag: flag ?? "",
      earned_at: award?.earnedAt ?? "",
    };
  });
}

const RequestSchema = Type.Object({
  bot_id: Type.String({ description: "id of one of the account's bots" }),
  opponent: OneOf(HOUSE_KINDS, "short name of a house bot"),
});

function requestRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: EventParams,
    body: RequestSchema,
    response: { 201: EventProgressSchema, ...errorResponses },
  };
  const config = {
    endpoint: "account_event_opponent",
    summary: "Requests a match between a bot and a house bot",
    credentials,
    errorCodes: [
      ...([404, "no_such_bot", "enrollment_required", "event_closed", "request_exists"] as const),
      ...(["bot_offline", "opponent_unavailable", "rate_limited"] as const),
    ],
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/opponent";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    const person = assertSignedIn(caller);
    const bot = await findOwnBotById(deps, person, body.bot_id);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const refusal = await requestOpponent(deps, reply, person, {
      event,
      bot,
      opponent: body.opponent,
    });
    if (refusal !== null) return refusal;
    reply.code(201);
    return eventProgress(deps, event, person.account.id);
  });
}

async function findOwnBotById(
  { store }: ApiDeps,
  { account }: Caller,
  text: string,
): Promise<BotRecord | null> {
  const id = parseId(text);
  const bot = id === null ? null : await store.bots.byId(id);
  return bot?.ownerId === account.id ? bot : null;
}

type RequestTarget = { event: EventDefinition; bot: BotRecord; opponent: HouseKind };

/** Stores a request and passes it to the arena. Returns null on success, otherwise the refusal. */
async function requestOpponent(
  deps: ApiDeps,
  reply: FastifyReply,
  person: Caller,
  target: RequestTarget,
): Promise<ErrorBody | null> {
  const { event, bot, opponent } = target;
  const { store, arena } = deps;
  const { served: lastServed, pending } = await store.requests.latest(event.id, person.account.id);
  const nextAllowedAt = nextRequestAt(deps, lastServed?.started ?? null);
  const isMember = (await eventMembership(deps, event, person.account.id)) === "active";
  const activeRequest = await findActiveRequest(deps, pending);
  const isBeingPlayed =
    arena.opponentRequestState(event.id, person.account.id)?.state === "playing";
  const refusal = requestRefusal({
    ...requestFacts(deps, target),
    isMember,
    hasRequest: activeRequest !== null || isBeingPlayed,
    isTooSoon: nextAllowedAt !== null,
  });
  if (refusal === "rate_limited") return refuseTooSoon(deps, reply, nextAllowedAt ?? "");
  if (refusal !== null) return refuseWithCode(reply, refusal);
  const detail = { bot: bot.id, opponent };
  const auditEntry = eventAuditEntry(deps, person, "event.requested", event, {
    detail,
    person: auditPerson(person.account),
  });
  const request: OpponentRequest = {
    id: deps.newId(),
    eventId: event.id,
    ladderId: event.ladderId,
    accountId: person.account.id,
    botId: bot.id,
    opponent,
    created: auditEntry.at,
  };
  if (pending !== null) await dropStaleRequest(deps, pending);
  const outcome = await withRequestReconciliation(arena, () =>
    store.requests.add(request, auditEntry),
  );
  if (outcome === "request_exists") return refuseWithCode(reply, outcome);
  arena.onOpponentRequested(request);
  return null;
}

function requestFacts(deps: ApiDeps, { event, bot, opponent }: RequestTarget) {
  const sessions = deps.arena.onlineBots().filter(({ botId }) => botId === bot.id);
  const ladderSessions = sessions.filter(({ ladderId }) => ladderId === event.ladderId);
  const instant = deps.clock().toISOString();
  return {
    isEarning: earningObstacle(event, eventLadder(deps, event), instant) === null,
    isPlaying: bot.status === "active" && ladderSessions.some(({ state }) => state !== "idle"),
    isAvailable: !unavailableOpponents(event, eventContext(deps, event)).includes(opponent),
  };
}

function refuseTooSoon({ clock }: ApiDeps, reply: FastifyReply, nextAllowedAt: string): ErrorBody {
  const waitS = Math.max(1, Math.ceil((Date.parse(nextAllowedAt) - clock().getTime()) / 1000));
  reply.header("Retry-After", waitS);
  const text = "Refusal if the last requested match started too recently.";
  return { ...refuseWithCode(reply, "rate_limited", text), limit: "opponent_request_every_s" };
}

function cancelRoute(app: App, deps: ApiDeps): void {
  const schema = { params: EventParams, response: okResponses(EventProgressSchema) };
  const config = {
    endpoint: "account_event_opponent_cancel",
    summary: "Cancels the pending opponent request; a match that has started continues",
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/opponent";
  app.delete(
    url,
    options,
    async ({ params, caller }: FastifyRequest<{ Params: { event: string } }>, reply) => {
      const event = deps.events.byId(params.event);
      if (event === null) return refuseNotFound(reply, "event");
      const { account } = assertSignedIn(caller);
      await cancelOpponentRequest(deps, event.id, account.id);
      return eventProgress(deps, event, account.id);
    },
  );
}
