// No opponent request is lost or served twice: a stored match serves it, or it is cancelled, or its
// bot or its event is gone, or it is pending still. One that can be served is served soon.

import { SECOND } from "#base/units/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountId, BotId, EventId, MatchId, RequestId } from "#core/words/ids.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Paired, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { mayMeet, readyBots } from "./allowed.ts";
import { isSettled, openRegister } from "./register.ts";
import type { Register } from "./register.ts";
import type { Moment, Watch } from "./watch.ts";

/** µs for which a request may be passed over in waves that could serve it. */
const PATIENCE = 20 * SECOND;

type Asked = {
  request: OpponentRequest;
  servedBy: MatchId | null;
  /** Whether it was cancelled, or given up. */
  isOver: boolean;
  /** Matches that began while nobody knew whether it was cancelled. */
  spared: Set<MatchId>;
  /** Since when waves could serve it, µs; null while they could not. */
  servable: number | null;
};

type Facts = Register & {
  asked: Map<RequestId, Asked>;
  events: Map<EventId, EventDefinition>;
  /** Accounts that have left, or were ever banned: their requests may be given up. */
  gone: Set<AccountId>;
  /** Requests of a bot that has had another owner since. */
  moved: Set<BotId>;
  running: Set<MatchId>;
};

export function watchRequests(): Watch {
  const register = openRegister();
  const facts: Facts = {
    ...register,
    asked: new Map(),
    events: new Map(),
    gone: new Set(),
    moved: new Set(),
    running: new Set(),
  };
  return {
    name: "no request lost or served twice",
    on: {
      ...register.on,
      recalled: (recalled, moment) => {
        for (const event of recalled.events) facts.events.set(event.id, event);
        register.on.recalled?.(recalled, moment);
      },
      event: ({ event }) => void facts.events.set(event.id, event),
      account: ({ accountId, state }) => void (state !== "active" && facts.gone.add(accountId)),
      owned: (notice, moment) => {
        facts.moved.add(notice.bot.id);
        register.on.owned?.(notice, moment);
      },
      wished: ({ request }) => begin(facts, request),
      unwished: ({ requestId, isCancelled }, moment) =>
        end(facts, requestId, { isCancelled }, moment),
      started: ({ matchId, botIds }) => start(facts, matchId, botIds),
      stored: ({ match }) => serve(facts, match),
      wave: ({ request, paired }, moment) => passedOver(facts, request, paired, moment),
      killed: () => {
        facts.running.clear();
        for (const asked of facts.asked.values()) asked.servable = null;
      },
      wishes: ({ pending }) => lost(facts, pending),
    },
  };
}

function begin({ asked }: Facts, request: OpponentRequest): void {
  const fresh = { request, servedBy: null, isOver: false, spared: new Set<MatchId>() };
  asked.getOrInsert(request.id, { ...fresh, servable: null });
}

type Ending = { isCancelled: boolean };

function end(facts: Facts, id: RequestId, { isCancelled }: Ending, moment: Moment): string | null {
  const one = facts.asked.get(id);
  if (one === undefined) return `${id} is taken back and was never asked for`;
  if (one.servedBy !== null) return `${id} is taken back, and ${one.servedBy} served it`;
  one.isOver = true;
  return isCancelled || mayBeGivenUp(facts, one.request, moment) ? null : `${id} is given up`;
}

function mayBeGivenUp(facts: Facts, request: OpponentRequest, { wall }: Moment): boolean {
  const { eventId, accountId, botId } = request;
  const isGone = facts.gone.has(accountId) || facts.moved.has(botId);
  return isGone || !isOpen(facts, eventId, wall) || !isSettled(facts, [botId, eventId]);
}

function isOpen({ events }: Facts, id: EventId, wall: number): boolean {
  const event = events.get(id);
  if (event === undefined || !event.enabled) return false;
  return wall >= Date.parse(event.opensAt) && wall < Date.parse(event.closesAt);
}

function start(facts: Facts, matchId: MatchId, botIds: readonly BotId[]): void {
  facts.running.add(matchId);
  for (const one of facts.asked.values()) {
    const { id, botId } = one.request;
    if (!botIds.includes(botId)) continue;
    if (!one.isOver || !isSettled(facts, [id])) one.spared.add(matchId);
  }
}

function serve(facts: Facts, match: FinishedMatch): string | null {
  const { asked, running, bots, gone } = facts;
  const { id, requestId, ladderId, seats, voided } = match;
  if (!running.delete(id) || requestId === null) return null;
  const one = asked.get(requestId);
  if (one === undefined) return `${id} serves ${requestId}, which nobody asked for`;
  const { request } = one;
  const house = HOUSE_BOTS.find(({ short }) => short === request.opponent)?.name;
  const hasHouse = seats.some(({ botId }) => bots.get(botId ?? "")?.name === house);
  const hasBot = seats.some(({ botId }) => botId === request.botId);
  if (!hasHouse || !hasBot || ladderId !== request.ladderId)
    return `${id} serves ${requestId}, which asked for another game`;
  if (voided) return null;
  if (one.servedBy !== null) return `${requestId} is served by ${one.servedBy} and by ${id}`;
  const isLate = one.isOver && !one.spared.has(id) && !gone.has(request.accountId);
  if (isLate) return `${id} serves ${requestId}, which was over when it began`;
  one.servedBy = id;
  return null;
}

const isPending = ({ servedBy, isOver }: Asked): boolean => servedBy === null && !isOver;

/** Requests that a wave could serve, and which it passed over again and again. */
function passedOver(
  facts: Facts,
  wave: WaveRequest,
  paired: readonly Paired[],
  { at, wall }: Moment,
): string | null {
  if (facts.asked.size === 0) return null;
  const here = [...facts.asked.values()].filter(
    (one) => isPending(one) && one.request.ladderId === wave.ladderId,
  );
  if (here.length === 0) return null;
  const ready = new Map(readyBots(wave).map((bot) => [bot.botId, bot]));
  const served = new Set(
    paired.filter(({ reasons }) => reasons.ground === "requested").flatMap(({ botIds }) => botIds),
  );
  for (const one of here) {
    const { request } = one;
    const bot = ready.get(request.botId);
    const house = ready.get(houseOf(facts, request));
    const isServable =
      bot?.owner === request.accountId &&
      house !== undefined &&
      isOpen(facts, request.eventId, wall) &&
      mayMeet(wave, bot, house) &&
      wave.starts.length > served.size / 2 &&
      !served.has(bot.botId) &&
      !served.has(house.botId);
    if (!isServable) one.servable = null;
    else if (at - (one.servable ??= at) > PATIENCE) return `${request.id} is passed over`;
  }
  return null;
}

function houseOf({ bots }: Facts, { opponent }: OpponentRequest): BotId {
  const name = HOUSE_BOTS.find(({ short }) => short === opponent)?.name;
  return bots.values().find((bot) => bot.name === name)?.id ?? "";
}

/** What is pending by all that was told, and what the store says. */
function lost({ asked, gone }: Facts, pending: readonly RequestId[]): string | null {
  const own = [...asked.values()].filter(
    (one) => isPending(one) && !gone.has(one.request.accountId),
  );
  const missing = own.find(({ request }) => !pending.includes(request.id));
  if (missing !== undefined) return `${missing.request.id} is lost`;
  const isOver = (id: RequestId) => {
    const one = asked.get(id);
    return one === undefined || !isPending(one);
  };
  const extra = pending.find(isOver);
  return extra === undefined ? null : `${extra} is pending, and is over`;
}
