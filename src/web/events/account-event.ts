// What an account has reached in an event, its flags, and the opponents that it asks for.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import { earningObstacle, unavailableOpponents } from "#core/events/readiness.ts";
import { requestRefusal, revealRefusal } from "#core/events/refusal.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import { OneOf } from "#core/protocol/schema-fight.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { EventProgressSchema, RevealedSchema } from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { requireAccount, signedIn } from "#web/auth/auth.ts";
import { personOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import {
  achievementOf,
  AchievementParams,
  EventParams,
  noAchievement,
  noteOf,
} from "./event-parts.ts";
import { around, ladderOfEvent, membershipIn } from "./event-view.ts";
import { dropStale, inDoubt, liveRequest, takeBack } from "./live-requests.ts";
import { eventProgress, nextRequest } from "./progress-view.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

export function accountEventRoutes(app: App, deps: ApiDeps): void {
  progressRoute(app, deps);
  revealRoute(app, deps);
  requestRoute(app, deps);
  cancelRoute(app, deps);
}

function progressRoute(app: App, deps: ApiDeps): void {
  const schema = { params: EventParams, response: answers(EventProgressSchema) };
  const config = {
    endpoint: "account_event",
    about: "An event as the account sees it: five cards with progress, its bots, its request",
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/achievements";
  app.get(url, options, async ({ params, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    return eventProgress(deps, event, signedIn(caller).account.id);
  });
}

function revealRoute(app: App, deps: ApiDeps): void {
  const schema = { params: AchievementParams, response: answers(RevealedSchema) };
  const config = {
    endpoint: "account_event_reveal",
    about: "Shows the flag of an achievement that the account has earned",
    credentials,
    refuses: [
      ...([404, "enrollment_required", "achievement_revoked"] as const),
      ...(["achievement_locked", "flag_unavailable"] as const),
    ],
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/achievements/:id/reveal";
  app.post(url, options, async ({ params, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    const achievement = achievementOf(event, params.id);
    if (achievement === null) return noAchievement(reply);
    const person = signedIn(caller);
    const { id: accountId } = person.account;
    const given = await deps.store.awards.ofAccount(accountId, event.id);
    const award = given.find(({ achievementId }) => achievementId === achievement.id) ?? null;
    const flag = deps.flags.of(event, achievement.id);
    const isMember = (await membershipIn(deps, event, accountId)) === "active";
    const refusal = revealRefusal({ isMember, award, hasFlag: flag !== null });
    if (refusal !== null) return refuse(reply, refusal);
    const detail = { achievement: achievement.id, name: achievement.name };
    const about = { detail, person: personOf(person.account) };
    await deps.store.audit.add([noteOf(deps, person, "event.revealed", event, about)]);
    return {
      event_id: event.id,
      achievement_id: achievement.id,
      flag: flag ?? "",
      earned_at: award?.earnedAt ?? "",
    };
  });
}

const RequestSchema = Type.Object({
  bot_id: Type.String({ description: "id of a bot of the account" }),
  opponent: OneOf(HOUSE_KINDS, "short name of a house bot"),
});

function requestRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: EventParams,
    body: RequestSchema,
    response: { 201: EventProgressSchema, ...refusals },
  };
  const config = {
    endpoint: "account_event_opponent",
    about: "Asks for a game of a bot against a house bot",
    credentials,
    refuses: [
      ...([404, "no_such_bot", "enrollment_required", "event_closed", "request_exists"] as const),
      ...(["bot_offline", "opponent_unavailable", "rate_limited"] as const),
    ],
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/opponent";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    const person = signedIn(caller);
    const bot = await ownBot(deps, person, body.bot_id);
    if (bot === null) return refuse(reply, "no_such_bot");
    const refused = await ask(deps, reply, person, { event, bot, opponent: body.opponent });
    if (refused !== null) return refused;
    reply.code(201);
    return eventProgress(deps, event, person.account.id);
  });
}

async function ownBot(
  { store }: ApiDeps,
  { account }: Caller,
  text: string,
): Promise<BotRecord | null> {
  const id = idOf(text);
  const bot = id === null ? null : await store.bots.byId(id);
  return bot?.ownerId === account.id ? bot : null;
}

type Wish = { event: EventDefinition; bot: BotRecord; opponent: HouseKind };

/** Null when the wish is stored and the arena knows of it. */
async function ask(
  deps: ApiDeps,
  reply: FastifyReply,
  person: Caller,
  wish: Wish,
): Promise<ErrorBody | null> {
  const { event, bot, opponent } = wish;
  const { store, arena } = deps;
  const { served, pending } = await store.requests.latest(event.id, person.account.id);
  const next = nextRequest(deps, served?.started ?? null);
  const isMember = (await membershipIn(deps, event, person.account.id)) === "active";
  const live = await liveRequest(deps, pending);
  const isServed = arena.requestOf(event.id, person.account.id)?.state === "playing";
  const refusal = requestRefusal({
    ...factsOf(deps, wish),
    isMember,
    hasRequest: live !== null || isServed,
    isTooSoon: next !== null,
  });
  if (refusal === "rate_limited") return refuseTooSoon(deps, reply, next ?? "");
  if (refusal !== null) return refuse(reply, refusal);
  const detail = { bot: bot.id, opponent };
  const note = noteOf(deps, person, "event.requested", event, {
    detail,
    person: personOf(person.account),
  });
  const request: OpponentRequest = {
    id: deps.newId(),
    eventId: event.id,
    ladderId: event.ladderId,
    accountId: person.account.id,
    botId: bot.id,
    opponent,
    created: note.at,
  };
  if (pending !== null) await dropStale(deps, pending);
  const outcome = await inDoubt(arena, () => store.requests.add(request, note));
  if (outcome === "request_exists") return refuse(reply, outcome);
  arena.opponentRequested(request);
  return null;
}

function factsOf(deps: ApiDeps, { event, bot, opponent }: Wish) {
  const sessions = deps.arena.online().filter(({ botId }) => botId === bot.id);
  const onLadder = sessions.filter(({ ladderId }) => ladderId === event.ladderId);
  const instant = deps.clock().toISOString();
  return {
    isEarning: earningObstacle(event, ladderOfEvent(deps, event), instant) === null,
    isPlaying: bot.status === "active" && onLadder.some(({ state }) => state !== "idle"),
    isAvailable: !unavailableOpponents(event, around(deps, event)).includes(opponent),
  };
}

function refuseTooSoon({ clock }: ApiDeps, reply: FastifyReply, next: string): ErrorBody {
  const waitS = Math.max(1, Math.ceil((Date.parse(next) - clock().getTime()) / 1000));
  reply.header("Retry-After", waitS);
  const text = "The last game that was asked for began too recently.";
  return { ...refuse(reply, "rate_limited", text), limit: "opponent_request_every_s" };
}

function cancelRoute(app: App, deps: ApiDeps): void {
  const schema = { params: EventParams, response: answers(EventProgressSchema) };
  const config = {
    endpoint: "account_event_opponent_cancel",
    about: "Takes back the wish for an opponent; one whose game has begun stays",
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/events/:event/opponent";
  app.delete(
    url,
    options,
    async ({ params, caller }: FastifyRequest<{ Params: { event: string } }>, reply) => {
      const event = deps.events.byId(params.event);
      if (event === null) return missing(reply, "event");
      const { account } = signedIn(caller);
      await takeBack(deps, event.id, account.id);
      return eventProgress(deps, event, account.id);
    },
  );
}
